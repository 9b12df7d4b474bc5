// The race check of a tile: what its NIUs do, and what comes over the NoC.
#include <algorithm>
#include <ranges>

#include "arch/address_map.hpp"
#include "insight/tile_races.hpp"
#include "noc/registers.hpp"

namespace tensim::insight {

using Part = noc::NiuRegister::Part;

namespace {

constexpr std::size_t most_initiated = 64;  // requests that are waiting, with those that have just left
constexpr std::uint32_t short_landing = 64;

}  // namespace

const Region* TileRaces::region_at(unsigned core, std::uint32_t address) const {
  return find_region(arch_, views_[core], address);
}

// ---- requests ----

/// A store of 1 to NOC_CMD_CTRL.
void TileRaces::niu_stored(unsigned core, std::uint32_t address, std::uint32_t value, const event::Event& event) {
  const Region& region = *region_at(core, address);
  const auto found = noc::niu_register_at(arch_, address - region.base);
  const std::shared_ptr<const Snapshot> snapshot = take_said(cores_[core], address);
  if (!found || found->row->part != Part::go || (value & 1U) == 0) return;
  initiated_.push_back({static_cast<std::uint8_t>(core), event.cycle(), snapshot});
  if (initiated_.size() > most_initiated) initiated_.pop_front();
}

std::shared_ptr<const Snapshot> TileRaces::initiator(const noc::Message& message) const {
  const auto found = std::ranges::find_if(initiated_, [&](const Initiated& request) {
    return request.core == message.issuer.core && request.cycle == message.issuer.cycle;
  });
  return found == initiated_.end() ? nullptr : found->snapshot;
}

void TileRaces::sent(unsigned core, const NocRequest& request) {
  Actor& actor = cores_[core].actor;
  actor.know_issued(request.landing, request.number);
  if (request.other_number != 0) actor.know_issued(request.other, request.other_number);
}

void TileRaces::niu_loaded(const Region& region, const event::Loaded& load, Brought& brought) const {
  const auto found = noc::niu_register_at(arch_, (load.address - region.base) & ~3U);
  if (!found || found->row->part != Part::counter) return;
  const Proof proof = context_.flows.counter_read(number_, region.index, found->index, load.value);
  brought.done.insert(brought.done.end(), proof.begin(), proof.end());
}

// ---- what comes ----

void TileRaces::packet_landed(const Actor& sender, std::uint32_t address, std::uint32_t bytes) {
  const L1Flag flag{true, std::make_shared<const Snapshot>(sender.release())};
  if (bytes > short_landing)
    flags_.written_at_length(flag, address, bytes);
  else
    flags_.written(flag, address, bytes);
}

void TileRaces::packet_updated(Actor sender, std::uint32_t address) {
  Brought brought;
  add_flags(brought, address, 4);
  learn(sender, brought);
  flags_.written({true, std::make_shared<const Snapshot>(sender.release())}, address, 4);
}

void TileRaces::read_from_outside(Actor& reader, std::uint32_t address, std::uint32_t bytes) {
  Brought brought;
  add_flags(brought, address, std::min(bytes, short_landing));
  if (const auto stream = streams_.find(address); stream != streams_.end()) brought.behind.push_back(stream->second);
  learn(reader, brought);
}

void TileRaces::packet_stored(const Actor& sender, std::uint32_t address) {
  outside_ = std::make_shared<const Snapshot>(sender.release());
  const Region* const region = region_at(static_cast<unsigned>(tile::CoreId::brisc), address);
  if (region != nullptr && region->kind == Region::Kind::noc_overlay) streams_[address] = *outside_;
}

/// By whoever has stored to the tile's registers last: what let them go is told right behind it.
void TileRaces::released_from_outside(const event::Released& released) {
  if (outside_ == nullptr) return;
  for (unsigned core = 0; core < tile::core_count; ++core)
    if ((released.cores >> core & 1U) != 0) cores_[core].actor.acquire(*outside_);
}

}  // namespace tensim::insight
