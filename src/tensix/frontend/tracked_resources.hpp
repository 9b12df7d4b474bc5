// What Blackhole's Auto TTSync keeps in order between a T core and its thread: eight resources, which of them each class
// of instructions reads and writes, and which of them an address of the core belongs to (BabyRISCV/AutoTTSync.md; the
// encoding of RESOURCEDECL is assembly.yaml's). Nothing finer is tracked: no single GPR, no single field.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include "arch/arch.hpp"
#include "tensix/types.hpp"

namespace tensim::tensix {

/// A bit each: three parts of Config[0], three of Config[1], the thread's GPRs, the state of TDMA-RISC.
using ResourceSet = std::uint8_t;

namespace resources {
inline constexpr ResourceSet none = 0;
// Parts of a bank of Config, as bank 0 has them.
inline constexpr ResourceSet unpacker0 = 1U << 0U;
inline constexpr ResourceSet unpacker1 = 1U << 1U;
inline constexpr ResourceSet remainder = 1U << 2U;
inline constexpr ResourceSet all_parts = unpacker0 | unpacker1 | remainder;
inline constexpr unsigned part_count = 3;
constexpr ResourceSet config(unsigned bank, ResourceSet parts) {
  return static_cast<ResourceSet>(parts << (bank * part_count));
}
constexpr ResourceSet both_banks(ResourceSet parts) {
  return static_cast<ResourceSet>(config(0, parts) | config(1, parts));
}
inline constexpr ResourceSet gprs = 1U << 6U;
inline constexpr ResourceSet tdma_risc = 1U << 7U;
inline constexpr unsigned count = 8;
}  // namespace resources

/// "GPRs", "Config[0] unpacker 1, TDMA-RISC" ...
std::string to_text(ResourceSet set);

struct ResourceUse {
  ResourceSet reads = resources::none;
  ResourceSet writes = resources::none;

  constexpr ResourceSet any() const { return reads | writes; }
  constexpr bool operator==(const ResourceUse&) const = default;
};

// ---- Instructions ----

inline constexpr std::size_t instruction_class_count = 16;
inline constexpr std::uint8_t no_instruction_class =
    instruction_class_count;  // NOP, MOP_CFG, RESOURCEDECL: use nothing

/// The class of an instruction: fixed, by opcode.
std::uint8_t instruction_class(Word word);

/// What a class is said to use; RESOURCEDECL replaces it.
struct Declaration {
  std::uint16_t resources = 0;  // as in RESOURCEDECL
  std::uint8_t linger = 0;      // goes into a shift register while an instruction of the class is held

  constexpr bool operator==(const Declaration&) const = default;
};
using Declarations = std::array<Declaration, instruction_class_count>;

/// What holds after reset, with the linger time of every class.
Declarations default_declarations(std::uint8_t linger);

/// Replaces the entry that a RESOURCEDECL names.
void declare(Declarations& declarations, Word resourcedecl);

/// What an instruction uses. `bank`: CFG_STATE_ID_StateID, `subdivided`: EnSubdividedCfgForUnpacr.
ResourceUse resource_use(const Declarations& declarations, Word word, unsigned bank, bool subdivided);

// ---- Addresses ----

/// ThreadConfig TENSIX_TRISC_SYNC: what of the mechanism is on. All off after reset, and always on Wormhole.
struct TtSyncEnables {
  bool global_cfg = false;
  bool subdivided_cfg = false;
  bool gprs = false;
  bool tdma_regs = false;
  bool tensix_instructions = false;

  static TtSyncEnables from_word(std::uint16_t word);
  /// Instructions and at least one kind of accesses are tracked: otherwise nothing ever waits.
  constexpr bool tracks_anything() const { return tensix_instructions && (global_cfg || gprs || tdma_regs); }
  constexpr bool operator==(const TtSyncEnables&) const = default;
};

/// The windows of a T core's address space that are tracked.
enum class TrackedRegion : std::uint8_t { gprs, tdma_risc, config };

/// The resources that an access of a T core `offset` bytes into the region counts for.
ResourceSet resources_of_access(Arch arch, const TtSyncEnables& enables, TrackedRegion region, std::uint32_t offset);

}  // namespace tensim::tensix
