// What a SETDMAREG reads of the packers. Page: SETDMAREG_Special.md.
#include <cstring>

#include "tensix/coprocessor.hpp"
#include "tensix/units/packers/config.hpp"
#include "tensix/units/packers/pacr_word.hpp"
#include "tensix/units/packers/unit.hpp"

namespace tensim::tensix {
namespace {

using namespace tensim::literals;
using Values = std::array<std::uint32_t, 4>;

std::uint32_t last_size(const Packer& packer, unsigned thread) {
  return packer.last_thread == thread ? packer.last_tile_words : 0U;
}

/// The 128 bits in front of a tile that describe it.
Values tile_header(const Coprocessor& coprocessor, unsigned thread, unsigned number) {
  const Packer& packer = coprocessor.packers.packer[number];
  const bool exists = number == 0 || has_several_packers(coprocessor.arch);
  const PackerConfig config(ConfigView(coprocessor.config, coprocessor.arch, thread), exists ? number : 0);
  const std::uint32_t format = config.own("THCON_SEC0_REG1_Out_data_format"_config);
  const std::uint32_t uncompressed = units::pack_compresses(config) ? 0 : 1;
  Values values{};
  values[0] = (last_size(packer, thread) + 1) & 0xFFFFU;
  if (exists) values[1] = format << 16U | uncompressed << 20U;
  values[2] = packer.compression.all_zero_rows;
  return values;
}

Values sizes(const Packers& packers, unsigned thread) {
  Values values{};
  for (unsigned i = 0; i < Packers::count; ++i)
    values[i] = std::uint32_t{packers.packer[i].all_tile_words[thread]} << 16U | last_size(packers.packer[i], thread);
  return values;
}

Values all_zero_flags(const Packers& packers) {
  Values values{};
  for (unsigned i = 0; i < Packers::count; ++i)
    values[i] = packers.packer[i].compression.all_zero_rows;
  return values;
}

Values histogram_half(const Packer& packer, unsigned half) {
  Values values{};
  std::memcpy(values.data(), packer.histogram.data() + half * sizeof values, sizeof values);
  return values;
}

/// Bit 0 of each packer's flags; sizes of the packers in the mask start again.
Values first_flags(Packers& packers, unsigned reset) {
  Values values{};
  for (unsigned i = 0; i < Packers::count; ++i) {
    values[0] |= (packers.packer[i].compression.all_zero_rows & 1U) << i;
    if ((reset >> i & 1U) != 0) packers.packer[i].all_tile_words = {};
  }
  return values;
}

}  // namespace

Values units::packer_state(Coprocessor& coprocessor, unsigned thread, unsigned source, unsigned which) {
  Packers& packers = coprocessor.packers;
  switch (source) {
    case 0: return sizes(packers, thread);
    case 1: return all_zero_flags(packers);
    case 2:
    case 3:
    case 4:
    case 5: return tile_header(coprocessor, thread, source - 2);
    case 6:
    case 7: return histogram_half(packers.packer[which % Packers::count], source - 6);
    case 8: return first_flags(packers, which);
    case 9: return Values{packers.packer[0].max_exponent};
    default: return {};
  }
}

}  // namespace tensim::tensix
