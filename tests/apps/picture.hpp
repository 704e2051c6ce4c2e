#pragma once

#include <algorithm>
#include <boost/property_tree/ptree.hpp>
#include <boost/property_tree/xml_parser.hpp>
#include <sstream>
#include <string>
#include <vector>

// Looks into pictures that the program drew.

namespace tendril::test {

using boost::property_tree::ptree;

/// Throws where the text is not well-formed XML.
inline ptree parse(const std::string& text) {
  std::istringstream in(text);
  ptree tree;
  boost::property_tree::read_xml(in, tree);
  return tree.get_child("svg");
}

inline std::vector<ptree> elements(const ptree& picture, const std::string& name,
                                   const std::string& style) {
  std::vector<ptree> found;
  for (const auto& [tag, element] : picture) {
    if (tag == name && element.get<std::string>("<xmlattr>.class", "") == style) {
      found.push_back(element);
    }
  }
  return found;
}

inline std::vector<std::string> words(const ptree& picture, const std::string& style) {
  std::vector<std::string> found;
  for (const ptree& element : elements(picture, "text", style)) {
    found.push_back(element.data());
  }
  return found;
}

inline bool contains(const std::vector<std::string>& words, const std::string& word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

inline double attribute(const ptree& element, const std::string& name) {
  return element.get<double>("<xmlattr>." + name);
}

}  // namespace tendril::test
