#!/usr/bin/env python3
"""karate.mtx.gz: who met whom outside the club, among the 34 members of a karate club.

W. W. Zachary, An Information Flow Model for Conflict and Fission in Small Groups, Journal of Anthropological Research
33 (1977), figures 1 and 2. Member 1 is the instructor, member 34 the president.
"""

from made import write

# Each friendship once, at its lower-numbered member.
FRIENDS = {
    1: (2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 13, 14, 18, 20, 22, 32),
    2: (3, 4, 8, 14, 18, 20, 22, 31),
    3: (4, 8, 9, 10, 14, 28, 29, 33),
    4: (8, 13, 14),
    5: (7, 11),
    6: (7, 11, 17),
    7: (17,),
    9: (31, 33, 34),
    10: (34,),
    14: (34,),
    15: (33, 34),
    16: (33, 34),
    19: (33, 34),
    20: (34,),
    21: (33, 34),
    23: (33, 34),
    24: (26, 28, 30, 33, 34),
    25: (26, 28, 32),
    26: (32,),
    27: (30, 34),
    28: (34,),
    29: (32, 34),
    30: (33, 34),
    31: (33, 34),
    32: (33, 34),
    33: (34,),
}


def main():
    pairs = [(high, low) for low, friends in FRIENDS.items() for high in friends]
    write("karate.mtx", [
        "%%MatrixMarket matrix coordinate pattern symmetric",
        "% Zachary's karate club (1977): friendships among 34 members",
        f"34 34 {len(pairs)}",
        *(f"{high} {low}" for high, low in pairs)])


if __name__ == "__main__":
    main()
