// Sync Unit: mutexes and semaphores (SyncUnit.md).
#pragma once

#include <array>
#include <bit>

#include "arch/sizes.hpp"
#include "tensix/types.hpp"

namespace tensim::tensix {

struct Semaphore {
  std::uint8_t value = 0;
  std::uint8_t max = 0;
  bool operator==(const Semaphore&) const = default;
};

/// States of the eight semaphores that a SEMWAIT can wait for to end, a bit each: at zero, and from bit 8 on at or above
/// the maximum.
using SemaphoreStates = std::uint16_t;
inline constexpr unsigned at_maximum_shift = 8;

/// What keeps a SEMWAIT waiting (W33, W34): the semaphores of `mask`, at zero if bit 0 of `condition` is set, at their
/// maximum if bit 1 is.
constexpr SemaphoreStates awaited_states(unsigned mask, unsigned condition) {
  return static_cast<SemaphoreStates>(((condition & 1U) | (condition & 2U) << (at_maximum_shift - 1U)) * mask);
}

struct SyncUnit {
  static constexpr std::uint8_t nobody = 0xFF;
  static constexpr std::uint8_t saturation =
      size_of_both("semaphore_saturation"_size);  // errata 11: SEMPOST does not look at Max
  static constexpr unsigned mutex_slots = 8;

  /// Owner of each mutex. Nobody at reset is an assumption (M5, errata 24).
  std::array<std::uint8_t, mutex_slots> mutex_owner = filled(nobody);
  /// Who released it last: candidates come after it in turn. At reset as if T2 had (ruling 6).
  std::array<std::uint8_t, mutex_slots> last_releaser = filled(2);

  const std::array<Semaphore, 8>& semaphores() const { return semaphores_; }
  void set_semaphore(unsigned index, const Semaphore& semaphore);
  void init(std::uint8_t mask, std::uint8_t value, std::uint8_t max);

  /// Those that were at their limit, 15 or 0, and stayed there: a bit each.
  std::uint8_t post(std::uint8_t mask) {
    unsigned lost = 0;
    states_ &= static_cast<SemaphoreStates>(~unsigned{mask});
    for (unsigned left = mask; left != 0; left &= left - 1) {
      const auto index = static_cast<unsigned>(std::countr_zero(left));
      Semaphore& semaphore = semaphores_[index];
      if (semaphore.value < saturation)
        ++semaphore.value;
      else
        lost |= 1U << index;
      if (semaphore.value >= semaphore.max) states_ |= at_maximum(index);
    }
    return static_cast<std::uint8_t>(lost);
  }
  std::uint8_t get(std::uint8_t mask) {
    unsigned lost = 0;
    for (unsigned left = mask; left != 0; left &= left - 1) {
      const auto index = static_cast<unsigned>(std::countr_zero(left));
      Semaphore& semaphore = semaphores_[index];
      if (semaphore.value > 0)
        --semaphore.value;
      else
        lost |= 1U << index;
      if (semaphore.value == 0) states_ |= at_zero(index);
      if (semaphore.value < semaphore.max) states_ &= static_cast<SemaphoreStates>(~unsigned{at_maximum(index)});
    }
    return static_cast<std::uint8_t>(lost);
  }
  void acquire(unsigned mutex, unsigned thread) { mutex_owner[mutex] = static_cast<std::uint8_t>(thread); }
  void release(unsigned mutex, unsigned thread);

  /// SEMWAIT's keep-waiting test: any of these states is that of its semaphore.
  bool keeps_waiting(SemaphoreStates awaited) const { return (states_ & awaited) != 0; }

 private:
  static constexpr SemaphoreStates at_zero(unsigned index) { return static_cast<SemaphoreStates>(1U << index); }
  static constexpr SemaphoreStates at_maximum(unsigned index) {
    return static_cast<SemaphoreStates>(1U << (index + at_maximum_shift));
  }
  static constexpr std::array<std::uint8_t, mutex_slots> filled(std::uint8_t value) {
    std::array<std::uint8_t, mutex_slots> all{};
    all.fill(value);
    return all;
  }

  std::array<Semaphore, 8> semaphores_{};
  SemaphoreStates states_ = 0xFFFF;  // of semaphores_: written with them, so that nobody has to look at each
};

}  // namespace tensim::tensix
