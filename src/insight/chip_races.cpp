#include "insight/chip_races.hpp"

#include <algorithm>
#include <limits>

#include "noc/ends.hpp"

namespace tensim::insight {

using event::Access;
using event::Packet;
using event::Resource;
using noc::Coordinates;
using noc::Message;
using noc::MessageKind;

namespace {

constexpr unsigned agent_of_packets = time::coprocessor_agent + 1;
constexpr unsigned agent_of_host = agent_of_packets + 1;

bool is_register(std::uint64_t address) {
  return noc::address_class(noc::TileKind::tensix, address) == noc::AddressClass::mmio;
}

Site::Kind kind_of(MessageKind kind) {
  switch (kind) {
    case MessageKind::read: return Site::Kind::noc_read;
    case MessageKind::atomic: return Site::Kind::noc_atomic;
    default: return Site::Kind::noc_write;
  }
}

/// Pieces of memory that a write changes: visit(address, bytes).
template <class Visit>
void for_each_piece(const Message& message, Visit visit) {
  const auto address = static_cast<std::uint32_t>(message.address);
  if (!message.byte_mask) return visit(address, message.length);
  std::uint64_t mask = *message.byte_mask;
  constexpr std::uint32_t line = 16;
  const bool is_inline = message.kind == MessageKind::inline_write;  // two masks of a line, one after the other
  if (is_inline) mask = (mask | mask >> line) & 0xFFFFU;
  const std::uint32_t first = is_inline ? address & ~(line - 1) : address;
  while (mask != 0) {
    const auto from = static_cast<std::uint32_t>(std::countr_zero(mask));
    const auto bytes = static_cast<std::uint32_t>(std::countr_one(mask >> from));
    visit(first + from, bytes);
    mask &= bytes + from >= 64 ? 0 : ~std::uint64_t{0} << (from + bytes);
  }
}

}  // namespace

ChipRaces::ChipRaces(const noc::FloorPlan& plan, RuleSeverities severities)
    : plan_(plan),
      context_(plan.arch(), severities),
      places_(1),
      tiles_(1),
      host_(ChipRacesFound::host * actors_per_tile) {
  context_.host = host_.number();
}

event::Listener* ChipRaces::of_tile(Coordinates at, const tile::Tile& tile) {
  const auto [known, is_new] = numbers_.try_emplace(plan_.index(at), static_cast<TileNumber>(tiles_.size()));
  if (is_new) {
    places_.push_back(at);
    tiles_.push_back(std::make_unique<CheckedTile>(context_, known->second, polls_of(tile)));
    tiles_.back()->races.start(tile);
  }
  return &tiles_[known->second]->told;
}

ChipRaces::CheckedTile* ChipRaces::find(Coordinates at) {
  const auto known = numbers_.find(plan_.index(at));
  return known == numbers_.end() ? nullptr : tiles_[known->second].get();
}

std::size_t ChipRaces::shadow_bytes() const {
  std::size_t bytes = 0;
  for (const auto& tile : tiles_)
    if (tile != nullptr) bytes += tile->races.shadow_bytes();
  for (const auto& [memory, state] : memories_)
    bytes += state.bytes();
  return bytes;
}

// ---- one order ----

time::Key ChipRaces::Happened::moment() const {
  if (!std::holds_alternative<HostAccess>(what)) return time::key(cycle, time::Phase::store, agent_of_packets);
  return cycle == 0 ? 0
                    : time::key(cycle - 1, time::Phase::store, agent_of_host);  // a tile has its accesses there, too
}

void ChipRaces::host_read(time::Cycle now, Coordinates at, std::uint64_t address, std::size_t bytes) {
  happened_.push_back({now, HostAccess{at, address, static_cast<std::uint32_t>(bytes), false}});
}

void ChipRaces::host_wrote(time::Cycle now, Coordinates at, std::uint64_t address, std::size_t bytes) {
  happened_.push_back({now, HostAccess{at, address, static_cast<std::uint32_t>(bytes), true}});
}

/// Tiles have told everything before the end of their last stretch.
void ChipRaces::told(time::Cycle until) {
  hand_on(until - until % tile::Tile::observed_cycles);
}

/// Tiles see each other through packets alone: where no packet is between them, their order does not matter.
void ChipRaces::hand_on(time::Cycle until) {
  const auto for_each_tile = [&](auto visit) {
    for (const auto& tile : tiles_)
      if (tile != nullptr) visit(*tile);
  };
  auto end = happened_.begin();
  for (; end != happened_.end() && end->cycle < until; ++end) {
    const time::Key moment = end->moment();
    for_each_tile([&](CheckedTile& tile) { tile.told.hand_on(tile.races, moment); });
    if (const auto* const packet = std::get_if<Packet>(&end->what))
      take(*packet);
    else
      take(std::get<HostAccess>(end->what), end->cycle);
  }
  happened_.erase(happened_.begin(), end);
  for_each_tile([&](CheckedTile& tile) {
    tile.told.hand_on(tile.races, time::key(until, time::Phase::load, 0));
    tile.told.forget();
  });
}

// ---- the host ----

/// Whatever it reads, it may be waiting for.
void ChipRaces::take(const HostAccess& access, time::Cycle cycle) {
  if (access.is_write) return host_writes(access, cycle);
  if (CheckedTile* const tile = find(access.at))
    tile->races.read_from_outside(host_, static_cast<std::uint32_t>(access.address), access.bytes);
}

/// PCIe keeps its accesses in order: one is over before the next.
void ChipRaces::host_writes(const HostAccess& access, time::Cycle cycle) {
  CheckedTile* const tile = find(access.at);
  const auto address = static_cast<std::uint32_t>(access.address);
  const bool is_memory = plan_.kind(access.at) == noc::TileKind::dram;
  constexpr auto which = static_cast<unsigned>(CoreLane::l1);
  const std::uint32_t number = host_.issue(which);
  const Lane lane = lane_of(host_.number(), which);
  context_.times.begin(lane, number);
  context_.times.end(lane, number, cycle);
  if (is_memory || !is_register(access.address)) {
    const SiteNumber site = context_.races.site({host_.number(), Site::Kind::store, false, 0, address / 4});
    touch(access.at, {host_, lane, number, site, cycle, 0},
          {.resource = Resource::l1, .write = true, .first = address, .count = access.bytes});
  }
  host_.prove_done(lane, number);
  if (tile == nullptr) return;
  if (is_register(access.address))
    tile->races.packet_stored(host_, address);
  else
    tile->races.packet_landed(host_, address, access.bytes);
}

// ---- packets ----

NocFlows::Name ChipRaces::name_of(const Message& message) const {
  const auto known = numbers_.find(plan_.index(message.issuer.tile));
  const TileNumber tile = known == numbers_.end() ? std::numeric_limits<TileNumber>::max() : known->second;
  return {tile, message.issuer.core, message.noc, message.issuer.cycle};
}

/// Tiles by their index; rectangles behind them.
std::uint32_t ChipRaces::target_of(const Message& message) const {
  if (!message.broadcast) return static_cast<std::uint32_t>(plan_.index(message.target));
  const noc::Rectangle& tiles = message.broadcast->tiles;
  constexpr unsigned bits = 6;
  std::uint32_t target = 1;
  for (const unsigned part :
       {tiles.start.x, tiles.start.y, tiles.end.x, tiles.end.y, message.broadcast->is_y_major ? 1U : 0U})
    target = target << bits | part;
  return target;
}

void ChipRaces::take(const Packet& packet) {
  const bool answers = noc::is_response(packet.message->kind);
  if (packet.end == Packet::End::arrived) return answers ? response_arrived(packet) : request_arrived(packet);
  if (!answers) sent(packet);
}

void ChipRaces::touch(Coordinates at, const Current& current, Access access) {
  if (plan_.kind(at) == noc::TileKind::dram) {
    const unsigned memory = plan_.bank(at);
    access.resource = Resource::dram;
    access.owner = static_cast<std::uint8_t>(memory);
    const auto [state, is_new] = memories_.try_emplace(memory, context_, static_cast<std::uint16_t>(~memory));
    state->second.touch(current, access, Span::until_done);
  } else if (CheckedTile* const tile = find(at)) {
    tile->races.packet_touches(current, access);
  }
}

/// What it reads and writes may be touched from now on; who receives a multicast is known when they do. Of requests that a
/// host or another tile's core initiated, nobody knows what came before them: they are not checked.
void ChipRaces::sent(const Packet& packet) {
  const Message& message = *packet.message;
  CheckedTile* const tile = find(packet.tile);
  if (tile == nullptr || message.issuer.is_host || message.issuer.tile != packet.tile) return;
  std::shared_ptr<const Snapshot> snapshot = tile->races.initiator(message);
  if (snapshot == nullptr) return;
  const NocFlows::Name name = name_of(message);
  const auto answered = numbers_.find(plan_.index(message.return_tile));
  const SiteNumber site =
      context_.races.site({tile->races.core_actor(name.core), kind_of(message.kind), false, 0, message.issuer.pc / 4});
  const NocRequest& request =
      context_.flows.send(name, target_of(message), message, answered == numbers_.end() ? name.tile : answered->second,
                          packet.receivers, std::move(snapshot), site);
  tile->races.sent(name.core, request);
  context_.times.begin(request.landing, request.number);
  if (request.other_number != 0) context_.times.begin(request.other, request.other_number);
  if (message.kind == MessageKind::write)
    context_.times.end(request.other, request.other_number, packet.cycle + noc::data_flits(plan_.arch(), message));
  touch_own_end(packet, request);
  if (!message.broadcast) touch_target(message.target, packet, request);
}

/// The source of a write, and where what comes back is written.
void ChipRaces::touch_own_end(const Packet& packet, const NocRequest& request) {
  const Message& message = *packet.message;
  if (is_register(message.return_address)) return;
  const Actor sender(*request.snapshot);
  Access access{
      .resource = Resource::l1, .first = static_cast<std::uint32_t>(message.return_address), .count = message.length};
  if (message.kind == MessageKind::write)
    return touch(packet.tile, {sender, request.other, request.other_number, request.site, packet.cycle, 0}, access);
  if (message.kind == MessageKind::inline_write || message.is_posted) return;
  access.write = true;
  if (message.kind == MessageKind::atomic) access.count = sizeof(std::uint32_t);
  touch(message.return_tile, {sender, request.landing, request.number, request.site, packet.cycle, 0}, access);
}

/// What it reads or writes where it goes; atomics put others in order, and need none.
void ChipRaces::touch_target(Coordinates at, const Packet& packet, const NocRequest& request) {
  const Message& message = *packet.message;
  if (message.kind == MessageKind::atomic || stores_to_register(at, message)) return;
  const Actor sender(*request.snapshot);
  if (message.kind == MessageKind::read) {
    const Access access{
        .resource = Resource::l1, .first = static_cast<std::uint32_t>(message.address), .count = message.length};
    return touch(at, {sender, request.other, request.other_number, request.site, packet.cycle, 0}, access);
  }
  for_each_piece(message, [&](std::uint32_t address, std::uint32_t bytes) {
    touch(at, {sender, request.landing, request.number, request.site, packet.cycle, 0},
          {.resource = Resource::l1, .write = true, .first = address, .count = bytes});
  });
}

bool ChipRaces::stores_to_register(Coordinates at, const Message& message) const {
  return is_register(message.address) && plan_.kind(at) != noc::TileKind::dram;
}

void ChipRaces::request_arrived(const Packet& packet) {
  const Message& message = *packet.message;
  const NocFlows::Name name = name_of(message);
  const NocRequest* const request = context_.flows.find(name);
  if (request == nullptr) return;
  if (message.broadcast) touch_target(packet.tile, packet, *request);
  if (CheckedTile* const tile = find(packet.tile); tile != nullptr && message.kind != MessageKind::read)
    landed(packet, *request, tile->races);
  if (message.kind != MessageKind::read) context_.times.end(request->landing, request->number, packet.cycle);
  if (message.is_posted) context_.flows.answer(name);
}

/// What it has brought can be seen.
void ChipRaces::landed(const Packet& packet, const NocRequest& request, TileRaces& tile) const {
  const Message& message = *packet.message;
  const auto address = static_cast<std::uint32_t>(message.address);
  if (message.kind == MessageKind::atomic) return tile.packet_updated(behind_its_way(request), address);
  if (stores_to_register(packet.tile, message))  // what was written to L1 before it may come later (noc 6)
    return tile.packet_stored(Actor(*request.snapshot), address);
  for_each_piece(message, [&](std::uint32_t piece, std::uint32_t bytes) {
    tile.packet_landed(behind_its_way(request), piece, bytes);
  });
}

/// Who sees what it has brought sees what went the same way before it (rule 30a).
Actor ChipRaces::behind_its_way(const NocRequest& request) const {
  Actor sender(*request.snapshot);
  sender.prove_done(request.landing, request.number);
  if (request.other_number != 0) sender.prove_done(request.other, request.other_number);  // a write's source
  if (context_.ordered_by("30a"_rule)) return sender;                                     // somebody does not trust it
  for (const auto& [lane, number] : request.before)
    sender.prove_done(lane, number);
  return sender;
}

void ChipRaces::response_arrived(const Packet& packet) {
  const NocFlows::Name name = name_of(*packet.message);
  const NocRequest* const request = context_.flows.find(name);
  if (request == nullptr) return;
  context_.times.end(request->landing, request->number, packet.cycle);
  if (request->other_number != 0) context_.times.end(request->other, request->other_number, packet.cycle);
  context_.flows.answer(name);
}

}  // namespace tensim::insight
