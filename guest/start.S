# From reset to main(), and memcpy and memset, which the compiler takes for granted.
  .cfi_sections .debug_frame
  .section .start, "ax"
  .global _start
  .type _start, @function
_start:
  .cfi_startproc
  .cfi_undefined ra           # nobody called it: call stacks end here
  .option push
  .option norelax
  la gp, __global_pointer$
  .option pop
  la sp, tensim_stack_top
  la a0, tensim_data_start
  la a1, tensim_data_load
  la a2, tensim_data_end
  sub a2, a2, a0
  call memcpy
  la a0, tensim_bss_start
  li a1, 0
  la a2, tensim_bss_end
  sub a2, a2, a0
  call memset
  call main
tensim_park:                  # a program that has ended: nothing changes here, so tensim need not look
  j tensim_park
  .cfi_endproc
  .size _start, . - _start

  .text
  .weak memcpy
  .type memcpy, @function
memcpy:                       # a0 to, a1 from, a2 bytes
  .cfi_startproc
  add a2, a0, a2
  mv t0, a0
  beq t0, a2, 2f
1:
  lbu t1, 0(a1)
  addi a1, a1, 1
  addi t0, t0, 1
  sb t1, -1(t0)
  bne t0, a2, 1b
2:
  ret
  .cfi_endproc
  .size memcpy, . - memcpy

  .weak memset
  .type memset, @function
memset:                       # a0 to, a1 byte, a2 bytes
  .cfi_startproc
  add a2, a0, a2
  mv t0, a0
  beq t0, a2, 2f
1:
  sb a1, 0(t0)
  addi t0, t0, 1
  bne t0, a2, 1b
2:
  ret
  .cfi_endproc
  .size memset, . - memset
