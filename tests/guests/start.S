# Start-up code as firmware has it: no size, nobody to return to.
  .section .text.start, "ax"
  .globl _start
_start:
  .cfi_startproc
  .cfi_undefined ra
  lui sp, %hi(0x20000)
  call main
1:
  j 1b
  .cfi_endproc
