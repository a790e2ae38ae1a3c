# SPDX-License-Identifier: BSL-1.0
# sonde_install_pkg_config(NAME FOLDER IN): installs FOLDER/NAME.pc, which is made of IN where it is installed, because
# `cmake --install --prefix` may give another prefix. A folder of the installation may be absolute, and have spaces.
function(sonde_install_pkg_config name folder in)
  set(code "set(version [[${version}]])\nstring(REPLACE [[ ]] [[\\ ]] prefix \"\${CMAKE_INSTALL_PREFIX}\")\n")
  foreach(kind INCLUDE LIB DATA)
    set(place "${CMAKE_INSTALL_${kind}DIR}")
    if(NOT IS_ABSOLUTE "${place}")
      set(place "\${prefix}/${place}")
    endif()
    string(REPLACE " " "\\ " place "${place}")
    string(APPEND code "set(${kind}DIR [[${place}]])\n")
  endforeach()
  set(out "${CMAKE_CURRENT_BINARY_DIR}/${name}.pc")
  install(CODE "${code}configure_file([[${in}]] [[${out}]] @ONLY)")
  install(FILES "${out}" DESTINATION "${folder}/pkgconfig")
endfunction()
