# What every target of this tree is built with. Nothing here reaches a consumer: it is either global to
# this build (standard, output folders) or on the private target tendril_build_flags.

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release)
endif()
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin")

find_program(TENDRIL_CCACHE ccache)
if(TENDRIL_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # ccache keeps results made with precompiled headers only if it is told to.
  set(CMAKE_CXX_COMPILER_LAUNCHER
    "${CMAKE_COMMAND}" -E env CCACHE_SLOPPINESS=pch_defines,time_macros "${TENDRIL_CCACHE}")
  set(CMAKE_CUDA_COMPILER_LAUNCHER "${TENDRIL_CCACHE}")
endif()

# The GPU engine: sets TENDRIL_HAS_CUDA. The default targets are an H100/H200, whose PTX later GPUs
# run, and the first generation with hardware launch control.
set(TENDRIL_HAS_CUDA OFF)
if(NOT TENDRIL_CUDA STREQUAL "OFF")
  include(CheckLanguage)
  check_language(CUDA)
  if(CMAKE_CUDA_COMPILER)
    if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
      set(CMAKE_CUDA_ARCHITECTURES 90 100a-real)
    endif()
    enable_language(CUDA)
    if(NOT CMAKE_CUDA20_STANDARD_COMPILE_OPTION)  # CMake before 3.25.2 knows nvcc up to C++17
      set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION "-std=c++20")
      set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION "-std=c++20")
    endif()
    set(CMAKE_CUDA_STANDARD 20)
    set(CMAKE_CUDA_STANDARD_REQUIRED ON)
    find_package(CUDAToolkit REQUIRED)
    if(CUDAToolkit_VERSION VERSION_GREATER_EQUAL 13.0)
      set(TENDRIL_HAS_CUDA ON)
    elseif(TENDRIL_CUDA STREQUAL "ON")
      message(FATAL_ERROR "tendril needs CUDA 13.0 or later, found ${CUDAToolkit_VERSION}")
    else()
      message(STATUS "GPU engine: off (needs CUDA 13.0 or later, found ${CUDAToolkit_VERSION})")
    endif()
  elseif(TENDRIL_CUDA STREQUAL "ON")
    message(FATAL_ERROR "TENDRIL_CUDA is ON and no CUDA compiler was found")
  else()
    message(STATUS "GPU engine: off (no CUDA compiler)")
  endif()
endif()

# Standard headers that most sources read anyway. Sources include what they use all the same: the
# sanitizer presets build without precompiled headers.
set(TENDRIL_PRECOMPILED
  <algorithm> <array> <charconv> <cstdint> <filesystem> <functional> <limits> <memory> <optional>
  <span> <sstream> <string> <string_view> <utility> <variant> <vector>)

# target_precompile_headers for the sources of a target, unless they are compiled together: there that
# costs more than it saves.
function(tendril_precompile target)
  if(NOT CMAKE_UNITY_BUILD)
    target_precompile_headers(${target} PRIVATE ${ARGN})
  endif()
endfunction()

# Where sources are compiled together (CMAKE_UNITY_BUILD), so many at a time.
if(NOT DEFINED CMAKE_UNITY_BUILD_BATCH_SIZE)
  set(CMAKE_UNITY_BUILD_BATCH_SIZE 24)
endif()

# The same for a target's CUDA sources, eight at a time, which CMake itself does only from 3.31 on. nvcc
# reads the headers of a source three times: for most that takes longer than the rest.
function(tendril_unite_cuda target)
  get_target_property(sources ${target} SOURCES)
  list(FILTER sources INCLUDE REGEX "\\.cu$")
  set_source_files_properties(${sources} PROPERTIES HEADER_FILE_ONLY ON)
  set(number 0)
  while(sources)
    list(SUBLIST sources 0 8 batch)
    list(REMOVE_ITEM sources ${batch})
    list(TRANSFORM batch REPLACE "(.+)" "#include \"${CMAKE_CURRENT_SOURCE_DIR}/\\1\"\n")
    list(JOIN batch "" content)
    set(united "${CMAKE_CURRENT_BINARY_DIR}/united/${target}_${number}.cu")
    file(CONFIGURE OUTPUT "${united}" CONTENT "${content}" @ONLY)
    target_sources(${target} PRIVATE "${united}")
    math(EXPR number "${number} + 1")
  endwhile()
endfunction()

# Warnings and sanitizers, linked PRIVATE by every target of this tree.
add_library(tendril_build_flags INTERFACE)
set(warnings -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wnon-virtual-dtor
             -Wold-style-cast -Woverloaded-virtual)
target_compile_options(tendril_build_flags INTERFACE "$<$<COMPILE_LANGUAGE:CXX>:${warnings}>")
# nvcc hands its own generated code to the host compiler: no -Wpedantic, no -Wold-style-cast there.
target_compile_options(tendril_build_flags INTERFACE
  "$<$<COMPILE_LANGUAGE:CUDA>:SHELL:-Xcompiler=-Wall,-Wextra -Werror=cross-execution-space-call>")
if(CMAKE_UNITY_BUILD)  # there an anonymous namespace looks as if it came from a header
  target_compile_options(tendril_build_flags INTERFACE
    "$<$<COMPILE_LANGUAGE:CXX>:-Wno-subobject-linkage>")
endif()
if(TENDRIL_WERROR)
  target_compile_options(tendril_build_flags INTERFACE
    "$<$<COMPILE_LANGUAGE:CXX>:-Werror>"
    "$<$<COMPILE_LANGUAGE:CUDA>:SHELL:-Werror=all-warnings>")
endif()
if(TENDRIL_SANITIZE)
  target_compile_options(tendril_build_flags INTERFACE
    "$<$<COMPILE_LANGUAGE:CXX>:-fsanitize=${TENDRIL_SANITIZE};-fno-omit-frame-pointer;-fno-sanitize-recover=all>")
  target_link_options(tendril_build_flags INTERFACE "-fsanitize=${TENDRIL_SANITIZE}")
endif()

# A build folder that runs elsewhere: shared libraries that are not on every machine lie beside the
# programs.
if(TENDRIL_RELOCATABLE)
  set(CMAKE_BUILD_RPATH "$ORIGIN")
  set(CMAKE_BUILD_RPATH_USE_ORIGIN ON)
endif()

# Lays a shared library there.
function(tendril_bring library)
  if(TENDRIL_RELOCATABLE)
    string(MAKE_C_IDENTIFIER "bring_${library}" name)
    add_custom_target(${name} ALL
      COMMAND "${CMAKE_COMMAND}" -E make_directory "${CMAKE_RUNTIME_OUTPUT_DIRECTORY}"
      COMMAND "${CMAKE_COMMAND}" -E copy_if_different
        "$<TARGET_SONAME_FILE:${library}>" "${CMAKE_RUNTIME_OUTPUT_DIRECTORY}")
  endif()
endfunction()
