// Requests that no NIU is meant to get: what hardware does with them is undefined, broken, or nobody's business to model. Each
// kind has a name and says what is wrong and what would be right; who issued it, where and when is the reader's to add.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "arch/named_rows.hpp"

namespace tensim::noc {

enum class Refusal : std::uint8_t {
  // ---- seen in the command buffer alone ----
  reserved_type,
  reserved_ctrl_bits,
  multicast_read,
  accumulating_write,
  unicast_vc_class,
  multicast_vc_class,
  multicast_pattern,
  length_zero,
  length_above_32_bits,
  split_misaligned,
  header_store_not_posted_write,
  delivery_to_overlay,
  atomic_no_operation,
  atomic_incr_get_ptr,
  atomic_get_tile_map,
  atomic_unknown_opcode,
  atomic_of_blackhole,
  atomic_swap_form,
  atomic_zaamo_form,
  atomic_accumulate_format,
  // ---- seen once the tiles at its ends are known ----
  no_such_tile,
  tile_off,
  tile_without_memory,
  tile_not_modelled,
  address_above_32_bits,
  beyond_l1,
  beyond_dram,
  mmio_length,
  mmio_misaligned,
  mmio_crosses_word,
  not_congruent_4,
  not_congruent_16,
  not_congruent_flit,
  bridge_misaligned,
  byte_enable_misaligned,
  byte_enable_source_misaligned,
  inline_to_memory,
  inline_to_l1,
  atomic_to_mmio,
  atomic_to_memory,
  atomic_misaligned,
  atomic_response_not_l1,
  atomic_response_misaligned,
  // ---- seen in what NIUs are doing ----
  multicast_without_receiver,
  register_while_busy,
  go_while_busy,
  go_during_split,
  linked_elsewhere,
  linked_other_channel,
  link_left_open,
  request_fifo,
  return_to_zero_interrupt,
  register_unknown,
  register_read_only,
  mmio_not_reachable,
  no_network,
  // ---- carried out all the same ----
  posted_atomic,
  multicast_unreserved,
  transaction_id_lost,
  priority_ignored,
  coordinates_by_chance,
};

struct RefusalRow {
  enum class Seen : std::uint8_t { in_registers, at_target, in_state };
  enum class Severity : std::uint8_t { fault, warning };
  Refusal value;
  std::string_view name;
  Seen seen;
  std::string_view text;
  std::string_view source;
  Severity severity = Severity::fault;
};

namespace detail {
inline constexpr auto refusal_rows = [] {
  using enum RefusalRow::Seen;
  using enum Refusal;
  return std::array{
      RefusalRow{reserved_type, "reserved_type", in_registers,
                 "bits 1:0 of NOC_CTRL are 3, which is no kind of request: 0 is a read, 1 an atomic, 2 a write",
                 "NoC/MemoryMap.md"},
      RefusalRow{reserved_ctrl_bits, "reserved_ctrl_bits", in_registers,
                 "NOC_CTRL has bits set that software must write as 0: bits 26:18, and on Wormhole bit 31",
                 "NoC/MemoryMap.md"},
      RefusalRow{multicast_read, "multicast_read", in_registers,
                 "a read with NOC_CMD_BRCST_PACKET: only writes and atomics can be broadcast", "NoC/MemoryMap.md"},
      RefusalRow{
          accumulating_write, "accumulating_write", in_registers,
          "NOC_CMD_L1_ACC_AT_EN is set: adding to L1 on arrival does not work on Blackhole, and the bit must be 0",
          "BlackholeA0/NoC/MemoryMap.md"},
      RefusalRow{
          unicast_vc_class, "unicast_vc_class", in_registers,
          "a request to one tile on a static virtual channel of class 2 or 3: classes 0 and 1 (channels 0 to 3) are "
          "for unicast",
          "NoC/MemoryMap.md"},
      RefusalRow{multicast_vc_class, "multicast_vc_class", in_registers,
                 "a broadcast on a static virtual channel that is not of class 2: channels 4 and 5 are for broadcasts",
                 "NoC/MemoryMap.md"},
      RefusalRow{multicast_pattern, "multicast_pattern", in_registers,
                 "NOC_BRCST_EXCLUDE has bits outside bits 22:8: what they do is not documented",
                 "tt-metal, "
                 "dataflow_api_common.h"},
      RefusalRow{length_zero, "length_zero", in_registers,
                 "a read or write of 0 bytes: NOC_AT_LEN_BE must be 1 or more", "NoC/MemoryMap.md"},
      RefusalRow{length_above_32_bits, "length_above_32_bits", in_registers,
                 "NOC_AT_LEN_BE_1 is not 0 in a request with a length: no memory is that large", "noc 1"},
      RefusalRow{
          split_misaligned, "split_misaligned", in_registers,
          "a request longer than a packet, which the NIU cuts into several, with an address that is not a multiple of "
          "a flit (32 bytes on Wormhole, 64 on Blackhole)",
          "NoC/Counters.md, ruling N7"},
      RefusalRow{header_store_not_posted_write, "header_store_not_posted_write", in_registers,
                 "NOC_PACKET_TAG_HEADER_STORE in a request that is not a posted write to L1", "NoC/MemoryMap.md"},
      RefusalRow{delivery_to_overlay, "delivery_to_overlay", in_registers,
                 "bit 6 of NOC_PACKET_TAG hands the packet to a stream of the receiver's overlay: not modelled",
                 "noc 1.1"},
      RefusalRow{atomic_no_operation, "atomic_no_operation", in_registers,
                 "atomic opcode 0: headers call it NOP, and no page says what it does or returns", "ruling N9"},
      RefusalRow{atomic_incr_get_ptr, "atomic_incr_get_ptr", in_registers,
                 "atomic opcode 2: headers call it INCR_GET_PTR, and no page says what it does", "ruling N9"},
      RefusalRow{atomic_get_tile_map, "atomic_get_tile_map", in_registers,
                 "atomic opcode 5: headers call it GET_TILE_MAP, and no page says what it does", "ruling N9"},
      RefusalRow{
          atomic_unknown_opcode, "atomic_unknown_opcode", in_registers,
          "an atomic opcode (bits 15:12 of NOC_AT_LEN_BE) that no page has: 1, 3, 4, 6, 7, and on Blackhole 9 and 10",
          "NoC/Atomics.md"},
      RefusalRow{atomic_of_blackhole, "atomic_of_blackhole", in_registers,
                 "atomic opcode 9 or 10 (addition to 16 bytes, Zaamo) on Wormhole: only Blackhole has them",
                 "BlackholeA0/NoC/Atomics.md"},
      RefusalRow{atomic_swap_form, "atomic_swap_form", in_registers,
                 "atomic opcode 6 with bit 2 clear: the swap that is documented has it set", "NoC/Atomics.md"},
      RefusalRow{
          atomic_zaamo_form, "atomic_zaamo_form", in_registers,
          "atomic opcode 10 with bit 11 clear and bits 10:8 other than 3: bit 11 makes it a Zaamo operation, 3 a swap",
          "BlackholeA0/NoC/Atomics.md"},
      RefusalRow{atomic_accumulate_format, "atomic_accumulate_format", in_registers,
                 "atomic opcode 9 with a format that is not documented: 3, 5, 6, 11 and 14 are not",
                 "BlackholeA0/NoC/Atomics.md"},
      RefusalRow{no_such_tile, "no_such_tile", at_target,
                 "coordinates that lead to no tile of the NoC once they are translated", "noc 5"},
      RefusalRow{tile_off, "tile_off", at_target, "the tile is off (harvested): nobody would answer", "noc 5"},
      RefusalRow{tile_without_memory, "tile_without_memory", at_target,
                 "the tile is nothing but a router: it has no memory to read or write", "noc 5"},
      RefusalRow{tile_not_modelled, "tile_not_modelled", at_target,
                 "a kind of tile that takes no requests of cores here: not modelled", "docs/library.md"},
      RefusalRow{address_above_32_bits, "address_above_32_bits", at_target,
                 "an address above 32 bits in a Tensix or Ethernet tile, which has none there", "NoC/MemoryMap.md"},
      RefusalRow{beyond_l1, "beyond_l1", at_target, "bytes behind the end of the tile's L1", "noc 4"},
      RefusalRow{beyond_dram, "beyond_dram", at_target, "bytes behind the end of the memory", "noc 8"},
      RefusalRow{mmio_length, "mmio_length", at_target,
                 "a transfer to a register (0xFF000000 and up of a tile with cores) that is not 4 bytes long",
                 "NoC/Alignment.md"},
      RefusalRow{mmio_misaligned, "mmio_misaligned", at_target,
                 "a transfer to a register with an address that is not a multiple of 4", "NoC/Alignment.md"},
      RefusalRow{mmio_crosses_word, "mmio_crosses_word", at_target,
                 "a transfer from a register to memory that goes beyond one aligned word of 4 bytes",
                 "NoC/Alignment.md"},
      RefusalRow{not_congruent_4, "not_congruent_4", at_target,
                 "source and destination addresses differ modulo 4, and data from a register is not shifted",
                 "NoC/Alignment.md"},
      RefusalRow{not_congruent_16, "not_congruent_16", at_target,
                 "source and destination addresses differ modulo 16: data from L1 is not shifted within 16 bytes",
                 "NoC/Alignment.md"},
      RefusalRow{
          not_congruent_flit, "not_congruent_flit", at_target,
          "source and destination addresses differ modulo a flit (32 bytes on Wormhole, 64 on Blackhole): data from "
          "DRAM, PCIe or ARC is not shifted within it",
          "NoC/Alignment.md, ruling N13"},
      RefusalRow{
          bridge_misaligned, "bridge_misaligned", at_target,
          "registers of the ARC tile are words of 4 bytes: address and length, or byte mask, must be whole words",
          "NoC/Alignment.md"},
      RefusalRow{byte_enable_misaligned, "byte_enable_misaligned", at_target,
                 "a write with a byte mask to memory: on Wormhole its destination must be a multiple of 32",
                 "NoC/Alignment.md"},
      RefusalRow{byte_enable_source_misaligned, "byte_enable_source_misaligned", at_target,
                 "a write with a byte mask: its source must be a multiple of 32 if Wormhole takes it from L1 to "
                 "memory, and of "
                 "4 if it is a register",
                 "NoC/Alignment.md"},
      RefusalRow{inline_to_memory, "inline_to_memory", at_target,
                 "an inline write to a tile without cores: it must go to a Tensix or Ethernet tile",
                 "NoC/MemoryMap.md"},
      RefusalRow{inline_to_l1, "inline_to_l1", at_target,
                 "an inline write to L1 on Blackhole, where hardware may hang over it: put the word into L1 and send a "
                 "plain write of 4 bytes, as tt-metal does",
                 "BlackholeA0/NoC/MemoryMap.md, ruling N16"},
      RefusalRow{atomic_to_mmio, "atomic_to_mmio", at_target, "an atomic on a register: atomics work on L1 alone",
                 "NoC/Atomics.md"},
      RefusalRow{atomic_to_memory, "atomic_to_memory", at_target,
                 "an atomic on DRAM, PCIe or ARC: atomics work on L1 of Tensix and Ethernet tiles alone",
                 "NoC/Atomics.md"},
      RefusalRow{atomic_misaligned, "atomic_misaligned", at_target,
                 "an atomic whose target address is not a multiple of 4: it returns the word there", "NoC/Atomics.md"},
      RefusalRow{atomic_response_not_l1, "atomic_response_not_l1", at_target,
                 "a marked atomic that wants its old value somewhere else than in L1", "NoC/Alignment.md"},
      RefusalRow{atomic_response_misaligned, "atomic_response_misaligned", at_target,
                 "a marked atomic that wants its old value at an address that is not a multiple of 4",
                 "NoC/Alignment.md"},
      RefusalRow{
          multicast_without_receiver, "multicast_without_receiver", in_state,
          "no tile of the rectangle takes broadcasts: the sender would wait for acknowledgements that do not come",
          "noc 1, noc 3"},
      RefusalRow{register_while_busy, "register_while_busy", in_state,
                 "a store to a command buffer whose request has not been accepted yet: wait until NOC_CMD_CTRL reads 0",
                 "NoC/MemoryMap.md"},
      RefusalRow{
          go_while_busy, "go_while_busy", in_state,
          "a second request from a command buffer whose first has not been accepted yet: wait until NOC_CMD_CTRL "
          "reads 0",
          "NoC/MemoryMap.md"},
      RefusalRow{
          go_during_split, "go_during_split", in_state,
          "a request while the NIU still cuts a long one into packets: wait until that one's NOC_CMD_CTRL reads 0",
          "NoC/Counters.md"},
      RefusalRow{
          linked_elsewhere, "linked_elsewhere", in_state,
          "a linked transaction goes on to another tile, rectangle or major axis: all its requests must have the same",
          "NoC/MemoryMap.md"},
      RefusalRow{linked_other_channel, "linked_other_channel", in_state,
                 "a linked transaction goes on with a request of another virtual channel, which the NIU can never send",
                 "NoC/MemoryMap.md"},
      RefusalRow{link_left_open, "link_left_open", in_state,
                 "a linked transaction was never ended: its last request must be without NOC_CMD_VC_LINKED",
                 "NoC/MemoryMap.md"},
      RefusalRow{request_fifo, "request_fifo", in_state,
                 "bit 16 of NIU_CFG_0 switches the request FIFO on: not modelled", "ruling N17"},
      RefusalRow{return_to_zero_interrupt, "return_to_zero_interrupt", in_state,
                 "NIU_TRANS_COUNT_RTZ_CFG lets transaction ids interrupt: not modelled",
                 "BlackholeA0/NoC/Interrupts.md"},
      RefusalRow{register_unknown, "register_unknown", in_state, "no register of the NIU is documented there",
                 "NoC/MemoryMap.md"},
      RefusalRow{register_read_only, "register_read_only", in_state,
                 "a store to a register of the NIU that cannot be written", "NoC/MemoryMap.md"},
      RefusalRow{
          mmio_not_reachable, "mmio_not_reachable", in_state,
          "a register of the tile, or memory of a core's own (its stack, variables that are not in L1), which the "
          "NoC does not reach",
          "noc 4"},
      RefusalRow{no_network, "no_network", in_state,
                 "this tile runs alone: there is no chip around it, and nothing that it sends would arrive; --tiles, "
                 "or [[tile]] in a scenario, runs it in one",
                 "a scenario without [[tile]]"},
      RefusalRow{posted_atomic, "posted_atomic", in_registers,
                 "an atomic without a mark on Blackhole, where hardware may hang over it: mark it, as tt-metal does",
                 "noc 4", RefusalRow::Severity::warning},
      RefusalRow{multicast_unreserved, "multicast_unreserved", in_registers,
                 "a broadcast that does not reserve its path: two of them can wait for each other for ever; set "
                 "NOC_CMD_PATH_RESERVE, as tt-metal does",
                 "NoC/MemoryMap.md, noc 6", RefusalRow::Severity::warning},
      RefusalRow{transaction_id_lost, "transaction_id_lost", at_target,
                 "a marked write to the PCIe or ARC tile of a Wormhole with a transaction id other than 0: its "
                 "acknowledgement counts id 0 down instead",
                 "WormholeB0/NoC/MemoryMap.md", RefusalRow::Severity::warning},
      RefusalRow{priority_ignored, "priority_ignored", in_registers,
                 "a request with a priority (NOC_CMD_ARB_PRIORITY): routers here take turns, and do not look at it",
                 "NoC/MemoryMap.md", RefusalRow::Severity::warning},
      RefusalRow{
          coordinates_by_chance, "coordinates_by_chance", at_target,
          "coordinates that are no tile's, neither raw ones nor those that firmware gives a tile: the translation "
          "tables lead them somewhere by chance",
          "noc 5", RefusalRow::Severity::warning},
  };
}();
}  // namespace detail

inline constexpr NamedRows refusal_rows{detail::refusal_rows};
static_assert(refusal_rows.cover(Refusal::coordinates_by_chance));

constexpr std::string_view name(Refusal refusal) {
  return refusal_rows.name(refusal);
}
constexpr std::string_view text(Refusal refusal) {
  return refusal_rows[refusal].text;
}

}  // namespace tensim::noc
