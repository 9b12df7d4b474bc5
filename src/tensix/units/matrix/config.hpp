// Configuration fields that stand in the same place on both chips: what the Matrix Unit asks in every cycle is then a
// load and a mask, with nothing to look up.
#pragma once

#include "tensix/registers/config_view.hpp"

namespace tensim::tensix {

consteval ConfigField::Place on_both(const ConfigField& field) {
  const ConfigField::Place& one = field.on(all_archs.front());
  for (const Arch arch : all_archs) {
    const ConfigField::Place& other = field.on(arch);
    if (one.word != other.word || one.shift != other.shift || one.width != other.width) throw "the chips differ";
  }
  return one;
}

inline std::uint32_t get(const ConfigView& config, ConfigField::Place place) {
  return place.get(config.word(static_cast<std::size_t>(place.word)));
}

/// Where a field of ThreadConfig is on each chip; neither is looked up when the instruction runs.
struct ThreadPlaces {
  ConfigField::Place wormhole;
  ConfigField::Place blackhole;
};
consteval ThreadPlaces places(const ConfigField& field) {
  return {field.on(Arch::wormhole), field.on(Arch::blackhole)};
}
inline std::uint32_t get(const BackendConfig& config, ConfigField::Place place, unsigned thread) {
  return place.exists() ? place.get(config.thread[thread][static_cast<std::size_t>(place.word)]) : 0;
}
inline std::uint32_t get(const BackendConfig& config, Arch arch, const ThreadPlaces& places, unsigned thread) {
  return get(config, *on(arch, &places.wormhole, &places.blackhole), thread);
}

}  // namespace tensim::tensix
