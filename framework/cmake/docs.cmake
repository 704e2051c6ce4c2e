# Target `docs`: the reference of the public headers, where Doxygen is found. It fails on a public name
# without a docstring.

if(NOT PROJECT_IS_TOP_LEVEL)
  return()
endif()
find_package(Doxygen 1.9.4 QUIET)
if(NOT DOXYGEN_FOUND)
  message(STATUS "docs: off (no Doxygen 1.9.4 or later)")
  return()
endif()
configure_file(docs/Doxyfile.in Doxyfile @ONLY)
add_custom_target(docs
  COMMAND Doxygen::doxygen "${CMAKE_CURRENT_BINARY_DIR}/Doxyfile"
  COMMENT "Reference: ${CMAKE_CURRENT_BINARY_DIR}/docs/html/index.html"
  VERBATIM)
