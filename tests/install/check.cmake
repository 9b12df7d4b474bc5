# What is installed can be used: every header compiles by itself, nothing internal is among them, and a program in C can be
# linked with the library and runs. cmake -D BUILD=DIR -D PREFIX=DIR -D C_COMPILER=cc -D LINK=ON|OFF -P check.cmake
file(REMOVE_RECURSE ${PREFIX})
execute_process(COMMAND ${CMAKE_COMMAND} --install ${BUILD} --prefix ${PREFIX} OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)

file(GLOB_RECURSE headers ${PREFIX}/include/*)
if(NOT headers)
  message(FATAL_ERROR "no header is installed")
endif()
foreach(header IN LISTS headers)
  execute_process(COMMAND ${C_COMPILER} -std=c99 -pedantic -Wall -Wextra -Werror -fsyntax-only -x c -I ${PREFIX}/include
    ${header} COMMAND_ERROR_IS_FATAL ANY)
endforeach()

file(GLOB_RECURSE archives ${PREFIX}/*.a)
if(archives)
  message(FATAL_ERROR "an internal library is installed: ${archives}")
endif()

# A library with sanitizers wants a program that has them too.
if(LINK)
  execute_process(COMMAND ${C_COMPILER} -std=c99 -pedantic -Wall -Wextra -Werror -I ${PREFIX}/include
    ${CMAKE_CURRENT_LIST_DIR}/program.c -o ${PREFIX}/program -L ${PREFIX}/lib -ltensim_c -Wl,-rpath,${PREFIX}/lib
    COMMAND_ERROR_IS_FATAL ANY)
  execute_process(COMMAND ${PREFIX}/program OUTPUT_VARIABLE outcome COMMAND_ERROR_IS_FATAL ANY)
  if(NOT outcome STREQUAL "1\n")
    message(FATAL_ERROR "the run has not finished: outcome ${outcome}")
  endif()
endif()
file(REMOVE_RECURSE ${PREFIX})
