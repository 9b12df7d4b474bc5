// Loads and stores of the cores as a scenario scripts them: through the address map, to what of it exists so far.
#pragma once

#include <optional>
#include <string>

#include "host/scenario.hpp"
#include "tensix/coprocessor.hpp"

namespace tensim::host {

struct AccessResult {
  enum class Status : std::uint8_t { done, retry, hangs, fault };
  Status status = Status::done;
  std::uint32_t value = 0;  // of a load
  std::string message;      // of a fault or a hang, or what the core waits for
};

/// "BRISC", "TRISC0" ...
std::string_view core_name(CoreBit core);

/// The SEMPOST or SEMGET that a store to the semaphore window amounts to.
std::optional<isa::Word> semaphore_instruction(Arch arch, const CoreAction& action);

/// The thread that a store pushes an instruction to.
std::optional<unsigned> pushed_thread(Arch arch, const CoreAction& action);

/// Origin of words that a core pushed: of no program.
inline constexpr std::uint32_t no_origin = 0x3FFF'FFFF;

/// Performs the access: a load before its cycle is stepped, so that it sees what landed in earlier ones, a store after it.
/// `retry`: the core waits and tries again.
AccessResult access(tensix::Coprocessor& coprocessor, const CoreAction& action);

}  // namespace tensim::host
