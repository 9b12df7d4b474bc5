#include "tensix/frontend/tracked_resources.hpp"

#include <string_view>

#include "arch/sizes.hpp"
#include "arch/timing.hpp"
#include "isa/table.hpp"
#include "tensix/registers/config.hpp"
#include "tensix/units/unpackers/words.hpp"

namespace tensim::tensix {
namespace {

using namespace isa::literals;
using namespace tensim::literals;
using namespace resources;

// ---- Instructions ----

constexpr isa::Field linger_time = field_of(Arch::blackhole, "RESOURCEDECL", "", "LingerTime");
constexpr isa::Field declared_resources = field_of(Arch::blackhole, "RESOURCEDECL", "", "Resources");
constexpr isa::Field op_class = field_of(Arch::blackhole, "RESOURCEDECL", "", "OpClass");
static_assert(op_class.max() < instruction_class_count);

// Bits of RESOURCEDECL's Resources.
constexpr unsigned reads_config = 1U << 0U;
constexpr unsigned writes_config = 1U << 1U;
constexpr unsigned config_parts_shift = 2;  // unpacker 0, unpacker 1, remainder
constexpr unsigned reads_gprs = 1U << 5U;
constexpr unsigned writes_gprs = 1U << 6U;
constexpr unsigned reads_tdma = 1U << 7U;
constexpr unsigned writes_tdma = 1U << 8U;
constexpr unsigned rw_config = reads_config | writes_config;
constexpr unsigned rw_gprs = reads_gprs | writes_gprs;
constexpr unsigned rw_tdma = reads_tdma | writes_tdma;
constexpr unsigned whole_bank = unsigned{all_parts} << config_parts_shift;
constexpr unsigned rest_of_bank = unsigned{remainder} << config_parts_shift;

struct ClassRow {
  std::uint16_t resources;
  std::array<std::uint8_t, 7> opcodes;  // the rest is 0, which is no instruction
};

constexpr unsigned unpack_class = 11;
constexpr unsigned other_class = 15;

/// By class number. The last is everything that no other row names: RMWCIB and SETC16 too, though they write.
constexpr std::array<ClassRow, instruction_class_count> class_rows{{
    {rw_gprs,
     {"ADDDMAREG"_op, "SUBDMAREG"_op, "MULDMAREG"_op, "BITWOPDMAREG"_op, "SHIFTDMAREG"_op, "CMPDMAREG"_op,
      "SETDMAREG"_op}},
    {rw_gprs, {"ATINCGET"_op, "ATINCGETPTR"_op, "ATSWAP"_op, "ATCAS"_op}},
    {rw_gprs | rw_tdma, {"REG2FLOP"_op}},
    {rw_gprs, {"LOADIND"_op, "STOREIND"_op}},
    {rw_config | whole_bank, {"STREAMWRCFG"_op, "CFGSHIFTMASK"_op}},
    {reads_gprs, {"STOREREG"_op}},
    {writes_gprs, {"LOADREG"_op}},
    {writes_tdma, {"FLUSHDMA"_op}},
    {reads_gprs | writes_config | whole_bank, {"WRCFG"_op}},
    {writes_gprs | reads_config | whole_bank, {"RDCFG"_op}},
    {rw_gprs | rw_config | whole_bank, {"XMOV"_op}},
    {rw_tdma | reads_config | whole_bank, {"UNPACR"_op, "UNPACR_NOP"_op}},
    {rw_tdma | reads_config | rest_of_bank, {"PACR"_op}},
    {rw_gprs | rw_tdma | rw_config | whole_bank, {"MOP"_op}},
    {rw_gprs | rw_tdma | rw_config | whole_bank, {"REPLAY"_op}},
    {reads_config | rest_of_bank, {}},
}};

consteval std::array<std::uint8_t, 256> make_class_of() {
  std::array<std::uint8_t, 256> class_of{};
  class_of.fill(other_class);
  for (std::size_t number = 0; number < class_rows.size(); ++number)
    for (const std::uint8_t opcode : class_rows[number].opcodes)
      if (opcode != 0) class_of[opcode] = static_cast<std::uint8_t>(number);
  class_of["NOP"_op] = class_of["MOP_CFG"_op] = class_of["RESOURCEDECL"_op] = no_instruction_class;
  return class_of;
}
constexpr std::array class_of = make_class_of();

ResourceUse use_of(unsigned declared, unsigned bank) {
  const ResourceSet parts = config(bank, static_cast<ResourceSet>(declared >> config_parts_shift & all_parts));
  const auto set_if = [declared](unsigned bit, ResourceSet set) { return (declared & bit) != 0 ? set : none; };
  return {.reads = static_cast<ResourceSet>(set_if(reads_config, parts) | set_if(reads_gprs, gprs) |
                                            set_if(reads_tdma, tdma_risc)),
          .writes = static_cast<ResourceSet>(set_if(writes_config, parts) | set_if(writes_gprs, gprs) |
                                             set_if(writes_tdma, tdma_risc))};
}

// ---- Addresses ----

/// Words of Config that do not belong to the remainder alone, by the fields in them (addresses from ttsim's
/// tensix_regs.json). The page knows that this is not always what the unpackers read.
struct ConfigPartRow {
  std::string_view fields;
  std::uint8_t first;
  std::uint8_t count;
  ResourceSet parts;
};

constexpr std::array config_part_rows{
    ConfigPartRow{"UNP0_ADDR_CTRL_XY_REG_0", 44, 1, unpacker0},
    ConfigPartRow{"UNP0_ADDR_CTRL_ZW_REG_0", 45, 1, unpacker0 | unpacker1},
    ConfigPartRow{"UNP1_ADDR_CTRL_XY_REG_0, _ZW_REG_0", 46, 2, unpacker1},
    ConfigPartRow{"UNP0_ADDR_BASE_REG_0, _1", 48, 2, all_parts},
    ConfigPartRow{"UNP0_FORCED_SHARED_EXP, UNP0_ADD_DEST_ADDR_CNTR", 50, 1, all_parts},
    ConfigPartRow{"UNP0_BLOBS_Y_START_CNTX_01, _23, UNP0_NOP_REG_CLR_VAL", 51, 3, unpacker0},
    ConfigPartRow{"UNP1_ADDR_CTRL_XY_REG_1, _ZW_REG_1", 58, 2, unpacker1},
    ConfigPartRow{"UNP1_ADDR_BASE_REG_0, _1", 60, 2, unpacker1},
    ConfigPartRow{"UNP1_FORCED_SHARED_EXP, UNP1_ADD_DEST_ADDR_CNTR", 62, 1, unpacker1},
    ConfigPartRow{"UNP1_NOP_REG_CLR_VAL", 63, 1, unpacker1},
    // Of the four words of a TileDescriptor only the first is the unpacker's: a hardware bug.
    ConfigPartRow{"THCON_SEC0_REG0_TileDescriptor", 64, 1, unpacker0},
    ConfigPartRow{"THCON_SEC0_REG2 to REG5", 72, 16, unpacker0},
    ConfigPartRow{"THCON_SEC0_REG7", 92, 4, unpacker0},
    ConfigPartRow{"THCON_SEC0_REG10_Unpack_limit_address, _fifo_size, _limit_address_en", 104, 2, unpacker0},
    ConfigPartRow{"THCON_SEC1_REG0_TileDescriptor", 112, 1, unpacker1},
    ConfigPartRow{"THCON_SEC1_REG2, without Unpack_limit_address and Unpack_fifo_size", 120, 2, unpacker1},
    ConfigPartRow{"THCON_SEC1_REG3_Base_address, _Base_cntx1_address", 124, 2, unpacker1},
    ConfigPartRow{"THCON_SEC1_REG7, contexts 0, 1, 4 and 5", 140, 2, unpacker1},
};

ResourceSet parts_of_word(unsigned word) {
  for (const ConfigPartRow& row : config_part_rows)
    if (word - row.first < row.count) return row.parts;
  return remainder;
}

ResourceSet resources_of_config(Arch arch, bool subdivided, std::uint32_t offset) {
  const auto location = locate_config(arch, offset);
  if (!location) return none;
  const ResourceSet unnamed = both_banks(subdivided ? remainder : all_parts);
  switch (location->space) {
    case ConfigLocation::Space::config:
      if (location->word >= config_global_base(arch)) return unnamed;
      return config(location->index, subdivided ? parts_of_word(location->word) : all_parts);
    case ConfigLocation::Space::thread_config:
      // Only thread 0's, whichever core asks.
      if (subdivided && location->index == 0 &&
          location->word == "DEST_TARGET_REG_CFG_MATH_Offset"_thread_config.on(arch).word)
        return both_banks(unpacker0 | unpacker1);
      return unnamed;
    case ConfigLocation::Space::dual_write:
    case ConfigLocation::Space::padding: return unnamed;
  }
  return none;
}

}  // namespace

std::string to_text(ResourceSet set) {
  constexpr std::array<std::string_view, larger_size("auto_ttsync_resources"_size)> names{"Config[0] unpacker 0",
                                                                                          "Config[0] unpacker 1",
                                                                                          "Config[0] remainder",
                                                                                          "Config[1] unpacker 0",
                                                                                          "Config[1] unpacker 1",
                                                                                          "Config[1] remainder",
                                                                                          "GPRs",
                                                                                          "TDMA-RISC"};
  std::string text;
  for (unsigned bit = 0; bit < names.size(); ++bit)
    if ((set >> bit & 1U) != 0) text.append(text.empty() ? "" : ", ").append(names[bit]);
  return text;
}

std::uint8_t instruction_class(Word word) {
  return class_of[isa::opcode_of(word)];
}

Declarations default_declarations(std::uint8_t linger) {
  Declarations declarations;
  for (std::size_t number = 0; number < declarations.size(); ++number)
    declarations[number] = {.resources = class_rows[number].resources, .linger = linger};
  return declarations;
}

void declare(Declarations& declarations, Word resourcedecl) {
  declarations[op_class.get(resourcedecl)] = {static_cast<std::uint16_t>(declared_resources.get(resourcedecl)),
                                              static_cast<std::uint8_t>(linger_time.get(resourcedecl))};
}

ResourceUse resource_use(const Declarations& declarations, Word word, unsigned bank, bool subdivided) {
  const std::uint8_t number = instruction_class(word);
  if (number == no_instruction_class) return {};
  unsigned declared = declarations[number].resources;
  if (number == unpack_class && subdivided) {
    // The word knows better than any declaration which unpacker it is for.
    const ResourceSet part = units::unpacker_of(word) == 0 ? unpacker0 : unpacker1;
    declared = (declared & ~whole_bank) | unsigned{part} << config_parts_shift;
  }
  return use_of(declared, bank);
}

TtSyncEnables TtSyncEnables::from_word(std::uint16_t word) {
  return {.global_cfg = "TENSIX_TRISC_SYNC_TrackGlobalCfg"_thread_config.blackhole.get(word) != 0,
          .subdivided_cfg = "TENSIX_TRISC_SYNC_EnSubdividedCfgForUnpacr"_thread_config.blackhole.get(word) != 0,
          .gprs = "TENSIX_TRISC_SYNC_TrackGPR"_thread_config.blackhole.get(word) != 0,
          .tdma_regs = "TENSIX_TRISC_SYNC_TrackTDMARegs"_thread_config.blackhole.get(word) != 0,
          .tensix_instructions = "TENSIX_TRISC_SYNC_TrackTensixInstructions"_thread_config.blackhole.get(word) != 0};
}

ResourceSet resources_of_access(Arch arch, const TtSyncEnables& enables, TrackedRegion region, std::uint32_t offset) {
  if (!has(arch, "auto_ttsync"_size) || !enables.tensix_instructions) return none;
  switch (region) {
    case TrackedRegion::gprs: return enables.gprs ? resources::gprs : none;
    case TrackedRegion::tdma_risc: return enables.tdma_regs ? resources::tdma_risc : none;
    case TrackedRegion::config:
      return enables.global_cfg ? resources_of_config(arch, enables.subdivided_cfg, offset) : none;
  }
  return none;
}

}  // namespace tensim::tensix
