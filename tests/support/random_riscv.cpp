#include "tests/support/random_riscv.hpp"

#include <algorithm>
#include <random>
#include <string_view>

#include <fmt/format.h>

#include "riscv/table.hpp"

namespace tensim::testing_support {
namespace {

using riscv::Extension;
using riscv::Format;
using riscv::Kind;
using riscv::Op;
using riscv::Row;

constexpr std::uint32_t page_register = 31;
constexpr std::int32_t first_free_byte = 128 - static_cast<std::int32_t>(page_middle);

class Generator {
 public:
  Generator(Arch arch, std::uint32_t seed) : random_(seed) {
    for (const Row& row : riscv::rows) {
      const bool wanted =
          row.extension == Extension::i || row.extension == Extension::m ||
          (arch == Arch::blackhole && (row.extension == Extension::zba || row.extension == Extension::zbb));
      if (wanted && row.kind != Kind::fence && row.kind != Kind::system) rows_.push_back(&row);
    }
  }

  RandomProgram make(std::size_t length) {
    RandomProgram program;
    for (std::uint32_t& word : program.page)
      word = value();
    // What each step is comes first, so that a branch knows where steps begin: jalr is two words, with its auipc.
    std::vector<const Row*> steps;
    std::vector<std::size_t> begins{0};
    while (begins.back() < length) {
      steps.push_back(rows_[below(rows_.size())]);
      begins.push_back(begins.back() + (steps.back()->op == Op::jalr ? 2 : 1));
    }
    for (std::size_t i = 0; i < steps.size(); ++i) {
      const std::size_t target = i + 1 + below(std::min<std::size_t>(8, steps.size() - i));
      append(program.words, *steps[i], static_cast<std::uint32_t>(begins[target] - begins[i]) * 4);
    }
    return program;
  }

 private:
  std::uint32_t below(std::size_t bound) { return static_cast<std::uint32_t>(random_() % bound); }

  /// Often one on which instructions have their special cases.
  std::uint32_t value() {
    constexpr std::array<std::uint32_t, 8> special{0, 1, 2, 0xFFFF'FFFF, 0x8000'0000, 0x7FFF'FFFF, 31, 32};
    return below(3) == 0 ? special[below(special.size())] : static_cast<std::uint32_t>(random_());
  }

  std::uint32_t destination() { return below(page_register) << 7U; }
  std::uint32_t first_source() { return below(32) << 15U; }
  std::uint32_t second_source() { return below(32) << 20U; }

  /// A byte of the page that an access of this width may begin at, as seen from x31.
  std::uint32_t offset(unsigned bytes) {
    const std::uint32_t places = (page_bytes - 128) / bytes;
    return static_cast<std::uint32_t>(first_free_byte) + below(places) * bytes;
  }

  void append(std::vector<std::uint32_t>& words, const Row& row, std::uint32_t distance) {
    const unsigned bytes = 1U << ((row.match >> 12U) & 3U);  // of a load or a store
    const std::uint32_t page = page_register << 15U;
    switch (row.format) {
      case Format::register_register:
        words.push_back(row.match | destination() | first_source() | second_source());
        return;
      case Format::register_immediate:
        words.push_back(row.match | destination() | first_source() | (value() << 20U));
        return;
      case Format::shift: words.push_back(row.match | destination() | first_source() | second_source()); return;
      case Format::unary: words.push_back(row.match | destination() | first_source()); return;
      case Format::upper: words.push_back(row.match | destination() | (value() << 12U)); return;
      case Format::load:
        if (row.op == Op::jalr) {
          const std::uint32_t through = 1 + below(page_register - 1);
          words.push_back(riscv::row(Op::auipc).match | (through << 7U));
          words.push_back(row.match | destination() | (through << 15U) |
                          ((distance + below(2)) << 20U));  // bit 0 is dropped
        } else {
          words.push_back(row.match | destination() | page | (offset(bytes) << 20U));
        }
        return;
      case Format::store: {
        const std::uint32_t at = offset(bytes);
        words.push_back(row.match | page | second_source() | ((at & 31U) << 7U) | ((at >> 5U) << 25U));
        return;
      }
      case Format::branch:  // forward, and short: only bits 10:1 of the distance
        words.push_back(row.match | first_source() | second_source() | ((distance & 0x1EU) << 7U) |
                        ((distance >> 5U) << 25U));
        return;
      case Format::jump: words.push_back(row.match | destination() | (distance << 20U)); return;
      default: return;
    }
  }

  std::mt19937 random_;
  std::vector<const Row*> rows_;
};

}  // namespace

RandomProgram random_program(Arch arch, std::uint32_t seed, std::size_t length) {
  return Generator(arch, seed).make(length);
}

std::string executable_source(std::span<const RandomProgram> programs) {
  std::string text = ".globl _start\n.text\n.option norvc\n.option norelax\nbegin:\n_start:\n";
  const auto registers = [&](std::string_view instruction) {
    for (unsigned i = 1; i < page_register; ++i)
      text += fmt::format("{} x{}, {}(x31)\n", instruction, i, static_cast<int>(4 * i) - static_cast<int>(page_middle));
  };
  for (std::size_t i = 0; i < programs.size(); ++i) {
    text += fmt::format(".org begin + {}\nli x31, {:#x}\n", i * 4096, page_address(i) + page_middle);
    registers("lw");
    text += fmt::format("j program{0}\n.org begin + {1}\nprogram{0}:\n", i, i * 4096 + 512);
    for (const std::uint32_t word : programs[i].words)
      text += fmt::format(".word {:#010x}\n", word);
    registers("sw");
    // write(1, page, page_bytes), then on to the next.
    text +=
        fmt::format("li a0, 1\nli a1, {:#x}\nli a2, {}\nli a7, 64\necall\nj next{}\n", page_address(i), page_bytes, i);
    text += fmt::format(".org begin + {}\nnext{}:\n", (i + 1) * 4096, i);
  }
  text += "li a0, 0\nli a7, 93\necall\n.data\n";
  for (const RandomProgram& program : programs)
    for (const std::uint32_t word : program.page)
      text += fmt::format(".word {:#010x}\n", word);
  return text;
}

}  // namespace tensim::testing_support
