#pragma once

#include <array>
#include <ostream>
#include <string_view>

// The same small graph in every text format, for what all readers have in common: vertices 1 .. 4,
// edges 1-2, 2-3 and 3-4. `weighted` says whether the text has the weights 5, 6 and 7.

namespace io_test {

struct text_format {
  const char* name;
  const char* file;     ///< its extension tells the format, were the content not to
  const char* text;     ///< blanks are single spaces
  const char* listing;  ///< with int32 weights
  char comment;         ///< starts a comment line; 'c' needs a blank behind
  bool blank_lines;     ///< blank lines mean nothing
};

inline std::ostream& operator<<(std::ostream& out, const text_format& format) {
  return out << format.name;
}

inline constexpr std::array<text_format, 10> text_formats{{
    {"mtx_coordinate", "a.mtx",
     "%%MatrixMarket matrix coordinate integer symmetric\n4 4 3\n2 1 5\n3 2 6\n4 3 7\n",
     "4 undirected: 1>2*5 2>1*5 2>3*6 3>2*6 3>4*7 4>3*7", '%', true},
    {"mtx_array", "a.mtx", "%%MatrixMarket matrix array integer skew-symmetric\n3 3\n5\n0\n6\n",
     "3 directed: 1>2*-5 2>1*5 2>3*-6 3>2*6", '%', true},
    {"el", "a.el", "1 2\n2 3\n3 4\n", "4 directed: 1>2 2>3 3>4", '#', true},
    {"wel", "a.wel", "1 2 5\n2 3 6\n3 4 7\n", "4 directed: 1>2*5 2>3*6 3>4*7", '%', true},
    {"texts", "a.txt", "from to weight\na b 5\nb c 6\nc d 7\n", "4 directed: a>b*5 b>c*6 c>d*7",
     '#', true},
    {"gr", "a.gr", "p sp 4 3\na 1 2 5\na 2 3 6\na 3 4 7\n", "4 directed: 1>2*5 2>3*6 3>4*7", 'c',
     true},
    {"pace", "a.gr", "p tw 4 3\n1 2\n2 3\n3 4\n", "4 undirected: 1>2 2>1 2>3 3>2 3>4 4>3", 'c',
     true},
    {"col", "a.col", "p edge 4 3\ne 1 2\ne 2 3\ne 3 4\n", "4 undirected: 1>2 2>1 2>3 3>2 3>4 4>3",
     'c', true},
    {"metis", "a.graph", "4 3 1\n2 5\n1 5 3 6\n2 6 4 7\n3 7\n",
     "4 undirected: 1>2*5 2>1*5 2>3*6 3>2*6 3>4*7 4>3*7", '%', false},
    {"adjacency", "a.adj", "WeightedAdjacencyGraph\n4\n3\n0\n1\n2\n3\n1\n2\n3\n5\n6\n7\n",
     "4 directed: 0>1*5 1>2*6 2>3*7", '#', true},
}};

}  // namespace io_test
