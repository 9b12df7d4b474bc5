// Cores that load and store whatever a test says, in the order of a cycle: loads, the coprocessor's step, stores.
#pragma once

#include <gtest/gtest.h>

#include "report/accesses.hpp"
#include "tests/support/three_threads.hpp"
#include "tile/devices.hpp"

namespace tensim::test {

using tile::AccessFault;
using tile::Answer;
using tile::CoreId;
using tile::Wait;

inline constexpr std::array t_core_ids{CoreId::trisc0, CoreId::trisc1, CoreId::trisc2};
inline constexpr std::array b_and_t_core_ids{CoreId::brisc, CoreId::trisc0, CoreId::trisc1, CoreId::trisc2};

struct CoreAccesses {
  explicit CoreAccesses(Arch arch) : coprocessor(arch), devices(arch) {}

  Answer load(CoreId core, std::uint32_t address, unsigned size = 4) {
    return tile::load(
        devices, coprocessor,
        {.core = core, .size_bytes = static_cast<std::uint8_t>(size), .address = address, .cycle = coprocessor.now});
  }
  /// A store of the last cycle stepped; of cycle 0, if none has been.
  Answer store(CoreId core, std::uint32_t address, std::uint32_t value, unsigned size = 4) {
    if (coprocessor.now == 0) coprocessor.step();
    return tile::store(devices, coprocessor,
                       {.core = core,
                        .is_store = true,
                        .size_bytes = static_cast<std::uint8_t>(size),
                        .address = address,
                        .value = value,
                        .cycle = coprocessor.now - 1});
  }
  /// Why a store, or a load, fails.
  std::string store_fault(CoreId core, std::uint32_t address) {
    const Answer answer = store(core, address, 1);
    return report::describe(answer.fault, {.core = core, .is_store = true, .address = address}, answer.region);
  }
  std::string load_fault(CoreId core, std::uint32_t address) {
    const Answer answer = load(core, address);
    return report::describe(answer.fault, {.core = core, .address = address}, answer.region);
  }
  void step(unsigned cycles = 1) {
    for (unsigned i = 0; i < cycles; ++i)
      coprocessor.step();
  }
  /// The value of a load that must be answered at once.
  std::uint32_t value(CoreId core, std::uint32_t address, unsigned size = 4) {
    const Answer answer = load(core, address, size);
    EXPECT_TRUE(answer.is_done()) << name(core) << std::hex << " loads from " << address;
    return answer.value;
  }
  /// The cores woken since it was last asked.
  std::uint8_t woken() { return std::exchange(devices.woken, std::uint8_t{0}); }

  tensix::Coprocessor coprocessor;
  tile::Devices devices;
};

}  // namespace tensim::test
