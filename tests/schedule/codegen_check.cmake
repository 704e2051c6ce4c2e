# Compiles codegen_probe.cu for ARCH and looks for launch-control instructions in the PTX, and in the SASS
# where cuobjdump is there. No GPU is needed.
#   cmake -D NVCC=... -D ARCH=100a -D INCLUDE=... -D PROBE=... -D WORK=... [-D CUOBJDUMP=...] -P codegen_check.cmake

string(REGEX MATCH "^[0-9]+" number "${ARCH}")
file(MAKE_DIRECTORY "${WORK}")

function(compile kind code output)
  execute_process(COMMAND "${NVCC}" -std=c++20 -O3 "-I${INCLUDE}" ${kind}
      -gencode "arch=compute_${ARCH},code=${code}" "${PROBE}" -o "${output}"
    RESULT_VARIABLE status ERROR_VARIABLE messages)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "sm_${ARCH}: does not compile\n${messages}")
  endif()
endfunction()

function(expect text what pattern wanted)
  if(text MATCHES "${pattern}")
    set(found TRUE)
  else()
    set(found FALSE)
  endif()
  if(wanted AND NOT found)
    message(FATAL_ERROR "sm_${ARCH}: ${what} is missing")
  elseif(found AND NOT wanted)
    message(FATAL_ERROR "sm_${ARCH}: ${what} is there and should not be")
  endif()
endfunction()

# What each target has: launch control from sm_100, its multicast answer for a and f targets; mbarrier
# transactions from sm_90, the multicast in software from there on.
set(has_control FALSE)
set(has_multicast FALSE)
set(has_transactions FALSE)
if(number GREATER_EQUAL 90)
  set(has_transactions TRUE)
endif()
if(number GREATER_EQUAL 100)
  set(has_control TRUE)
  if(ARCH MATCHES "[af]$")
    set(has_multicast TRUE)
  endif()
endif()

compile(-ptx "compute_${ARCH}" "${WORK}/probe_${ARCH}.ptx")
file(READ "${WORK}/probe_${ARCH}.ptx" ptx)
expect("${ptx}" "clusterlaunchcontrol.try_cancel" "clusterlaunchcontrol[.]try_cancel" ${has_control})
expect("${ptx}" "its multicast form" "multicast::cluster::all" ${has_multicast})
expect("${ptx}" "the test of success" "query_cancel[.]is_canceled" ${has_control})
expect("${ptx}" "mbarrier.complete_tx" "mbarrier[.]complete_tx" ${has_transactions})
expect("${ptx}" "st.async" "st[.]async" ${has_transactions})
expect("${ptx}" "a clock in a launch that records nothing" "globaltimer" FALSE)

if(CUOBJDUMP)
  compile(-cubin "sm_${ARCH}" "${WORK}/probe_${ARCH}.cubin")
  execute_process(COMMAND "${CUOBJDUMP}" -sass "${WORK}/probe_${ARCH}.cubin"
    RESULT_VARIABLE status OUTPUT_VARIABLE sass)
  if(status EQUAL 0)
    expect("${sass}" "UGETNEXTWORKID" "UGETNEXTWORKID" ${has_control})
    expect("${sass}" "UGETNEXTWORKID.BROADCAST" "UGETNEXTWORKID[.]BROADCAST" ${has_multicast})
    message(STATUS "sm_${ARCH}: PTX and SASS are as expected")
    return()
  endif()
endif()
message(STATUS "sm_${ARCH}: PTX is as expected (SASS not looked at: no cuobjdump)")
