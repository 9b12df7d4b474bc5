#include "tile/status.hpp"

#include "isa/decode.hpp"
#include "isa/table.hpp"
#include "tensix/frontend/words.hpp"

namespace tensim::tile {
namespace {

using isa::Unit;
using namespace isa::literals;

// Instruction types, a bit each (CSRs.md).
enum Type : std::uint32_t {
  replay = 1U << 0,
  mop = 1U << 1,
  scalar = 1U << 2,
  mover = 1U << 3,
  unpacker = 1U << 4,
  packer = 1U << 5,
  configuration = 1U << 6,
  sync = 1U << 7,
  tdma = 1U << 8,  // Miscellaneous Unit, mover, Scalar Unit, packer or unpacker
  vector = 1U << 9,
  matrix = 1U << 10,
};
constexpr unsigned type_bits = 11;

std::uint32_t types_of(Unit unit) {
  switch (unit) {
    case Unit::frontend: return 0;
    case Unit::sync: return sync;
    case Unit::unpackers: return unpacker | tdma;
    case Unit::matrix: return matrix;
    case Unit::packers: return packer | tdma;
    case Unit::vector: return vector;
    case Unit::scalar: return scalar | tdma;
    case Unit::configuration: return configuration;
    case Unit::mover: return mover | tdma;
    case Unit::miscellaneous: return tdma;
  }
  return 0;
}

/// REPLAY counts if it plays: Exec set, or Load clear.
std::uint32_t types_of(Arch arch, isa::Word word) {
  if (isa::opcode_of(word) == "MOP"_op) return mop;
  if (isa::opcode_of(word) == "REPLAY"_op) {
    using namespace tensix::frontend_words;
    return replay_exec.get(word) != 0 || replay_load.get(word) == 0 ? replay : 0U;
  }
  const isa::Decoded decoded = isa::decode(arch, word);
  return decoded.form == nullptr ? 0U : types_of(decoded.form->unit);
}

std::uint32_t queued(const tensix::Coprocessor& coprocessor, unsigned thread) {
  std::uint32_t types = 0;
  coprocessor.frontends[thread].for_each_pushed(
      [&](const tensix::Entry& entry) { types |= types_of(coprocessor.arch, entry.word); });
  return types;
}

std::uint32_t busy(const tensix::Coprocessor& coprocessor, unsigned thread) {
  std::uint32_t types = queued(coprocessor, thread);
  coprocessor.in_flight.for_each([&](const tensix::Record& record) {
    if (record.thread == thread) types |= types_of(coprocessor.arch, record.word);
  });
  return types;
}

template <class Types>
std::uint32_t of_all(const tensix::Coprocessor& coprocessor, Types types) {
  std::uint32_t all = 0;
  for (unsigned thread = 0; thread < tensix::thread_count; ++thread)
    all |= types(coprocessor, thread);
  return all;
}

}  // namespace

/// sfpu_cc, bits 11 and 24, reads as a lane being enabled until the Vector Unit has lanes.
std::uint32_t queue_status(const tensix::Coprocessor& coprocessor, CoreId core) {
  constexpr std::uint32_t some_lane_enabled = 1U << 11U | 1U << 24U;
  const std::uint32_t all = of_all(coprocessor, queued);
  const std::uint32_t own = is_trisc(core) ? queued(coprocessor, thread_of(core)) : all;
  return own | all << 13U | some_lane_enabled;
}

std::uint32_t busy_status(const tensix::Coprocessor& coprocessor, CoreId core) {
  const std::uint32_t all = of_all(coprocessor, busy);
  const std::uint32_t own = is_trisc(core) ? busy(coprocessor, thread_of(core)) : all;
  return own | all << type_bits;
}

}  // namespace tensim::tile
