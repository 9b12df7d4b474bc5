#include "tensix/coprocessor.hpp"
#include "tensix/footprint.hpp"

namespace tensim::tensix {

/// From and to where the THCON_SEC0_REG6 settings say.
Footprint units::mover_footprint(const Coprocessor& coprocessor, const Candidate& candidate) {
  Footprint footprint;
  add_config(footprint, coprocessor, candidate.thread, 0, config_words(coprocessor.arch), false);
  footprint.updates(Resource::l1, 0, 0, whole_l1);
  return footprint;
}

}  // namespace tensim::tensix
