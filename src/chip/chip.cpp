#include "chip/chip.hpp"

#include <algorithm>
#include <utility>

#include "chip/ethernet.hpp"

namespace tensim::chip {

using namespace tensim::literals;
using noc::Message;
using noc::MessageKind;
using tile::Tile;

namespace {

noc::Torus torus_of(const noc::FloorPlan& plan) {
  return {static_cast<std::uint8_t>(plan.width()), static_cast<std::uint8_t>(plan.height())};
}

bool is_fault(Tile::Halt halt) {
  return halt == Tile::Halt::core_stopped || halt == Tile::Halt::coprocessor_fault || halt == Tile::Halt::noc_fault;
}

/// Something may happen in it by itself.
bool is_active(const Slot& slot) {
  return !slot.is_idle && !slot.has_fault && !slot.beats;
}

/// What a request takes of the room of a DRAM tile until memory is done with it.
noc::Room room_of(const Message& message) {
  switch (message.kind) {
    case MessageKind::read: return noc::Room::requests;
    case MessageKind::write: return noc::Room::data;
    default: return noc::Room::none;
  }
}

}  // namespace

Chip::Chip(const noc::FloorPlan& plan, const Timing& timing)
    : plan_(std::make_shared<const noc::FloorPlan>(plan)),
      timing_(std::make_shared<const tile::TileTiming>(timing)),
      network_(torus_of(plan), noc::NetworkTiming(timing)),
      dram_(plan, DramTiming(timing)),
      edge_(EdgeTiming(timing)),
      sequences_(std::size_t{plan.width()} * plan.height()) {
  for (unsigned y = 0; y < plan.height(); ++y)
    for (unsigned x = 0; x < plan.width(); ++x)
      for (unsigned noc = 0; noc < noc::noc_count; ++noc) {
        const Coordinates tile{x, y};
        network_.accept_multicasts(noc, node(tile, noc), plan.has_tensix(tile));
        if (plan.kind(tile) != noc::TileKind::dram) continue;
        network_.limit_room(noc, node(tile, noc), noc::Room::requests, dram_.timing().request_room);
        network_.limit_room(noc, node(tile, noc), noc::Room::data, dram_.timing().data_room_flits);
      }
}

void Chip::walk_in_lockstep(bool lockstep) {
  lockstep_ = lockstep;
  for (auto& [index, slot] : slots_)
    slot.tile->walk_in_lockstep(lockstep);
}

void Chip::observe(event::PacketObserver* observer, Listeners listeners) {
  attached_.observer = observer;
  attached_.listeners = std::move(listeners);
  for (auto& [index, slot] : slots_)
    slot.tile->tell(attached_.listeners ? attached_.listeners(slot.place, *slot.tile) : nullptr);
}

// ---- tiles ----

Slot& Chip::touch(Coordinates tile) {
  const std::size_t index = plan_->index(tile);
  if (const auto known = slots_.find(index); known != slots_.end()) return known->second;
  Slot slot{.place = tile,
            .tile = time::CopiedPointer(std::make_unique<Tile>(timing_, tile::NocPlace{plan_, tile, true}))};
  slot.tile->walk_in_lockstep(lockstep_);
  if (plan_->kind(tile) == noc::TileKind::ethernet) leave_firmware_words(*slot.tile);
  if (attached_.listeners) slot.tile->tell(attached_.listeners(tile, *slot.tile));
  return slots_.emplace(index, std::move(slot)).first->second;
}

Slot* Chip::find(Coordinates tile) {
  const auto known = slots_.find(plan_->index(tile));
  return known == slots_.end() ? nullptr : &known->second;
}

const Slot* Chip::find(Coordinates tile) const {
  const auto known = slots_.find(plan_->index(tile));
  return known == slots_.end() ? nullptr : &known->second;
}

noc::Position Chip::node(Coordinates tile, unsigned noc) const {
  const Coordinates own = plan_->on_noc(tile, noc);
  return {static_cast<std::uint8_t>(own.x), static_cast<std::uint8_t>(own.y)};
}

Coordinates Chip::tile_at(noc::Position node, unsigned noc) const {
  return plan_->on_noc({node.x, node.y}, noc);
}

// ---- time ----

bool Chip::is_idle() const {
  const auto goes_on = [](const auto& entry) { return is_active(entry.second) || entry.second.beats; };
  return is_quiet() && std::ranges::none_of(slots_, goes_on);
}

/// Nothing happens any more between tiles.
bool Chip::is_quiet() const {
  return network_.next_event() == never && !dram_.has_requests() && edge_.next_event() == never;
}

/// Others change what tiles do only while time stands still; while it goes on, wake() says what is new.
void Chip::find_active() {
  active_.clear();
  for (auto& [index, slot] : slots_) {
    slot.beats = slot.beats && slot.tile->beats();
    if (slot.is_idle && now_ - std::min(now_, slot.tile->now()) > idle_before_rest) slot.tile->rest();
    if (is_active(slot)) active_.push_back(&slot);
  }
}

void Chip::wake(Slot& slot) {
  if (!is_active(slot) && !slot.has_fault)
    active_.insert(std::ranges::upper_bound(active_, plan_->index(slot.place), {},
                                            [this](const Slot* other) { return plan_->index(other->place); }),
                   &slot);
  slot.is_idle = slot.beats = false;
}

/// Nothing can have come to it.
void Chip::catch_up(Slot& slot) {
  if (!slot.beats || slot.tile->now() >= now_) return;
  slot.halt = slot.tile->run_window(now_);
  finish(slot);
}

void Chip::catch_up() {
  for (auto& [index, slot] : slots_)
    catch_up(slot);
}

void Chip::settle() {
  for (auto& [index, slot] : slots_) {
    slot.tile->settle();
    if (!slot.has_fault) slot.tile->idle_until(now_);  // nothing happens in it before that
  }
}

/// Nothing that is sent before it can arrive before it. Where no tile does anything, nothing is sent before
/// something happens between them.
Cycle Chip::window_end(Cycle end) const {
  if (lockstep_) return now_ + 1;
  Cycle from = now_;
  if (active_.empty() && !dram_.has_requests())
    from = std::max(from, std::min({network_.next_event(), edge_.next_event(), end}));
  return std::min(end, from + network_.lookahead());
}

void Chip::run(Cycle end, Slot* watched, bool ends_with_activity) {
  find_active();
  while (now_ < end && !(active_.empty() && is_quiet())) {
    if (watched != nullptr && watched->halt == Tile::Halt::met) return;
    const Cycle window = run_next(end, watched);
    std::erase_if(active_, [](const Slot* slot) { return !is_active(*slot); });
    exchange(window);
    now_ = window;
    if (attached_.observer != nullptr) hand_on_packets(window);
  }
  const auto goes_on = [](const auto& entry) { return entry.second.beats; };
  if (now_ < end && (!ends_with_activity || std::ranges::any_of(slots_, goes_on))) now_ = end;
}

/// The next window. Returns how far time has come.
Cycle Chip::run_next(Cycle end, Slot* watched) {
  if (lockstep_ || is_anything_under_way()) {
    quiet_from_ = now_;
    return run_all(window_end(end), watched);
  }
  if (active_.size() == 1) return run_alone(*active_.front(), end);
  const Cycle quiet = now_ - quiet_from_;
  const bool is_patient = quiet < patience_ && !is_impatient_;
  if (is_patient || attached_.listeners || active_.empty() ||
      std::ranges::any_of(active_, [](Slot* slot) { return slot->tile->seeks_beat(); }))
    return run_all(window_end(end), watched);
  return run_far(std::min(end, now_ + std::clamp(quiet, least_patience, longest_window)));
}

/// Calls `run` for tiles that are active, on several threads if that is worth it; they do not see each other.
template <class Run>
void Chip::for_each_active(const Slot* but, Run run) {
  const auto run_one = [&](Slot& slot) {
    if (&slot != but) run(slot);
  };
  if (attached_.workers != nullptr && !attached_.listeners)
    attached_.workers->share(active_, run_one);
  else
    for (Slot* const slot : active_)
      run_one(*slot);
}

/// If the watched tile has met what it is watched for, nobody goes further than it has.
Cycle Chip::run_all(Cycle end, Slot* watched) {
  ++work_.windows;
  const auto run = [&](Slot& slot) { slot.halt = slot.tile->run_window(end); };
  const Slot* first = nullptr;
  if (watched != nullptr && is_active(*watched)) {
    first = watched;
    run(*watched);
    if (watched->halt == Tile::Halt::met) end = watched->tile->now();
  }
  for_each_active(first, run);
  for (Slot* const slot : active_)
    finish(*slot);
  return end;
}

/// Nobody can disturb the only tile that does anything before what it sends has arrived somewhere.
Cycle Chip::run_alone(Slot& slot, Cycle end) {
  slot.halt = slot.tile->run_window(end, network_.lookahead());
  const Cycle first = finish(slot);
  if (first != never) return std::min(end, first + network_.lookahead());
  return slot.halt == Tile::Halt::reached ? end : std::clamp(slot.tile->now(), now_, end);
}

/// Tiles that do not send for a while. If one of them does after all, those that are behind the cycle in which that can arrive go
/// back there.
Cycle Chip::run_far(Cycle end) {
  const Cycle reach = network_.lookahead();
  for_each_active(nullptr, [&](Slot& slot) { slot.halt = slot.tile->run_tentatively(end, reach); });
  Cycle until = 0;
  Cycle limit = end;
  for (const Slot* const slot : active_) {
    const Tile& tile = *slot->tile;
    until = std::max(until, tile.now());
    if (slot->halt == Tile::Halt::reached || slot->halt == Tile::Halt::met) limit = std::min(limit, tile.now());
    if (const Cycle first = tile.first_outgoing(); first != never) limit = std::min(limit, first + reach);
  }
  until = std::clamp(until, now_, limit);
  ++work_.far;
  for (const Slot* const slot : active_)
    if (slot->tile->now() > until) ++work_.taken_back;
  for_each_active(nullptr, [&](Slot& slot) {
    if (slot.tile->now() > until)
      slot.halt = slot.tile->take_back(until);
    else
      slot.tile->keep(slot.halt);
  });
  for (Slot* const slot : active_)
    finish(*slot);
  if (limit < end)
    patience_ = std::min(2 * patience_, most_patience);
  else if (end - now_ == longest_window)
    patience_ = std::max(patience_ / 2, least_patience);
  if (is_anything_under_way()) quiet_from_ = until;
  return until;
}

bool Chip::run_until_met(Slot& slot, Cycle end) {
  run(end, &slot, true);
  catch_up();
  return slot.halt == Tile::Halt::met;
}

bool Chip::run_until_idle(Cycle end) {
  const Cycle before = now_;
  run(end, nullptr, true);
  catch_up();
  if (!is_idle()) return false;
  Cycle last = 0;
  for (const auto& [index, slot] : slots_)
    last = std::max(last, slot.tile->now());
  now_ = std::min(now_, std::max(last, before));
  return true;
}

bool Chip::is_anything_under_way() const {
  return network_.packets_under_way() != 0 || dram_.has_requests() || edge_.next_event() != never;
}

/// What has come of its run. Returns when the first message of those that it has sent is taken up.
Cycle Chip::finish(Slot& slot) {
  slot.is_idle = slot.halt == Tile::Halt::nothing_left;
  slot.beats = slot.halt == Tile::Halt::reached && slot.tile->beats();
  if (is_fault(slot.halt)) {
    slot.has_fault = true;
    halted_.push_back(slot.place);
  }
  const Cycle first = slot.tile->first_outgoing();
  for (const tile::Outgoing& outgoing : slot.tile->take_outgoing())
    inject(slot.place, outgoing.cycle, outgoing.sequence, outgoing.message);
  return first;
}

std::vector<Coordinates> Chip::take_halted() {
  const auto when = [this](Coordinates place) { return std::pair(find(place)->tile->now(), plan_->index(place)); };
  std::ranges::sort(halted_, {}, when);
  return std::exchange(halted_, {});
}

// ---- the networks ----

/// Tiles of a multicast's rectangle that receive it, of those that `counts`.
template <class Counts>
std::uint32_t Chip::receivers(const noc::Packet& packet, Counts counts) const {
  const noc::MulticastArea& tiles = *packet.rectangle;
  std::uint32_t count = 0;
  const auto next = [](std::uint8_t at, unsigned size) { return static_cast<std::uint8_t>((at + 1) % size); };
  for (std::uint8_t y = tiles.start.y;; y = next(y, plan_->height())) {
    for (std::uint8_t x = tiles.start.x;; x = next(x, plan_->width())) {
      const bool is_source = noc::Position{x, y} == packet.source;
      const Coordinates tile = tile_at({x, y}, packet.noc);
      if (plan_->has_tensix(tile) && (!is_source || tiles.includes_source) && counts(tile)) ++count;
      if (x == tiles.end.x) break;
    }
    if (y == tiles.end.y) break;
  }
  return count;
}

void Chip::inject(Coordinates source, Cycle cycle, std::uint32_t sequence, noc::MessagePointer message) {
  noc::Packet packet{.cycle = cycle,
                     .noc = message->noc,
                     .source = node(source, message->noc),
                     .sequence = sequence,
                     .destination = node(message->target, message->noc),
                     .vc = message->channel,
                     .flits = static_cast<std::uint16_t>(1 + noc::data_flits(plan_->arch(), *message)),
                     .is_linked = message->is_linked};
  if (plan_->kind(message->target) == noc::TileKind::dram) packet.room = room_of(*message);
  std::uint32_t copies = 1;
  if (message->broadcast) {
    const noc::Broadcast& broadcast = *message->broadcast;
    const auto corner = [](Coordinates at) {
      return noc::Position{static_cast<std::uint8_t>(at.x), static_cast<std::uint8_t>(at.y)};
    };
    packet.rectangle = {.start = corner(broadcast.tiles.start),
                        .end = corner(broadcast.tiles.end),
                        .major = broadcast.is_y_major ? noc::Axis::y : noc::Axis::x,
                        .includes_source = broadcast.includes_source};
    packet.reserves_path = broadcast.reserves_path;
    copies = receivers(packet, [](Coordinates) { return true; });
  }
  if (attached_.observer != nullptr) {
    const auto takes_it = [&](Coordinates tile) {
      return takes_part(touch(tile).tile->devices.nius, plan_->arch(), *message);
    };
    const std::uint32_t count = message->broadcast ? receivers(packet, takes_it) : 1;
    note({event::Packet::End::sent, cycle, source, sequence, message, count});
  }
  ++work_.packets;
  work_.bytes += message->data.size();
  if (copies != 0) packet.id = static_cast<std::uint64_t>(carried_.add({std::move(message), copies}));
  network_.inject(packet);
}

void Chip::exchange(Cycle until) {
  activity_.is(time::Doing::network);
  answer_from_memory(until);
  answer_from_edge(until);
  network_.advance(until);
  for (const noc::Delivery& delivery : network_.take_deliveries())
    deliver(delivery);
  for (const noc::Credit& credit : network_.take_credits())
    give_back(credit);
}

/// Responses of Tensix tiles do not wait for room; answers of memory to reads do.
void Chip::give_back(const noc::Credit& credit) {
  const Coordinates tile = tile_at(credit.source, credit.noc);
  if (credit.vc == noc::response_channel) {
    const bool has_data = credit.flits > 1;
    if (has_data && plan_->kind(tile) == noc::TileKind::dram)
      dram_.answer_has_left(*plan_, tile, credit.noc, credit.cycle);
  } else if (Slot* slot = find(tile)) {
    slot->tile->give_room(credit);
    wake(*slot);
  }
}

void Chip::deliver(const noc::Delivery& delivery) {
  const Coordinates tile = tile_at(delivery.receiver, delivery.noc);
  const auto number = static_cast<std::int32_t>(delivery.id);
  Carried& carried = carried_[number];
  const bool is_last = --carried.copies == 0;
  noc::MessagePointer message = is_last ? std::move(carried.message) : carried.message;
  if (is_last) carried_.remove(number);
  const Cycle cycle = delivery.tail + network_.timing().receive;
  if (attached_.observer != nullptr &&
      (!message->broadcast || takes_part(touch(tile).tile->devices.nius, plan_->arch(), *message)))
    note({event::Packet::End::arrived, cycle, tile, delivery.sequence, message});
  switch (plan_->kind(tile)) {
    case noc::TileKind::tensix:
    case noc::TileKind::ethernet: {
      Slot& slot = touch(tile);
      slot.tile->deliver(cycle, std::move(message));
      wake(slot);
      break;
    }
    case noc::TileKind::dram: dram_.take(*plan_, {delivery.tail, delivery.head, tile, std::move(message)}); break;
    case noc::TileKind::pcie:
    case noc::TileKind::arc: edge_.take({cycle, tile, std::move(message)}); break;
    default: break;  // nobody sends there: tile/niu.cpp refuses it
  }
}

// ---- who wants to know of packets ----

void Chip::note(event::Packet packet) {
  attached_.packets.push_back(std::move(packet));
}

/// Of what is before `until` all is known.
void Chip::hand_on_packets(Cycle until) {
  std::ranges::sort(attached_.packets, {}, &event::Packet::order);
  const auto end =
      std::ranges::find_if(attached_.packets, [&](const event::Packet& packet) { return packet.cycle >= until; });
  for (auto packet = attached_.packets.begin(); packet != end; ++packet)
    attached_.observer->packet(*packet);
  attached_.packets.erase(attached_.packets.begin(), end);
  attached_.observer->told(until);
}

/// Memory answers later than in the window in which it is asked.
void Chip::answer_from_memory(Cycle until) {
  dram_.run(*plan_, until, [&](const Dram::Arrival& arrival, Dram::Served served, std::vector<std::uint8_t> data) {
    const Message& request = *arrival.message;
    const bool is_read = request.kind == MessageKind::read;
    const auto flits = static_cast<int>(1 + noc::data_flits(plan_->arch(), request));
    network_.give_room(request.noc, node(arrival.tile, request.noc), room_of(request), is_read ? 1 : flits,
                       served.room);
    respond(request, arrival.tile, served.answer, std::move(data));
  });
}

void Chip::answer_from_edge(Cycle until) {
  edge_.run(*plan_, attached_.outside, until,
            [&](const Edge::Arrival& arrival, Cycle ready, std::vector<std::uint8_t> data) {
              respond(*arrival.message, arrival.tile, ready, std::move(data));
            });
}

/// Of a tile without cores, to a read or a write.
void Chip::respond(const Message& request, Coordinates tile, Cycle ready, std::vector<std::uint8_t> data) {
  if (request.is_posted) return;
  const bool is_read = request.kind == MessageKind::read;
  Message response = response_to(request, is_read ? MessageKind::read_response : MessageKind::acknowledgement, tile);
  response.length = is_read ? request.length : 0;
  response.data = std::move(data);
  inject(tile, ready, sequences_[plan_->index(tile)]++, std::make_shared<const Message>(std::move(response)));
}

}  // namespace tensim::chip
