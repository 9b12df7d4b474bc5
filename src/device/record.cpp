#include <ostream>

#include <fmt/format.h>

#include "device/replay.hpp"
#include "tile/tile_control.hpp"

namespace tensim::device {
namespace {

using tile::CoreId;

constexpr std::size_t bytes_per_line = 4096;

std::string hex(std::span<const std::uint8_t> bytes) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string text;
  text.reserve(2 * bytes.size());
  for (const std::uint8_t byte : bytes) {
    text.push_back(digits[byte >> 4U]);
    text.push_back(digits[byte & 15U]);
  }
  return text;
}

std::string core_list(std::uint32_t soft_reset_bits) {
  std::string text;
  for (unsigned i = 0; i < tile::core_count; ++i)
    if ((soft_reset_bits & tile::reset_bit(static_cast<CoreId>(i))) != 0)
      text += fmt::format(" {}", tile::core_keys[i]);
  return text;
}

}  // namespace

TextRecorder::TextRecorder(std::ostream& to, const FloorPlan& plan) : to_(&to) {
  *to_ << fmt::format("tensim-replay 1\narch {}\n", name(plan.arch()));
  if (const std::string chip = noc::text_of(plan); chip != name(plan.arch())) *to_ << fmt::format("chip {}\n", chip);
}

void TextRecorder::wrote(Cycle cycle, Coordinates tile, std::uint64_t address, std::span<const std::uint8_t> bytes) {
  last_read_.clear();
  while (!bytes.empty()) {
    const auto part = bytes.first(std::min(bytes.size(), bytes_per_line));
    *to_ << fmt::format("@{} write {},{} {:#x} {}\n", cycle, tile.x, tile.y, address, hex(part));
    bytes = bytes.subspan(part.size());
    address += part.size();
  }
}

void TextRecorder::read(Cycle cycle, Coordinates tile, std::uint64_t address, std::span<const std::uint8_t> reply) {
  for (; !reply.empty();) {
    const auto part = reply.first(std::min(reply.size(), bytes_per_line));
    std::string text = fmt::format("read {},{} {:#x} {}\n", tile.x, tile.y, address, hex(part));
    // A poll. What it reads may change by being read only in registers, and nobody polls those with an effect.
    if (text != last_read_) *to_ << fmt::format("@{} {}", cycle, text);
    last_read_ = std::move(text);
    reply = reply.subspan(part.size());
    address += part.size();
  }
}

void TextRecorder::reset(Cycle cycle, Coordinates tile, std::uint32_t before, std::uint32_t after) {
  last_read_.clear();
  constexpr std::uint32_t cores = tile::TileControl::all_cores_held;
  const std::uint32_t entered = after & ~before;
  const std::uint32_t left = before & ~after;
  if ((entered | left) == 0 || ((entered | left) & ~cores) != 0 || (entered != 0 && left != 0)) {
    wrote(cycle, tile, tile::TileControl::soft_reset_address,
          {reinterpret_cast<const std::uint8_t*>(&after), sizeof after});
    return;
  }
  *to_ << fmt::format("@{} {} {},{}{}\n", cycle, entered != 0 ? "hold" : "release", tile.x, tile.y,
                      core_list(entered | left));
}

void TextRecorder::host_gave(std::uint64_t address, std::span<const std::uint8_t> bytes) {
  last_read_.clear();
  *to_ << fmt::format("host {:#x} {}\n", address, hex(bytes));
}

void TextRecorder::note(std::string_view text) {
  *to_ << fmt::format("# {}\n", text);
  to_->flush();
}

}  // namespace tensim::device
