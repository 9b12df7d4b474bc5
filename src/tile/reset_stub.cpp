#include "tile/reset.hpp"
#include "tile/status.hpp"
namespace tensim::tile {
bool in_reset(const Devices&, CoreId) {
  return false;
}
void set_in_reset(Devices&, CoreId, bool) {}
std::uint32_t reset_pc(const Devices&, const tensix::Coprocessor&, CoreId) {
  return 0;
}
bool keeps_local_ram(const Devices&, CoreId) {
  return false;
}
}  // namespace tensim::tile
