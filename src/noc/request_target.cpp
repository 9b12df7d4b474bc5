// Whether a request can be carried out between the tiles at its ends: addresses, alignment, kinds of tile.
#include <array>
#include <bit>

#include "arch/sizes.hpp"
#include "noc/request.hpp"

namespace tensim::noc {
namespace {

constexpr std::uint64_t first_mmio = 0xFF00'0000;
constexpr std::uint64_t word_bytes = 4;

// ---- the tile and the address by themselves ----

std::optional<Refusal> wrong_tile(const End& end) {
  if (end.is_off) return Refusal::tile_off;
  switch (end.kind) {
    case TileKind::router: return Refusal::tile_without_memory;
    case TileKind::l2cpu:
    case TileKind::security: return Refusal::tile_not_modelled;
    default: return std::nullopt;
  }
}

/// Whether [address, address + bytes) is there.
std::optional<Refusal> wrong_range(Arch arch, TileKind kind, std::uint64_t address, std::uint64_t bytes) {
  if (kind == TileKind::dram) {
    const bool fits = address < memory_bytes(arch) && bytes <= memory_bytes(arch) - address;
    return fits ? std::nullopt : std::optional(Refusal::beyond_dram);
  }
  if (!has_cores(kind)) return std::nullopt;
  if (address > UINT32_MAX) return Refusal::address_above_32_bits;
  if (address >= first_mmio) return std::nullopt;
  const std::uint64_t size = *l1_bytes(arch, kind);
  return address < size && bytes <= size - address ? std::nullopt : std::optional(Refusal::beyond_l1);
}

std::optional<Refusal> wrong_end(Arch arch, const End& end, std::uint64_t address, std::uint64_t bytes) {
  if (const auto wrong = wrong_tile(end)) return wrong;
  return wrong_range(arch, end.kind, address, bytes);
}

// ---- requests with a length: the table of NoC/Alignment.md ----

struct PairRow {
  enum class Length : std::uint8_t { any, within_word, word };  // within_word: does not cross an aligned word
  AddressClass from;
  AddressClass to;
  Length length;
  unsigned congruent;  // addresses are equal modulo this; 0: modulo a flit
};
constexpr unsigned modulo_flit = 0;
constexpr std::array pair_rows{
    PairRow{AddressClass::mmio, AddressClass::mmio, PairRow::Length::word, 1},
    PairRow{AddressClass::mmio, AddressClass::l1, PairRow::Length::within_word, 4},
    PairRow{AddressClass::mmio, AddressClass::other, PairRow::Length::within_word, 4},
    PairRow{AddressClass::l1, AddressClass::mmio, PairRow::Length::word, 16},
    PairRow{AddressClass::l1, AddressClass::l1, PairRow::Length::any, 16},
    PairRow{AddressClass::l1, AddressClass::other, PairRow::Length::any, 16},
    PairRow{AddressClass::other, AddressClass::mmio, PairRow::Length::word, 16},
    PairRow{AddressClass::other, AddressClass::l1, PairRow::Length::any, modulo_flit},
    PairRow{AddressClass::other, AddressClass::other, PairRow::Length::any, modulo_flit},
};

std::optional<Refusal> wrong_length(PairRow::Length rule, std::uint64_t from, std::uint64_t to, std::uint64_t length) {
  switch (rule) {
    case PairRow::Length::any: return std::nullopt;
    case PairRow::Length::within_word:
      return length > word_bytes - from % word_bytes ? std::optional(Refusal::mmio_crosses_word) : std::nullopt;
    case PairRow::Length::word:
      if (length != word_bytes) return Refusal::mmio_length;
      return (from | to) % word_bytes != 0 ? std::optional(Refusal::mmio_misaligned) : std::nullopt;
  }
  __builtin_unreachable();
}

Refusal not_congruent(unsigned modulo) {
  switch (modulo) {
    case 4: return Refusal::not_congruent_4;
    case 16: return Refusal::not_congruent_16;
    default: return Refusal::not_congruent_flit;
  }
}

std::optional<Refusal> wrong_pair(Arch arch, const Place& from, TileKind from_kind, const Place& to, TileKind to_kind,
                                  std::uint64_t length) {
  const AddressClass from_class = address_class(from_kind, from.address);
  const AddressClass to_class = address_class(to_kind, to.address);
  for (const PairRow& row : pair_rows) {
    if (row.from != from_class || row.to != to_class) continue;
    if (const auto wrong = wrong_length(row.length, from.address, to.address, length)) return wrong;
    const std::uint64_t modulo = row.congruent == modulo_flit ? flit_bytes(arch) : row.congruent;
    if (from.address % modulo != to.address % modulo) return not_congruent(row.congruent);
  }
  const bool crosses_bridge = from_kind == TileKind::arc || to_kind == TileKind::arc;
  if (crosses_bridge && (from.address | to.address | length) % word_bytes != 0) return Refusal::bridge_misaligned;
  return std::nullopt;
}

// ---- writes with a byte mask ----

constexpr std::uint64_t mask_bytes(Arch arch) {
  return on(arch, 32U, 64U);
}
/// Blackhole rounds addresses down to 16.
constexpr bool mask_needs_alignment(Arch arch) {
  return on(arch, true, false);
}

std::optional<Refusal> wrong_mask(Arch arch, const Request& request, const Ends& ends) {
  const std::uint64_t from = request.other.address;
  const std::uint64_t to = request.target.address;
  const bool is_from_mmio = address_class(ends.initiator.kind, from) == AddressClass::mmio;
  if (is_from_mmio && from % word_bytes != 0) return Refusal::byte_enable_source_misaligned;
  if (address_class(ends.target.kind, to) == AddressClass::mmio) {
    if (to % word_bytes != 0) return Refusal::mmio_misaligned;
    return !is_from_mmio && from % 16 != to % 16 ? std::optional(Refusal::not_congruent_16) : std::nullopt;
  }
  if (!mask_needs_alignment(arch)) return std::nullopt;
  if (to % mask_bytes(arch) != 0) return Refusal::byte_enable_misaligned;
  return !is_from_mmio && from % mask_bytes(arch) != 0 ? std::optional(Refusal::byte_enable_source_misaligned)
                                                       : std::nullopt;
}

/// Whether it selects all or none of each word.
bool selects_words(std::uint64_t mask) {
  for (; mask != 0; mask >>= word_bytes)
    if (mask % 16 != 0 && mask % 16 != 15) return false;
  return true;
}

/// Addresses are rounded down, and what a mask does not select is not there for it.
std::optional<Refusal> wrong_masked_write(Arch arch, const Request& request, const Ends& ends) {
  const auto bytes = static_cast<std::uint64_t>(std::bit_width(*request.byte_mask));
  if (const auto wrong = wrong_end(arch, ends.target, masked_address(request.target.address), bytes)) return wrong;
  if (const auto wrong = wrong_end(arch, ends.initiator, masked_address(request.other.address), bytes)) return wrong;
  if (ends.target.kind == TileKind::arc && !selects_words(*request.byte_mask)) return Refusal::bridge_misaligned;
  return wrong_mask(arch, request, ends);
}

// ---- by kind of request ----

std::optional<Refusal> wrong_read(Arch arch, const Request& request, const Ends& ends) {
  if (const auto wrong = wrong_end(arch, ends.target, request.target.address, request.length)) return wrong;
  if (const auto wrong = wrong_end(arch, ends.other, request.other.address, request.length)) return wrong;
  return wrong_pair(arch, request.target, ends.target.kind, request.other, ends.other.kind, request.length);
}

/// NOC_PACKET_TAG_HEADER_STORE: the first bytes are written to a second place.
std::optional<Refusal> wrong_header_store(Arch arch, const Request& request, const Ends& ends) {
  if (address_class(ends.target.kind, request.target.address) != AddressClass::l1)
    return Refusal::header_store_not_posted_write;
  if (address_class(ends.target.kind, *request.header_store) != AddressClass::l1) return Refusal::beyond_l1;
  return wrong_range(arch, ends.target.kind, *request.header_store, header_store_bytes);
}

std::optional<Refusal> wrong_write(Arch arch, const Request& request, const Ends& ends) {
  if (request.header_store)
    if (const auto wrong = wrong_header_store(arch, request, ends)) return wrong;
  if (request.byte_mask) return wrong_masked_write(arch, request, ends);
  if (const auto wrong = wrong_end(arch, ends.target, request.target.address, request.length)) return wrong;
  if (const auto wrong = wrong_end(arch, ends.initiator, request.other.address, request.length)) return wrong;
  return wrong_pair(arch, request.other, ends.initiator.kind, request.target, ends.target.kind, request.length);
}

constexpr bool inline_to_l1_works(Arch arch) {
  return on(arch, true, false);
}

std::optional<Refusal> wrong_inline(Arch arch, const Request& request, const Ends& ends) {
  if (const auto wrong = wrong_tile(ends.target)) return wrong;
  if (!has_cores(ends.target.kind)) return Refusal::inline_to_memory;
  if (const auto wrong = wrong_range(arch, ends.target.kind, request.target.address, 1)) return wrong;
  if (address_class(ends.target.kind, request.target.address) == AddressClass::l1)
    return inline_to_l1_works(arch) ? std::nullopt : std::optional(Refusal::inline_to_l1);
  return request.target.address % word_bytes != 0 ? std::optional(Refusal::mmio_misaligned) : std::nullopt;
}

std::optional<Refusal> wrong_atomic(Arch arch, const Request& request, const Ends& ends) {
  if (const auto wrong = wrong_tile(ends.target)) return wrong;
  if (!has_cores(ends.target.kind)) return Refusal::atomic_to_memory;
  if (const auto wrong = wrong_range(arch, ends.target.kind, request.target.address, 1)) return wrong;
  if (address_class(ends.target.kind, request.target.address) == AddressClass::mmio) return Refusal::atomic_to_mmio;
  if (request.target.address % word_bytes != 0) return Refusal::atomic_misaligned;
  if (request.is_posted) return std::nullopt;
  if (const auto wrong = wrong_end(arch, ends.other, request.other.address, word_bytes)) return wrong;
  if (address_class(ends.other.kind, request.other.address) != AddressClass::l1) return Refusal::atomic_response_not_l1;
  return request.other.address % word_bytes != 0 ? std::optional(Refusal::atomic_response_misaligned) : std::nullopt;
}

constexpr bool loses_transaction_ids(Arch arch) {
  return on(arch, true, false);
}
constexpr bool may_hang_over_posted_atomics(Arch arch) {
  return on(arch, false, true);
}

}  // namespace

AddressClass address_class(TileKind kind, std::uint64_t address) {
  if (!has_cores(kind)) return AddressClass::other;
  return address < first_mmio ? AddressClass::l1 : AddressClass::mmio;
}

std::optional<std::uint32_t> l1_bytes(Arch arch, TileKind kind) {
  if (kind == TileKind::ethernet) return static_cast<std::uint32_t>(size(arch, "ethernet_l1_bytes"_size));
  if (kind == TileKind::tensix) return static_cast<std::uint32_t>(size(arch, "l1_bytes"_size));
  return std::nullopt;
}

std::optional<Refusal> refusal(Arch arch, const Request& request, const Ends& ends) {
  switch (request.kind) {
    case RequestKind::read: return wrong_read(arch, request, ends);
    case RequestKind::write: return wrong_write(arch, request, ends);
    case RequestKind::inline_write: return wrong_inline(arch, request, ends);
    case RequestKind::atomic: return wrong_atomic(arch, request, ends);
  }
  __builtin_unreachable();
}

unsigned answered_id(Arch arch, const Request& request, const Ends& ends) {
  const bool is_edge = ends.target.kind == TileKind::pcie || ends.target.kind == TileKind::arc;
  const bool is_marked_write = request.kind == RequestKind::write && !request.is_posted && !request.broadcast;
  return is_marked_write && is_edge && loses_transaction_ids(arch) ? 0 : request.transaction_id;
}

std::optional<Refusal> warning(Arch arch, const Request& request, const Ends& ends) {
  if (request.kind == RequestKind::atomic && request.is_posted && may_hang_over_posted_atomics(arch))
    return Refusal::posted_atomic;
  if (answered_id(arch, request, ends) != request.transaction_id) return Refusal::transaction_id_lost;
  if (request.broadcast && !request.broadcast->reserves_path) return Refusal::multicast_unreserved;
  if (request.priority != 0) return Refusal::priority_ignored;
  return std::nullopt;
}

}  // namespace tensim::noc
