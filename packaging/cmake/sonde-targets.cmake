# SPDX-License-Identifier: BSL-1.0
# sonde::sonde       the headers in sonde_include_dir
# sonde::mpi         these, with the MPI library that CMake finds; sonde_mpi_FOUND says whether it found one
# sonde::compiled, sonde::mpi_compiled
#                    the same, with the non-template functions compiled once, in a static library
# sonde_scope        GLOBAL where the targets are for a parent directory, too
if(NOT TARGET sonde::sonde)
  add_library(sonde::sonde INTERFACE IMPORTED ${sonde_scope})
  target_include_directories(sonde::sonde INTERFACE "${sonde_include_dir}")
  target_compile_features(sonde::sonde INTERFACE cxx_std_20)
endif()

if(NOT TARGET MPI::MPI_CXX)
  find_package(MPI QUIET COMPONENTS CXX)
  if(sonde_scope AND TARGET MPI::MPI_CXX)
    set_target_properties(MPI::MPI_CXX PROPERTIES IMPORTED_GLOBAL TRUE)
  endif()
endif()
# A group's watchdog is a thread; with a C library older than glibc 2.34 that is a library of its own.
find_package(Threads QUIET)
set(sonde_mpi_FOUND FALSE)
set(sonde_mpi_missing "CMake finds no MPI library for C++: install one, or set MPI_CXX_COMPILER to its compiler")
set(sonde_mpi_library "MPI::MPI_CXX (${sonde_mpi_missing})")
if(TARGET MPI::MPI_CXX)
  set(sonde_mpi_FOUND TRUE)
  set(sonde_mpi_library MPI::MPI_CXX)
endif()
if(NOT TARGET sonde::mpi)
  add_library(sonde::mpi INTERFACE IMPORTED ${sonde_scope})
  # Without MPI, only a target that links sonde::mpi is an error, which quotes the name above.
  target_link_libraries(sonde::mpi INTERFACE sonde::sonde "${sonde_mpi_library}" ${CMAKE_THREAD_LIBS_INIT})
  target_compile_definitions(sonde::mpi INTERFACE OMPI_SKIP_MPICXX MPICH_SKIP_MPICXX)
endif()

# sonde_compiled_library NAME SOURCE LIBRARY...: built where it is linked; a project in C has none.
function(sonde_compiled_library name source)
  get_property(languages GLOBAL PROPERTY ENABLED_LANGUAGES)
  if("CXX" IN_LIST languages AND NOT TARGET sonde_${name})
    add_library(sonde_${name} STATIC EXCLUDE_FROM_ALL "${sonde_include_dir}/sonde/${source}")
    add_library(sonde::${name} ALIAS sonde_${name})
    target_compile_definitions(sonde_${name} PUBLIC SONDE_COMPILED)
    target_link_libraries(sonde_${name} PUBLIC ${ARGN})
  endif()
endfunction()
sonde_compiled_library(compiled compiled.cpp sonde::sonde ${CMAKE_THREAD_LIBS_INIT})
if(sonde_mpi_FOUND)
  sonde_compiled_library(mpi_compiled mpi/compiled.cpp sonde::mpi sonde_compiled)
endif()
