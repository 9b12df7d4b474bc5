#include "tile/pic.hpp"

#include "tile/handlers.hpp"

namespace tensim::tile {
namespace {

// Blackhole, as words of the block.
constexpr std::uint32_t brisc_enable = 0;   // software, hardware, number of the interrupt
constexpr std::uint32_t ncrisc_enable = 3;  // the same for NC
constexpr std::uint32_t software = 6;
constexpr std::uint32_t software_count = 32;
constexpr std::uint32_t hardware = software + software_count;
constexpr std::uint32_t hardware_count = 4;

constexpr bool is_software(std::uint32_t word) {
  return word >= software && word < software + software_count;
}
constexpr bool is_read_only(std::uint32_t word) {
  return word == brisc_enable + 2 || word == ncrisc_enable + 2 ||
         (word >= hardware && word < hardware + hardware_count);
}

std::uint32_t raised(const Pic& pic) {
  std::uint32_t mask = 0;
  for (std::uint32_t i = 0; i < software_count; ++i)
    mask |= (pic.words[software + i] != 0 ? 1U : 0U) << i;
  return mask;
}

Answer load_blackhole(const Request& request) {
  std::uint32_t& word = request.devices.pic.words[request.word()];
  if (!is_software(request.word())) return done(word, watch_devices);
  const std::uint32_t value = std::exchange(word, 0U);  // reading clears
  if (value != 0) request.devices.wake(all_cores);
  return done(value, watch_time);
}

Answer store_blackhole(const Request& request) {
  if (is_read_only(request.word())) return done();  // no effect
  Pic after = request.devices.pic;
  after.words[request.word()] = request.value();
  if ((raised(after) & (after.words[brisc_enable] | after.words[ncrisc_enable])) != 0)
    return faults(AccessFault::not_modelled);
  request.devices.pic = after;
  request.devices.wake(all_cores);
  return done();
}

// Wormhole: which bits of each word can be written. Status and next interrupt read as 0: nothing is ever pending.
constexpr std::array<std::uint32_t, 13> writable{0, 0, ~0U, 0x101, 0x7F, 3, 3, 3, 3, 3, 3, 3, 3};
constexpr std::uint32_t clock_gating = 3;
constexpr std::uint32_t clock_is_running = 1U << 16U;

Answer load_wormhole(const Request& request) {
  const std::uint32_t word = request.word();
  if (word >= writable.size()) return faults(AccessFault::no_register);
  return done(request.devices.pic.words[word] | (word == clock_gating ? clock_is_running : 0U), watch_devices);
}

Answer store_wormhole(const Request& request) {
  const std::uint32_t word = request.word();
  if (word >= writable.size()) return faults(AccessFault::no_register);
  // A gated clock with nothing pending would stop NC.
  if (word == clock_gating && (request.value() & 1U) != 0 && (request.value() & 0x100U) == 0)
    return faults(AccessFault::not_modelled);
  request.devices.pic.words[word] = request.value() & writable[word];
  request.devices.wake(all_cores);
  return done();
}

}  // namespace

Answer load_pic(const Request& request) {
  return on(request.arch(), load_wormhole, load_blackhole)(request);
}
Answer store_pic(const Request& request) {
  return on(request.arch(), store_wormhole, store_blackhole)(request);
}

}  // namespace tensim::tile
