# SPDX-License-Identifier: BSL-1.0
# -DSONDE_PROGRAMS=ON: Meson is configured, built and installed by CMake, with its compiler, MPI library and folders. It
# installs the headers and the programs.
set(SONDE_MESON_OPTIONS "" CACHE STRING "further options of Meson: -Dinstall_suites=disabled;-Dcuda=enabled")
find_program(SONDE_MESON meson)
if(NOT SONDE_MESON)
  message(FATAL_ERROR "SONDE_PROGRAMS needs Meson, which builds the programs")
endif()
set(sonde_compiler "CXX=${CMAKE_CXX_COMPILER}")
if(MPI_CXX_COMPILER)
  set(sonde_compiler "CXX=${MPI_CXX_COMPILER}" "OMPI_CXX=${CMAKE_CXX_COMPILER}" "MPICH_CXX=${CMAKE_CXX_COMPILER}")
endif()
set(sonde_folders)
foreach(kind bin data include lib libexec man)
  string(TOUPPER ${kind} name)
  list(APPEND sonde_folders "--${kind}dir=${CMAKE_INSTALL_${name}DIR}")
endforeach()
set(sonde_libsonde disabled)
if(SONDE_C)
  set(sonde_libsonde enabled)
endif()
set(sonde_build "${CMAKE_CURRENT_BINARY_DIR}/programs")
execute_process(RESULT_VARIABLE sonde_failed
  COMMAND "${CMAKE_COMMAND}" -E env ${sonde_compiler} "${CMAKE_CURRENT_SOURCE_DIR}/scripts/configure.sh" "${sonde_build}"
    "--prefix=${CMAKE_INSTALL_PREFIX}" ${sonde_folders} -Dbuildtype=release -Ddebug=false
    -Dinstall_tools=enabled -Dinstall_suites=enabled -Dc=${sonde_libsonde} -Dpython=disabled -Djava=disabled ${SONDE_MESON_OPTIONS})
if(sonde_failed)
  message(FATAL_ERROR "Meson cannot configure the programs: see above")
endif()
add_custom_target(sonde_programs ALL COMMAND "${SONDE_MESON}" compile -C "${sonde_build}" USES_TERMINAL)
install(CODE "
  if(NOT CMAKE_INSTALL_PREFIX STREQUAL \"${CMAKE_INSTALL_PREFIX}\")
    execute_process(COMMAND \"${SONDE_MESON}\" configure \"${sonde_build}\" \"-Dprefix=\${CMAKE_INSTALL_PREFIX}\")
  endif()
  execute_process(COMMAND \"${SONDE_MESON}\" install -C \"${sonde_build}\" RESULT_VARIABLE failed)
  if(failed)
    message(FATAL_ERROR \"Meson cannot install the programs: see above\")
  endif()")
