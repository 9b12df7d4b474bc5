#include "debug/effective_access.hpp"

#include <array>
#include <cstring>

#include "arch/sizes.hpp"
#include "riscv/core_timing.hpp"
#include "riscv/decode.hpp"
#include "riscv/engine.hpp"

namespace tensim::debug {
namespace {

using namespace tensim::literals;
using riscv::Kind;

bool is_push(const tile::Tile& tile, std::uint32_t pc) {
  const auto word = instruction_at(tile, pc);
  return word && riscv::decode(tile.arch, *word).op == riscv::Op::ttinsn;
}

}  // namespace

std::optional<riscv::Word> instruction_at(const tile::Tile& tile, std::uint32_t pc) {
  std::array<std::uint8_t, 4> bytes{};
  if (pc % 4 != 0 || !tile.read(pc, bytes.data(), bytes.size())) return std::nullopt;
  riscv::Word word = 0;
  std::memcpy(&word, bytes.data(), sizeof word);
  return word;
}

std::optional<EffectiveAccess> effective_access(const tile::Tile& tile, const riscv::Core& core) {
  const auto word = instruction_at(tile, core.pc);
  if (!word) return std::nullopt;
  const riscv::Instruction in = riscv::decode(tile.arch, *word);
  const Kind kind = riscv::kind(in.op);
  if (kind == Kind::ttinsn) {
    const Region& buffer = region_of(tile.arch, Region::Kind::instruction_buffer_own);
    return EffectiveAccess{.address = buffer.base, .bytes = 4, .stores = true};
  }
  const bool loads = kind == Kind::load || kind == Kind::float_load || kind == Kind::amo;
  const bool stores = kind == Kind::store || kind == Kind::float_store || kind == Kind::amo;
  if (!loads && !stores) return std::nullopt;
  const std::uint32_t bytes = riscv::access_bytes(in.op);
  std::uint32_t address = core.x[in.rs1] + (kind == Kind::amo ? 0U : static_cast<std::uint32_t>(in.imm));
  if (riscv::rounds_addresses_down(tile.arch)) address &= ~(bytes - 1);
  return EffectiveAccess{.address = address, .bytes = bytes, .loads = loads, .stores = stores};
}

unsigned longest_bundle(const tile::Tile& tile, const riscv::Core& core) {
  const bool may_fuse = size(tile.arch, "ttinsn_fuse_max"_size) > 1 && is_trisc(static_cast<tile::CoreId>(core.number));
  if (!may_fuse || !is_push(tile, core.pc)) return 1;
  const std::uint32_t line_end =
      (core.pc & ~(riscv::InstructionCache::line_bytes - 1)) + riscv::InstructionCache::line_bytes;
  unsigned count = 1;
  while (core.pc + 4 * count < line_end && is_push(tile, core.pc + 4 * count))
    ++count;
  return count;
}

}  // namespace tensim::debug
