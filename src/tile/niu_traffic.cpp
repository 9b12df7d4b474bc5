// What the tile's NIUs do, and when: requests leave, messages arrive, memory is read and written for both. All of it happens
// as one of the tile's devices, behind the cores' stores of a cycle.
#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "noc/ends.hpp"
#include "tile/core_bus.hpp"
#include "tile/niu.hpp"
#include "tile/tile.hpp"

namespace tensim::tile {

using noc::operator""_counter;
using noc::operator""_niu;
using noc::Message;
using noc::MessageKind;
using noc::RequestKind;

namespace {

bool is_register(std::uint64_t address) {
  return noc::address_class(noc::TileKind::tensix, address) == noc::AddressClass::mmio;
}

void count_accepted(Niu& niu, const noc::Request& request) {
  niu.count("NIU_MST_CMD_ACCEPTED"_counter);
  switch (request.kind) {
    case RequestKind::read:
      niu.count("NIU_MST_RD_REQ_STARTED"_counter);
      niu.count("NIU_MST_RD_REQ_SENT"_counter);
      break;
    case RequestKind::atomic:
      if (!request.is_posted) niu.count("NIU_MST_NONPOSTED_ATOMIC_STARTED"_counter);
      niu.count(request.is_posted ? "NIU_MST_POSTED_ATOMIC_SENT"_counter : "NIU_MST_NONPOSTED_ATOMIC_SENT"_counter);
      break;
    case RequestKind::inline_write:
      niu.count(request.is_posted ? "NIU_MST_POSTED_WR_REQ_SENT"_counter : "NIU_MST_NONPOSTED_WR_REQ_SENT"_counter);
      [[fallthrough]];
    case RequestKind::write:
      niu.count(request.is_posted ? "NIU_MST_POSTED_WR_REQ_STARTED"_counter
                                  : "NIU_MST_NONPOSTED_WR_REQ_STARTED"_counter);
      break;
  }
}

/// The source of a write can be changed: all of it has been read.
void count_read_out(Niu& niu, const Niu::Reading& write) {
  niu.count(write.is_posted ? "NIU_MST_POSTED_WR_REQ_SENT"_counter : "NIU_MST_NONPOSTED_WR_REQ_SENT"_counter);
  niu.count(
      write.is_posted ? "NIU_MST_POSTED_WR_DATA_WORD_SENT"_counter : "NIU_MST_NONPOSTED_WR_DATA_WORD_SENT"_counter,
      write.flits);
  niu.count_id("NIU_MST_WRITE_REQS_OUTGOING_ID"_counter, write.transaction_id, ~0U);
}

/// An inline write is one flit, and counts as one of data (NoC/Counters.md).
void count_write_received(Arch arch, Niu& niu, const Message& message) {
  const bool posted = message.is_posted;
  const std::uint32_t flits = message.kind == MessageKind::inline_write ? 1 : noc::data_flits(arch, message);
  niu.count(posted ? "NIU_SLV_POSTED_WR_REQ_STARTED"_counter : "NIU_SLV_NONPOSTED_WR_REQ_STARTED"_counter);
  niu.count(posted ? "NIU_SLV_POSTED_WR_DATA_WORD_RECEIVED"_counter : "NIU_SLV_NONPOSTED_WR_DATA_WORD_RECEIVED"_counter,
            flits);
  niu.count(posted ? "NIU_SLV_POSTED_WR_REQ_RECEIVED"_counter : "NIU_SLV_NONPOSTED_WR_REQ_RECEIVED"_counter);
  if (!posted) niu.count("NIU_SLV_WR_ACK_SENT"_counter);
}

/// What a write with a byte mask does to a register: the mask is ignored, and a word is written. To memory it goes from and to
/// addresses that are rounded down, up to the last byte of the mask (noc 4).
void apply_mask(const Niu::Waiting& waiting, Message& message) {
  if (noc::address_class(waiting.tiles.ends.target.kind, message.address) == noc::AddressClass::mmio) {
    message.length = sizeof(std::uint32_t);
    message.byte_mask.reset();
    return;
  }
  message.length = std::max(1U, static_cast<std::uint32_t>(std::bit_width(*message.byte_mask)));
  message.address = noc::masked_address(message.address);
}

/// The packet of a request, or its first; without its data.
Message message_of(Arch arch, const Niu::Waiting& waiting, unsigned noc, noc::Coordinates own) {
  const noc::Request& request = waiting.request;
  const bool is_inline = request.kind == RequestKind::inline_write;
  Message message{.kind = message_kind(request.kind),
                  .noc = static_cast<std::uint8_t>(noc),
                  .channel = noc::channel_of(request),
                  .has_fixed_channel = request.channel.has_value() || request.is_linked,
                  .is_linked = request.is_linked,
                  .is_posted = request.is_posted,
                  .transaction_id = static_cast<std::uint8_t>(noc::answered_id(arch, request, waiting.tiles.ends)),
                  .source = own,
                  .target = waiting.tiles.target,
                  .broadcast = request.broadcast,
                  .address = request.target.address,
                  .return_tile = is_inline ? own : waiting.tiles.other,
                  .return_address = request.other.address,
                  .length = std::min(request.length, noc::packet_bytes(arch)),
                  .byte_mask = request.byte_mask,
                  .immediate = request.immediate,
                  .atomic = request.atomic,
                  .header_store = request.header_store,
                  .issuer = waiting.issuer};
  if (request.byte_mask && !is_inline) apply_mask(waiting, message);
  return message;
}

/// The registers of a request that is cut into packets say what is left of it.
void advance_registers(Arch arch, Niu& niu, unsigned buffer, std::uint32_t bytes) {
  niu.requested(arch, "NOC_AT_LEN_BE"_niu, buffer) -= bytes;
  const auto add = [&](const noc::NiuRegister& lo, const noc::NiuRegister& mid) {
    std::uint32_t& low = niu.requested(arch, lo, buffer);
    low += bytes;
    if (on(arch, false, true) && low < bytes) ++niu.requested(arch, mid, buffer);
  };
  add("NOC_TARG_ADDR_LO"_niu, "NOC_TARG_ADDR_MID"_niu);
  add("NOC_RET_ADDR_LO"_niu, "NOC_RET_ADDR_MID"_niu);
}

}  // namespace

// ---- between the tile and the network ----

void Tile::deliver(Cycle cycle, noc::MessagePointer message) {
  add_to_inbox({.cycle = cycle, .message = std::move(message)});
}

void Tile::give_room(const noc::Credit& credit) {
  add_to_inbox({.cycle = credit.cycle, .credit = credit});
}

/// Messages come in the order of cycles, and news of room does; but a message takes time in the NIU that news does not.
void Tile::add_to_inbox(Arrival arrival) {
  const auto place =
      std::upper_bound(inbox_.begin() + static_cast<std::ptrdiff_t>(time_.arrived), inbox_.end(), arrival.cycle,
                       [](Cycle cycle, const Arrival& other) { return cycle < other.cycle; });
  inbox_.insert(place, std::move(arrival));
  look_again_at(coprocessor_and_devices);
}

/// After a run that was repeated, messages that have been taken before are there again: they are the same.
std::vector<Outgoing> Tile::take_outgoing() {
  std::vector<Outgoing> taken = std::exchange(devices.nius.outgoing, {});
  std::erase_if(taken, [this](const Outgoing& message) { return message.sequence < sent_; });
  sent_ = std::max(sent_, devices.nius.sequence);
  return taken;
}

Cycle Tile::next_arrival() const {
  if (time_.arrived == inbox_.size()) return never;
  return std::max(inbox_[time_.arrived].cycle, time_.arrivals_from);
}

/// What has arrived for good is not needed any more.
void Tile::forget_arrivals() {
  inbox_.erase(inbox_.begin(), inbox_.begin() + static_cast<std::ptrdiff_t>(time_.arrived));
  time_.arrived = 0;
}

// ---- in a cycle ----

/// False if something of it concerns a core that has run past the cycle.
bool Tile::run_nius(const Moment& moment) {
  while (next_arrival() <= moment.cycle) {
    const Arrival& arrival = inbox_[time_.arrived];
    if (arrival.message == nullptr) {
      devices.nius.niu[arrival.credit.noc].rooms[arrival.credit.vc].give_back(arrival.credit);
    } else if (!arrive(arrival.message, moment)) {
      if (time_.conflict) return false;
      time_.arrivals_from = moment.cycle + 1;  // a register that is not ready for it
      break;
    }
    ++time_.arrived;
  }
  for (unsigned noc = 0; noc < noc::noc_count; ++noc)
    run_niu(noc, moment);
  devices.nius.look_again();
  time_.window = std::min(time_.window, std::max(moment.cycle + 1, end_of_reach()));
  if (!is_marked_) forget_arrivals();
  return !time_.conflict;
}

/// Up to where nobody can have answered what the tile has sent. In a run that is repeated, messages that have been taken
/// already are there again, and do not count.
Cycle Tile::end_of_reach() const {
  if (reach_ == never) return never;
  const Cycle first = first_outgoing();
  return first == never ? never : first + reach_;
}

Cycle Tile::first_outgoing() const {
  const auto is_new = [this](const Outgoing& message) { return message.sequence >= sent_; };
  const auto first = std::ranges::find_if(devices.nius.outgoing, is_new);
  return first == devices.nius.outgoing.end() ? never : first->cycle;
}

void Tile::run_niu(unsigned noc, const Moment& moment) {
  Niu& niu = devices.nius.niu[noc];
  while (!niu.reading.empty() && niu.reading.front().cycle <= moment.cycle)
    count_read_out(niu, niu.reading.pop());
  std::size_t served = 0;
  while (served < niu.serving.size() && niu.serving[served].cycle <= moment.cycle)
    serve(niu, *niu.serving[served++].message, moment);
  niu.serving.erase(niu.serving.begin(), niu.serving.begin() + static_cast<std::ptrdiff_t>(served));
  if (niu.next_event() <= moment.cycle) accept(noc, moment);
}

/// The oldest request of the NIU gets its channel.
void Tile::accept(unsigned noc, const Moment& moment) {
  Niu& niu = devices.nius.niu[noc];
  Niu::Waiting& waiting = niu.waiting.at(0);
  noc::Request& request = waiting.request;
  Message message = message_of(arch, waiting, noc, devices.nius.place.tile);
  if (request.kind == RequestKind::write) {
    message.data = read_source(message, request.other.address, moment);
    const std::uint32_t flits = noc::data_flits(arch, message);
    niu.source_free = std::max(niu.source_free, moment.cycle) + flits;
    niu.reading.push({.cycle = niu.source_free,
                      .transaction_id = static_cast<std::uint8_t>(request.transaction_id),
                      .is_posted = message.is_posted,
                      .flits = flits});
  }
  niu.rooms[message.channel].take(1 + noc::data_flits(arch, message));
  count_accepted(niu, request);
  const std::uint32_t sent = message.length;
  devices.nius.send(moment.cycle, std::move(message));
  if (request.length > sent) {  // cut into packets: the rest waits in its place
    request.length -= sent;
    request.target.address += sent;
    request.other.address += sent;
    advance_registers(arch, niu, waiting.buffer, sent);
    waiting.from = moment.cycle + 1;
    return;
  }
  niu.busy = static_cast<std::uint8_t>(niu.busy & ~(1U << waiting.buffer));
  niu.waiting.pop();
  if (!niu.waiting.empty()) niu.waiting.at(0).from = std::max(niu.waiting.front().from, moment.cycle + 1);
}

/// False if it cannot arrive yet, or not without repeating the run.
bool Tile::arrive(const noc::MessagePointer& message, const Moment& moment) {
  Niu& niu = devices.nius.niu[message->noc];
  const auto response_has_arrived = [&](unsigned counter) {
    niu.count(counter);
    niu.count_id("NIU_MST_REQS_OUTSTANDING_ID"_counter, message->transaction_id, ~0U);
  };
  switch (message->kind) {
    case MessageKind::read:
      niu.count("NIU_SLV_REQ_ACCEPTED"_counter);
      niu.count("NIU_SLV_RD_REQ_RECEIVED"_counter);
      niu.served_until = std::max(niu.served_until, moment.cycle);
      niu.serving.push_back({niu.served_until, message});
      niu.served_until += noc::flits_of(arch, message->length);
      return true;
    case MessageKind::write:
    case MessageKind::inline_write:
      if (message->broadcast && !takes_part(devices.nius, arch, *message)) return true;
      if (!write_for_noc(*message, moment)) return false;
      count_write_received(arch, niu, *message);
      if (!message->is_posted)
        devices.nius.send(moment.cycle + 1,
                          response_to(*message, MessageKind::acknowledgement, devices.nius.place.tile));
      return true;
    case MessageKind::atomic:
      if (message->broadcast && !takes_part(devices.nius, arch, *message)) return true;
      carry_out_atomic(*message, moment);
      return true;
    case MessageKind::read_response:
      if (!write_for_noc(*message, moment)) return false;
      niu.count("NIU_MST_RD_DATA_WORD_RECEIVED"_counter, noc::data_flits(arch, *message));
      response_has_arrived("NIU_MST_RD_RESP_RECEIVED"_counter);
      return true;
    case MessageKind::acknowledgement: response_has_arrived("NIU_MST_WR_ACK_RECEIVED"_counter); return true;
    case MessageKind::atomic_response:
      if (!write_for_noc(*message, moment)) return false;
      response_has_arrived("NIU_MST_ATOMIC_RESP_RECEIVED"_counter);
      return true;
  }
  __builtin_unreachable();
}

bool takes_part(const Nius& nius, Arch arch, const Message& message) {
  const Niu& niu = nius.niu[message.noc];
  const noc::Coordinates own = nius.place.plan->on_noc(nius.place.tile, message.noc);
  if (message.broadcast->excluded && message.broadcast->excluded->contains(own)) return false;
  return noc::takes_broadcasts(niu.configured(arch, "ROUTER_CFG_1"_niu), niu.configured(arch, "ROUTER_CFG_3"_niu), own);
}

void Tile::serve(Niu& niu, const Message& read, const Moment& moment) {
  Message response = response_to(read, MessageKind::read_response, devices.nius.place.tile);
  response.length = read.length;
  response.data = read_for_noc(read, read.address, moment);
  niu.count("NIU_SLV_RD_RESP_SENT"_counter);
  niu.count("NIU_SLV_RD_DATA_WORD_SENT"_counter, noc::data_flits(arch, response));
  devices.nius.send(moment.cycle + 1, std::move(response));
}

void Tile::carry_out_atomic(const Message& message, const Moment& moment) {
  Niu& niu = devices.nius.niu[message.noc];
  niu.count("NIU_SLV_REQ_ACCEPTED"_counter);
  niu.count(message.is_posted ? "NIU_SLV_POSTED_ATOMIC_RECEIVED"_counter : "NIU_SLV_NONPOSTED_ATOMIC_RECEIVED"_counter);
  const auto address = static_cast<std::uint32_t>(message.address);
  const std::uint32_t line = address & ~static_cast<std::uint32_t>(noc::atomic_bytes - 1);
  l1.before_write(line);
  const std::uint32_t old =
      noc::carry_out(*message.atomic, message.immediate, address,
                     std::span<std::uint8_t, noc::atomic_bytes>(l1.data() + line, noc::atomic_bytes));
  l1_changed(line, noc::atomic_bytes, moment);
  if (message.is_posted) return;
  niu.count("NIU_SLV_ATOMIC_RESP_SENT"_counter);
  Message response = response_to(message, MessageKind::atomic_response, devices.nius.place.tile);
  response.length = sizeof old;
  response.data.resize(sizeof old);
  std::memcpy(response.data.data(), &old, sizeof old);
  devices.nius.send(moment.cycle + 1, std::move(response));
}

// ---- memory and registers, as the NoC sees them ----

/// Bytes that a write takes along. With a mask they come from a rounded address, and a register gives its word again and again.
std::vector<std::uint8_t> Tile::read_source(const Message& message, std::uint64_t address, const Moment& moment) {
  if (!message.byte_mask) return read_for_noc(message, address, moment);
  if (!is_register(address)) return read_for_noc(message, noc::masked_address(address), moment);
  std::vector<std::uint8_t> data = read_for_noc(message, address, moment);
  for (std::size_t i = sizeof(std::uint32_t); i < data.size(); ++i)
    data[i] = data[i - sizeof(std::uint32_t)];
  return data;
}

/// Bytes that a read asks for.
std::vector<std::uint8_t> Tile::read_for_noc(const Message& message, std::uint64_t address, const Moment& moment) {
  std::vector<std::uint8_t> data(message.length);
  if (!is_register(address)) {
    std::memcpy(data.data(), l1.data() + address, data.size());
    return data;
  }
  const auto at = static_cast<std::uint32_t>(address);
  const Answer answer = load_register(at & ~3U, moment);
  if (!answer.is_done()) stop_with(NocFault{moment.cycle, message.noc, at, false, answer.fault, message.issuer});
  const std::size_t first = at % sizeof answer.value;
  std::memcpy(data.data(), reinterpret_cast<const std::uint8_t*>(&answer.value) + first,
              std::min(data.size(), sizeof answer.value - first));
  return data;
}

/// False if it cannot be written yet, or not without repeating the run.
bool Tile::write_for_noc(const Message& message, const Moment& moment) {
  const bool is_inline = message.kind == MessageKind::inline_write;
  const auto address = static_cast<std::uint32_t>(message.address);
  if (is_register(message.address)) {
    std::uint32_t value = message.immediate;
    if (!is_inline) std::memcpy(&value, message.data.data(), std::min(message.data.size(), sizeof value));
    const Answer answer = store_register(address, value, moment, message.issuer);
    if (answer.fault != AccessFault::none)
      stop_with(NocFault{moment.cycle, message.noc, address, true, answer.fault, message.issuer});
    return answer.wait == Wait::none && !time_.conflict;
  }
  if (is_inline) {
    write_inline(message, moment);
    return true;
  }
  l1.before_write(address, message.length);
  if (!message.byte_mask) {
    std::memcpy(l1.data() + address, message.data.data(), message.length);
  } else {
    for (std::uint32_t i = 0; i < message.length; ++i)
      if ((*message.byte_mask >> i & 1U) != 0) l1.data()[address + i] = message.data[i];
  }
  l1_changed(address, message.length, moment);
  if (message.header_store) store_header(message, moment);
  return true;
}

/// NOC_PACKET_TAG_HEADER_STORE: the first 16 bytes, or as many as there are (*assumed*), go to a second place.
void Tile::store_header(const Message& message, const Moment& moment) {
  const auto to = static_cast<std::uint32_t>(*message.header_store);
  const auto bytes = static_cast<std::uint32_t>(std::min<std::size_t>(message.data.size(), noc::header_store_bytes));
  l1.before_write(to, bytes);
  std::memcpy(l1.data() + to, message.data.data(), bytes);
  l1_changed(to, bytes, moment);
}

/// To L1 of Wormhole: the word four times, under two masks of 16 bits, one after the other (noc 4).
void Tile::write_inline(const Message& message, const Moment& moment) {
  constexpr std::uint32_t line_bytes = 16;
  const std::uint32_t line = static_cast<std::uint32_t>(message.address) & ~(line_bytes - 1);
  const std::uint64_t masks = message.byte_mask.value_or(0);
  l1.before_write(line);
  for (std::uint32_t i = 0; i < line_bytes; ++i)
    if (((masks | masks >> line_bytes) >> i & 1U) != 0)
      l1.data()[line + i] = static_cast<std::uint8_t>(message.immediate >> (8 * (i % 4)));
  l1_changed(line, line_bytes, moment);
}

/// The run ends with the cycle of it.
void Tile::stop_with(const NocFault& fault) {
  if (!noc_fault) noc_fault = fault;
  time_.window = std::min(time_.window, noc_fault->cycle + 1);
  time_.horizon = std::min(time_.horizon, noc_fault->cycle + 1);
}

}  // namespace tensim::tile
