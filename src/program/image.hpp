// A program for a core: what stands where in memory, and what is known about its source.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "program/source_map.hpp"

namespace tensim::program {

/// A piece of a program. Firmware keeps initialised data of a core's local memory in L1 until its start-up code copies
/// it: such a segment is loaded at one address (the file's p_paddr) and used at another (p_vaddr).
struct Segment {
  std::uint32_t load_address = 0;
  std::uint32_t run_address = 0;
  std::vector<std::uint8_t> bytes;  // as at run time: what the file has, then zeroes (.bss)
  std::uint32_t file_size = 0;      // how many of them the file has
  bool executable = false;

  /// What a loader writes at load_address. Zeroes are not loaded elsewhere: their place may be another segment's.
  [[nodiscard]] std::span<const std::uint8_t> load_bytes() const {
    return std::span(bytes).first(load_address == run_address ? bytes.size() : file_size);
  }
};

struct Image {
  std::string file;  // as messages call it
  std::uint32_t entry = 0;
  std::vector<Segment> segments;            // in the order of the file
  std::shared_ptr<const SourceMap> source;  // never null; empty for a raw image
  bool compressed = false;                  // says that it has compressed instructions (EF_RISCV_RVC)
  std::vector<std::string> notes;           // what could not be used, and why the program is odd; not errors
};

/// The memory of all segments together is at most this.
inline constexpr std::uint32_t max_image_bytes = 16U << 20;
/// An ELF file with debug information is at most this.
inline constexpr std::size_t max_elf_bytes = 128U << 20;

/// A 32-bit little-endian RISC-V executable, or what is wrong with it. Any input is safe, truncated and hostile ones
/// included; debug information that cannot be used is left out and noted.
std::variant<Image, std::string> read_elf_image(std::span<const std::uint8_t> bytes, std::string_view file);

/// Bytes for `address`, which is the entry too.
std::variant<Image, std::string> read_raw_image(std::span<const std::uint8_t> bytes, std::uint32_t address,
                                                std::string_view file = {});

}  // namespace tensim::program
