// Configuration of the units that move data to and from L1, for random programs that use them.
#include <array>

#include "arch/config_registers.hpp"
#include "tests/support/random_tile.hpp"

namespace tensim::test {

using namespace tensim::literals;

namespace {

void set(tile::Tile& tile, const ConfigField& field, std::uint32_t value, std::size_t words = 0) {
  const ConfigField::Place& place = field.on(tile.arch);
  if (!place.exists()) return;
  for (auto& bank : tile.coprocessor.config.bank) {
    std::uint32_t& word = bank[static_cast<std::size_t>(place.word) + words];
    word = (word & ~(place.mask() << place.shift)) | (value & place.mask()) << place.shift;
  }
}

}  // namespace

void set_up_transfers(tile::Tile& tile, const TileProgram::Transfers& transfers) {
  constexpr std::uint32_t bf16 = 5;
  constexpr std::uint32_t uncompressed = 1U << 4U;
  constexpr std::uint32_t header_word = shared_area / 16 - 1;
  const auto section = static_cast<std::size_t>("THCON_SEC1_REG0_TileDescriptor"_config.on(tile.arch).word -
                                                "THCON_SEC0_REG0_TileDescriptor"_config.on(tile.arch).word);
  for (const std::size_t unpacker : {std::size_t{0}, section}) {
    set(tile, "THCON_SEC0_REG0_TileDescriptor"_config, bf16 | uncompressed | 256U << 16U, unpacker);
    set(tile, "THCON_SEC0_REG2_Out_data_format"_config, bf16, unpacker);
    set(tile, "THCON_SEC0_REG2_Throttle_mode"_config, transfers.throttle, unpacker);
    set(tile, "THCON_SEC0_REG1_ovrd_default_throttle_mode"_config, 1, unpacker);
    set(tile, "THCON_SEC0_REG3_Base_address"_config, header_word, unpacker);
  }
  constexpr std::array<std::size_t, 4> packers{0, 28, 40, 68};  // Wormhole's blocks: words 56, 84, 96, 124
  for (unsigned packer = 0; packer < (tile.arch == Arch::wormhole ? 4U : 1U); ++packer) {
    set(tile, "THCON_SEC0_REG1_Disable_zero_compress"_config, 1, packers[packer]);
    set(tile, "THCON_SEC0_REG1_L1_Dest_addr"_config, header_word + packer, packers[packer]);
    set(tile, "THCON_SEC0_REG1_In_data_format"_config, bf16, packers[packer]);
    set(tile, "THCON_SEC0_REG1_Out_data_format"_config, bf16, packers[packer]);
    set(tile, "THCON_SEC0_REG1_Pack_L1_Acc"_config, transfers.accumulates ? 1 : 0, packers[packer]);
  }
  set(tile, "ALU_FORMAT_SPEC_REG2_Dstacc"_config, bf16);
  set(tile, "THCON_SEC0_REG6_Source_address"_config, header_word);
  set(tile, "THCON_SEC0_REG6_Destination_address"_config, header_word + 3);
  set(tile, "THCON_SEC0_REG6_Buffer_size"_config, 1 + transfers.datums / 32);
  set(tile, "THCON_SEC0_REG6_Transfer_direction"_config, transfers.datums % 2 * 3);
  const std::uint32_t packed = tile.arch == Arch::wormhole ? transfers.datums : (transfers.datums - 1) % 16 + 1;
  for (auto& context : tile.coprocessor.adcs.context) {
    for (auto& unpacker : context.unpacker)
      unpacker.channel[1].x.set(transfers.datums - 1);
    context.packer.channel[1].x.set(packed - 1);
  }
}

}  // namespace tensim::test
