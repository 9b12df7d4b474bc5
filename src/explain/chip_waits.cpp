#include "explain/chip_waits.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include "arch/address_map.hpp"
#include "noc/counters.hpp"
#include "noc/registers.hpp"

namespace tensim::explain {
namespace {

using noc::Message;
using noc::MessageKind;
using noc::operator""_counter;
using What = ChipWait::What;

struct CounterMove {
  unsigned counter;
  std::uint16_t kinds;  // bits of the packets that move it where they arrive
};

constexpr std::uint16_t bit(MessageKind kind) {
  return static_cast<std::uint16_t>(1U << static_cast<unsigned>(kind));
}
constexpr std::uint16_t writes = bit(MessageKind::write) | bit(MessageKind::inline_write);
constexpr std::uint16_t responses =
    bit(MessageKind::read_response) | bit(MessageKind::acknowledgement) | bit(MessageKind::atomic_response);

/// Counters that move when something arrives (NoC/Counters.md); the rest move when the NIU's own requests leave.
constexpr std::array counter_moves{
    CounterMove{"NIU_MST_ATOMIC_RESP_RECEIVED"_counter, bit(MessageKind::atomic_response)},
    CounterMove{"NIU_MST_WR_ACK_RECEIVED"_counter, bit(MessageKind::acknowledgement)},
    CounterMove{"NIU_MST_RD_RESP_RECEIVED"_counter, bit(MessageKind::read_response)},
    CounterMove{"NIU_MST_RD_DATA_WORD_RECEIVED"_counter, bit(MessageKind::read_response)},
    CounterMove{"NIU_SLV_ATOMIC_RESP_SENT"_counter, bit(MessageKind::atomic)},
    CounterMove{"NIU_SLV_WR_ACK_SENT"_counter, writes},
    CounterMove{"NIU_SLV_RD_RESP_SENT"_counter, bit(MessageKind::read)},
    CounterMove{"NIU_SLV_RD_DATA_WORD_SENT"_counter, bit(MessageKind::read)},
    CounterMove{"NIU_SLV_REQ_ACCEPTED"_counter,
                static_cast<std::uint16_t>(bit(MessageKind::read) | bit(MessageKind::atomic))},
    CounterMove{"NIU_SLV_RD_REQ_RECEIVED"_counter, bit(MessageKind::read)},
    CounterMove{"NIU_SLV_NONPOSTED_ATOMIC_RECEIVED"_counter, bit(MessageKind::atomic)},
    CounterMove{"NIU_SLV_POSTED_ATOMIC_RECEIVED"_counter, bit(MessageKind::atomic)},
    CounterMove{"NIU_SLV_NONPOSTED_WR_DATA_WORD_RECEIVED"_counter, writes},
    CounterMove{"NIU_SLV_POSTED_WR_DATA_WORD_RECEIVED"_counter, writes},
    CounterMove{"NIU_SLV_NONPOSTED_WR_REQ_RECEIVED"_counter, writes},
    CounterMove{"NIU_SLV_POSTED_WR_REQ_RECEIVED"_counter, writes},
    CounterMove{"NIU_SLV_NONPOSTED_WR_REQ_STARTED"_counter, writes},
    CounterMove{"NIU_SLV_POSTED_WR_REQ_STARTED"_counter, writes},
};

/// The transaction id whose requests the counter counts.
std::optional<unsigned> outstanding_id(unsigned counter) {
  const unsigned id = counter - "NIU_MST_REQS_OUTSTANDING_ID"_counter;
  return id < noc::transaction_ids ? std::optional(id) : std::nullopt;
}

bool moves(unsigned counter, MessageKind kind, unsigned transaction_id) {
  if (const auto id = outstanding_id(counter)) return (responses & bit(kind)) != 0 && transaction_id == *id;
  const auto row = std::ranges::find(counter_moves, counter, &CounterMove::counter);
  return row != counter_moves.end() && (row->kinds & bit(kind)) != 0;
}

/// Whether writing the message changes one of the bytes [address, address + bytes).
bool writes_to(const Message& message, std::uint32_t address, unsigned bytes) {
  const auto line = [](std::uint64_t of) { return of & ~std::uint64_t{noc::atomic_bytes - 1}; };
  switch (message.kind) {
    case MessageKind::atomic:
      if (line(message.address) != line(address)) return false;
      if (message.atomic->kind == noc::AtomicKind::swap_mask || message.atomic->kind == noc::AtomicKind::accumulate)
        return true;
      return message.atomic->word == address % noc::atomic_bytes / sizeof(std::uint32_t);
    case MessageKind::inline_write: return line(message.address) == line(address);
    case MessageKind::write:
      if (message.byte_mask)
        for (unsigned i = 0; i < bytes; ++i) {
          const std::uint64_t at = address + i - line(message.address);
          if (at < message.length && (*message.byte_mask >> at & 1U) != 0) return true;
        }
      if (message.byte_mask) return false;
      [[fallthrough]];
    case MessageKind::read_response:
    case MessageKind::atomic_response:
      return message.address < std::uint64_t{address} + bytes && address < message.address + message.length;
    default: return false;
  }
}

void classify(const tile::Tile& tile, ChipWait& wait) {
  const Arch arch = tile.arch;
  const Region* region = find_region(arch, tile.devices.view_of(wait.who.core), wait.word.address);
  wait.what = What::own_matter;
  if (wait.word.is_l1) wait.what = What::l1_word;
  if (region == nullptr || wait.word.is_l1) return;
  if (region->kind == Region::Kind::noc_overlay) wait.what = What::register_word;
  if (region->kind != Region::Kind::noc_niu) return;
  wait.noc = region->index;
  const auto found = noc::niu_register_at(arch, wait.word.address - region->base);
  if (!found) return;
  using Part = noc::NiuRegister::Part;
  if (found->row->part == Part::counter) {
    wait.what = What::counter;
    wait.number = found->index;
  } else if (found->row->part == Part::go || found->row->part == Part::status) {
    wait.what = What::command_buffer;
    wait.number = found->buffer;
  }
}

}  // namespace

std::vector<ChipWait> chip_waits(const chip::Chip& chip) {
  std::vector<ChipWait> waits;
  for (const auto& [index, slot] : chip.slots()) {
    if (slot.has_fault) continue;
    for (unsigned core = 0; core < tile::core_count; ++core)
      for (const AwaitedWord& word : awaited_words(*slot.tile, static_cast<tile::CoreId>(core))) {
        ChipWait& wait = waits.emplace_back(CoreOfChip{slot.place, static_cast<tile::CoreId>(core)}, word);
        classify(*slot.tile, wait);
      }
  }
  return waits;
}

bool changes(const ChipWait& wait, const event::Packet& arrived) {
  const Message& message = *arrived.message;
  if (arrived.end != event::Packet::End::arrived || arrived.tile != wait.who.tile) return false;
  switch (wait.what) {
    case What::l1_word:
    case What::register_word: return writes_to(message, wait.word.address, wait.word.size_bytes);
    case What::counter: return message.noc == wait.noc && moves(wait.number, message.kind, message.transaction_id);
    case What::command_buffer:
    case What::own_matter: return false;
  }
  return false;
}

bool is_answered_there(const ChipWait& wait, const Message& request) {
  if (wait.what != What::counter || request.is_posted || request.noc != wait.noc) return false;
  if (request.return_tile != wait.who.tile) return false;
  switch (request.kind) {
    case MessageKind::read: return moves(wait.number, MessageKind::read_response, request.transaction_id);
    case MessageKind::write:
    case MessageKind::inline_write: return moves(wait.number, MessageKind::acknowledgement, request.transaction_id);
    case MessageKind::atomic: return moves(wait.number, MessageKind::atomic_response, request.transaction_id);
    default: return false;
  }
}

}  // namespace tensim::explain
