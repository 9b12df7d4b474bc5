// The ARC tile, as far as host software looks: memory, scratch registers, telemetry, and answers to messages. Nobody runs
// there. What its firmware would have written is a table, and a message is answered in the access that announces it.
// Pages: ARCTile/README.md and ARCTile/ResetUnit.md (Wormhole). Tables and messages: tt-umd, device/arc.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "arch/arch.hpp"
#include "chip/sparse_memory.hpp"
#include "device/arc_messages.hpp"
#include "noc/floor_plan.hpp"

namespace tensim::device {

using chip::SparseMemory;

/// Fixed addresses on the tile's crossbar. Where firmware puts its tables is ours to choose: hosts ask.
struct ArcMap {
  static constexpr std::uint32_t memory_base = 0x1000'0000;  // "CSM"
  static constexpr std::uint32_t memory_bytes = 512U << 10U;
  static constexpr std::uint32_t registers_base = 0x8000'0000;  // "APB"
  static constexpr std::uint32_t registers_bytes = 1U << 20U;
  // Among the registers:
  static constexpr std::uint32_t scratch = 0x3'0060;  // eight words
  static constexpr std::uint32_t control = 0x3'0100;  // ARC_MISC_CNTL
  static constexpr std::uint32_t niu = 0x5'0000;
  static constexpr std::uint32_t niu_stride = 0x8000;
  // In its memory:
  static constexpr std::uint32_t tags = 0x1'0000;
  static constexpr std::uint32_t values = 0x1'0800;
  static constexpr std::uint32_t queue_block = 0x1'1000;
  static constexpr std::uint32_t queues = 0x1'1100;
};

/// Where the NoC sees the crossbar.
std::uint64_t arc_noc_base(Arch arch);

class Arc {
 public:
  explicit Arc(const noc::FloorPlan& plan);

  /// Addresses as the NoC has them. Nothing, or why it is a fault.
  std::optional<std::string> read(std::uint64_t address, std::span<std::uint8_t> to) const;
  std::optional<std::string> write(std::uint64_t address, std::span<const std::uint8_t> from);

 private:
  std::optional<std::uint32_t> read_register(std::uint32_t offset) const;
  std::optional<std::string> write_register(std::uint32_t offset, std::uint32_t value);
  void set_aiclk(std::uint32_t megahertz);
  ArcReply answer(std::uint8_t code, std::uint32_t argument);
  std::optional<std::string> answer_scratch();
  std::optional<std::string> answer_queues();
  std::optional<std::string> answer_queue(std::uint32_t queue);

  Arch arch_;
  noc::FloorPlan plan_;
  SparseMemory memory_;
  SparseMemory registers_;
  std::uint32_t aiclk_ = 0;
};

}  // namespace tensim::device
