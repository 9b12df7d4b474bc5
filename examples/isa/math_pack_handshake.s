# The MATH_PACK handshake: math fills half of Dst, pack empties it, a semaphore counts the full halves.
# Math's side and pack's side, as each thread would issue them (patterns 4 and 8 of docs/hardware).

TILES = 2

# -- math (T1): wait for room, multiply, say so -----------------------------------------------------------------------
.rept TILES, tile
  SEMWAIT   block=STALL_SFPU|STALL_MATH|STALL_SYNC, sem=MATH_PACK, cond=STALL_ON_MAX
  .rept 4, row
    MVMUL   DstRow=64*tile + 8*row, AddrMod=0
  .endr
  STALLWAIT block=STALL_SYNC, cond=MATH|WAIT_SFPU
  SEMPOST   sem=MATH_PACK
.endr

# -- pack (T2): wait for a full half, pack it, give it back -----------------------------------------------------------
.rept TILES
  ttsemwait 1, t6_sem(MATH_PACK), STALL_ON_ZERO     // the vendor's form mixes freely with the named one
  ttpacr    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1
  STALLWAIT block=STALL_SYNC, cond=PACK
  SEMGET    sem=MATH_PACK
.endr
