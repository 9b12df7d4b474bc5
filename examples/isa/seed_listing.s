# Waits as they stand in a real matmul, in the vendor's objdump form: unpack, math and pack threads.
ttstallwait 128, 1          # T0: before WRCFG, for ThCon
ttwrcfg     12, 0, 124
ttstallwait 8, 1024         # before UNPACR, for the core's configuration writes
ttstallwait 32, 6           # before ThCon, for both unpackers

ttstallwait 128, 16         # T1: before the Dst section flip, for the FPU
ttstallwait 2, 2064         # before SEMPOST, for FPU and SFPU
ttsempost   2
ttstallwait 128, 2064       # before SETC16, for FPU and SFPU
ttsemwait   322, 2, 2       # room in MATH_PACK

ttstallwait 128, 1          # T2
ttwrcfg     28, 0, 12
ttstallwait 33, 8           # for the packer
ttstallwait 128, 9
ttsemwait   1, 2, 1         # something in MATH_PACK
ttstallwait 64, 8
ttstallwait 32, 8
