// What of a tile's state an operation reads or writes: what a race check compares, and nothing that a cycle asks.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "arch/named_rows.hpp"

namespace tensim::event {

/// What `owner`, `first`, `count` and `mask` of an access mean for each.
enum class Resource : std::uint8_t {
  semaphore,  // index
  mutex,      // index
  gpr,        // of thread `owner`, in halves: twice the number, plus one for the upper
  config,     // words of bank `owner`, of each the bits of `mask`; those that both banks share are listed for bank 0
  thread_config,  // words of thread `owner`
  adc,            // of context `owner`: tensix::adc_counter()
  rwc,            // of thread `owner`: tensix::RwcCounter
  src_a,          // rows of bank `owner`
  src_b,
  src_ownership,  // `owner` 0 SrcA, 1 SrcB; banks, with both sides' pointers to them
  src_format,     // `owner` 0 SrcA, 1 SrcB; banks: the format that came with the data (Blackhole's implied formats)
  dst,            // rows of 16 bits, wherever the instruction's view of Dst puts its own
  lreg,           // index; 16 is the one that only SFPLOADMACRO's instructions have
  lane_flags,     // and what else the lanes of the Vector Unit have: tensix::LaneState
  load_macro,     // of the Vector Unit: 0-3 instructions, 4-7 sequences, 8 Misc
  matrix,         // state of the Matrix Unit that several instructions share: tensix::MatrixState
  unpacker,       // state of unpacker `owner` that several instructions share: tensix::unpacker_state()
  packer,         // state of packer `owner` that several instructions share: tensix::PackerState
  mop_config,     // words of thread `owner`
  replay,         // slots of thread `owner`
  tdma,           // words of TDMA-RISC's registers
  stream,         // `owner` stream; register
  l1,             // bytes
  dram,           // bytes of memory `owner`
};

inline constexpr NamedRows resource_rows{std::array{
    NamedRow{Resource::semaphore, "semaphore"},
    NamedRow{Resource::mutex, "mutex"},
    NamedRow{Resource::gpr, "GPR"},
    NamedRow{Resource::config, "configuration"},
    NamedRow{Resource::thread_config, "thread configuration"},
    NamedRow{Resource::adc, "ADC"},
    NamedRow{Resource::rwc, "RWC"},
    NamedRow{Resource::src_a, "SrcA"},
    NamedRow{Resource::src_b, "SrcB"},
    NamedRow{Resource::src_ownership, "Src ownership"},
    NamedRow{Resource::src_format, "Src format"},
    NamedRow{Resource::dst, "Dst"},
    NamedRow{Resource::lreg, "LReg"},
    NamedRow{Resource::lane_flags, "lane flags"},
    NamedRow{Resource::load_macro, "LoadMacro"},
    NamedRow{Resource::matrix, "Matrix Unit"},
    NamedRow{Resource::unpacker, "unpacker"},
    NamedRow{Resource::packer, "packer"},
    NamedRow{Resource::mop_config, "MopCfg"},
    NamedRow{Resource::replay, "replay buffer"},
    NamedRow{Resource::tdma, "TDMA-RISC"},
    NamedRow{Resource::stream, "stream"},
    NamedRow{Resource::l1, "L1"},
    NamedRow{Resource::dram, "DRAM"},
}};
static_assert(resource_rows.cover(Resource::dram));

constexpr std::string_view name(Resource resource) {
  return resource_rows.name(resource);
}

struct Access {
  static constexpr std::uint32_t whole = ~0U;

  Resource resource = Resource::semaphore;
  std::uint8_t owner = 0;
  bool write = false;
  std::uint32_t first = 0;
  std::uint32_t count = 1;
  std::uint32_t mask = whole;  // bits of each word, of configuration only
  std::uint32_t changed =
      whole;  // of a write, of configuration only: those that it gives another value, as far as is known

  friend constexpr bool operator==(const Access&, const Access&) = default;
};

}  // namespace tensim::event
