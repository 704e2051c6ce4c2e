# cmake --install: headers, archives, and the package that find_package(tendril) finds.

include(CMakePackageConfigHelpers)

install(TARGETS ${installed_targets} EXPORT tendrilTargets
  ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}")
install(DIRECTORY include/tendril DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
install(EXPORT tendrilTargets NAMESPACE tendril::
  DESTINATION "${CMAKE_INSTALL_LIBDIR}/cmake/tendril")
configure_package_config_file(cmake/tendrilConfig.cmake.in tendrilConfig.cmake
  INSTALL_DESTINATION "${CMAKE_INSTALL_LIBDIR}/cmake/tendril")
write_basic_package_version_file(tendrilConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES
  "${CMAKE_CURRENT_BINARY_DIR}/tendrilConfig.cmake"
  "${CMAKE_CURRENT_BINARY_DIR}/tendrilConfigVersion.cmake"
  DESTINATION "${CMAKE_INSTALL_LIBDIR}/cmake/tendril")
