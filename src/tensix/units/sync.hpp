// Sync Unit: mutexes and semaphores (SyncUnit.md).
#pragma once

#include <array>
#include <bit>

#include "tensix/types.hpp"

namespace tensim::tensix {

struct Semaphore {
  std::uint8_t value = 0;
  std::uint8_t max = 0;
  bool operator==(const Semaphore&) const = default;
};

struct SyncUnit {
  static constexpr std::uint8_t nobody = 0xFF;
  static constexpr std::uint8_t saturation = 15;  // errata 11: SEMPOST does not look at Max
  static constexpr unsigned mutex_slots = 8;

  std::array<Semaphore, 8> semaphores{};
  /// Owner of each mutex. Nobody at reset is an assumption (M5, errata 24).
  std::array<std::uint8_t, mutex_slots> mutex_owner = filled(nobody);
  /// Who released it last: candidates come after it in turn. At reset as if T2 had (ruling 6).
  std::array<std::uint8_t, mutex_slots> last_releaser = filled(2);

  /// False if a semaphore was at its limit, 15 or 0, and stayed there.
  bool post(std::uint8_t mask);
  bool get(std::uint8_t mask);
  void init(std::uint8_t mask, std::uint8_t value, std::uint8_t max);
  void acquire(unsigned mutex, unsigned thread) { mutex_owner[mutex] = static_cast<std::uint8_t>(thread); }
  void release(unsigned mutex, unsigned thread);

  /// SEMWAIT's keep-waiting test (W33, W34): any selected semaphore at zero, or at or above its maximum.
  bool keeps_waiting(std::uint8_t mask, std::uint8_t condition) const {
    for (unsigned left = mask; left != 0; left &= left - 1) {
      const Semaphore& semaphore = semaphores[static_cast<unsigned>(std::countr_zero(left))];
      if ((condition & 1U) != 0 && semaphore.value == 0) return true;
      if ((condition & 2U) != 0 && semaphore.value >= semaphore.max) return true;
    }
    return false;
  }

 private:
  static constexpr std::array<std::uint8_t, mutex_slots> filled(std::uint8_t value) {
    std::array<std::uint8_t, mutex_slots> all{};
    all.fill(value);
    return all;
  }
};

}  // namespace tensim::tensix
