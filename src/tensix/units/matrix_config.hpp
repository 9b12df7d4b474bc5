// Configuration fields that stand in the same place on both chips: what the Matrix Unit asks in every cycle is then a
// load and a mask, with nothing to look up.
#pragma once

#include "tensix/registers/config_view.hpp"

namespace tensim::tensix {

consteval ConfigField::Place on_both(const ConfigField& field) {
  const ConfigField::Place& one = field.on(Arch::wormhole);
  const ConfigField::Place& other = field.on(Arch::blackhole);
  if (one.word != other.word || one.shift != other.shift || one.width != other.width) throw "the chips differ";
  return one;
}

inline std::uint32_t get(const ConfigView& config, ConfigField::Place place) {
  return place.get(config.word(static_cast<std::size_t>(place.word)));
}

}  // namespace tensim::tensix
