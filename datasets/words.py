#!/usr/bin/env python3
"""words.tsv.gz: word ladders: the five-letter words of the package wamerican, joined where one letter differs.

Only words of five letters a-z as the list writes them count: no capitals, apostrophes or accents. Each pair is
written in both directions, so that the graph is undirected without being told so. Words that no other word is next to
do not appear in the file; its comment counts them.
"""

import collections
import itertools
import re

from made import from_package, write, write_licence


def five_letter_words(text):
    return sorted({word for word in text.split() if re.fullmatch(r"[a-z]{5}", word)})


def ladder(words):
    """Ordered pairs of words that differ in one letter, sorted."""
    alike = collections.defaultdict(list)
    for word in words:
        for i in range(len(word)):
            alike[word[:i] + "?" + word[i + 1:]].append(word)
    return sorted(pair for group in alike.values() for pair in itertools.permutations(group, 2))


def main():
    version, text, licence = from_package("wamerican", "usr/share/dict/american-english",
                                          "usr/share/doc/wamerican/copyright")
    words = five_letter_words(text)
    pairs = ladder(words)
    joined = {word for pair in pairs for word in pair}
    write_licence("wamerican.txt", licence)
    write("words.tsv", [
        f"# Word ladders of the five-letter words of wamerican {version}",
        "# word <tab> a word that differs in one letter; each pair in both directions",
        f"# {len(words)} words, {len(words) - len(joined)} of them next to no other and not below",
        *("\t".join(pair) for pair in pairs)])


if __name__ == "__main__":
    main()
