# tensim_guest(name core arch sources...) compiles a program for a core: ${TENSIM_GUEST_OUTPUT}/<arch>/<name>.elf, by the
# rule that README.md gives. The caller has TENSIM_GUEST_COMPILER, and gathers what it got from TENSIM_GUEST_PROGRAMS.
set(TENSIM_GUEST_DIRECTORY ${CMAKE_CURRENT_LIST_DIR})
file(GLOB TENSIM_GUEST_PARTS CONFIGURE_DEPENDS
  ${TENSIM_GUEST_DIRECTORY}/include/tensim/*.h ${TENSIM_GUEST_DIRECTORY}/ld/*.ld ${TENSIM_GUEST_DIRECTORY}/start.S)
set(TENSIM_GUEST_HEADERS ${CMAKE_BINARY_DIR}/guest)

# Once, whoever includes this first.
get_property(has_rules GLOBAL PROPERTY TENSIM_GUEST_HEADER_RULES)
set_property(GLOBAL PROPERTY TENSIM_GUEST_HEADER_RULES ON)
set(archs_without_rules wormhole blackhole)
if(has_rules)
  set(archs_without_rules)
endif()
foreach(arch ${archs_without_rules})
  add_custom_command(OUTPUT ${TENSIM_GUEST_HEADERS}/${arch}/tensim/tensix_instructions.h
    COMMAND ${CMAKE_COMMAND} -E make_directory ${TENSIM_GUEST_HEADERS}/${arch}/tensim
    COMMAND tensim_command header --arch ${arch} > ${TENSIM_GUEST_HEADERS}/${arch}/tensim/tensix_instructions.h
    DEPENDS tensim_command)
  add_custom_command(OUTPUT ${TENSIM_GUEST_HEADERS}/${arch}/tensim/noc_registers.h
    COMMAND ${CMAKE_COMMAND} -E make_directory ${TENSIM_GUEST_HEADERS}/${arch}/tensim
    COMMAND tensim_command header --noc --arch ${arch} > ${TENSIM_GUEST_HEADERS}/${arch}/tensim/noc_registers.h
    DEPENDS tensim_command)
endforeach()

function(tensim_guest name core arch)
  set(output ${TENSIM_GUEST_OUTPUT}/${arch}/${name}.elf)
  get_filename_component(directory ${output} DIRECTORY)
  list(GET ARGN 0 first)
  get_filename_component(sources ${first} DIRECTORY)
  file(GLOB headers CONFIGURE_DEPENDS ${sources}/*.h)
  add_custom_command(OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${directory}
    COMMAND ${TENSIM_GUEST_COMPILER} -march=rv32im -mabi=ilp32 -nostdlib -ffreestanding -g -O2
      -Wall -Wextra -Wshadow ${tensim_werror} ${TENSIM_GUEST_OPTIONS}
      -I ${TENSIM_GUEST_DIRECTORY}/include -I ${TENSIM_GUEST_HEADERS}/${arch}
      -L ${TENSIM_GUEST_DIRECTORY}/ld -T ${arch}_${core}.ld
      ${TENSIM_GUEST_DIRECTORY}/start.S ${ARGN} -o ${output}
    DEPENDS ${ARGN} ${headers} ${TENSIM_GUEST_PARTS} ${TENSIM_GUEST_HEADERS}/${arch}/tensim/tensix_instructions.h
      ${TENSIM_GUEST_HEADERS}/${arch}/tensim/noc_registers.h
    VERBATIM)
  set(TENSIM_GUEST_PROGRAMS ${TENSIM_GUEST_PROGRAMS} ${output} PARENT_SCOPE)
endfunction()
