/* Lets the T cores do the job. */
#include "job.h"
#include "tensim/reset.h"

int main(void) {
  if (!job.config_is_zero) clear_config();
  semaphore_init(SEM_MATH_PACK, job.halves, 0); /* long done when a T core gets to its first instruction */
  semaphore_init(SEM_UNPACK_SYNC, 2, 0);
  if (job.out_of_phase) push_to_thread(1, TT_OP_SETRWC(RELEASE_SRC_AB, 0, 0, 0, 0, 0xF)); /* of what nobody unpacked */
  job.packed = 0;
  store_landed(&job.packed);
  release_cores(SOFT_RESET_TRISCS);
  wait_for(&job.packed, 1);
  return 0;
}
