#include "chip/edge.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace tensim::chip {

using namespace tensim::literals;

EdgeTiming::EdgeTiming(const Timing& timing)
    : host_read(timing.whole<time::Cycle>("pcie_read_latency"_cycles)),
      others(timing.whole<time::Cycle>("edge_access_latency"_cycles)) {}

std::optional<std::string> Edge::access(Outside* outside, const Arrival& arrival, std::vector<std::uint8_t>& data) {
  if (outside == nullptr) return "nobody is behind it in this run";
  const noc::Message& message = *arrival.message;
  if (message.kind == noc::MessageKind::read) {
    data.resize(message.length);
    return outside->read_outside(arrival.tile, message.address, data);
  }
  if (!message.byte_mask) return outside->write_outside(arrival.tile, message.address, message.data);
  // Bytes that lie together are one write: registers take whole words.
  const std::uint64_t mask = *message.byte_mask;
  const std::span<const std::uint8_t> bytes(message.data);
  for (std::size_t first = 0; first < bytes.size(); ++first) {
    const std::size_t selected =
        std::min(bytes.size() - first, static_cast<std::size_t>(std::countr_one(mask >> first)));
    if (selected == 0) continue;
    if (auto why = outside->write_outside(arrival.tile, message.address + first, bytes.subspan(first, selected)))
      return why;
    first += selected;
  }
  return std::nullopt;
}

/// A write is the bus's as soon as the tile has it; a read waits for the host.
time::Cycle Edge::ready(const noc::FloorPlan& plan, const Arrival& arrival) const {
  const bool reads_host =
      plan.kind(arrival.tile) == noc::TileKind::pcie && arrival.message->kind == noc::MessageKind::read;
  return arrival.cycle + (reads_host ? timing_.host_read : timing_.others);
}

}  // namespace tensim::chip
