// Programs for a core that talks to the NoC, written as its software writes them: registers of a command buffer, NOC_CMD_CTRL,
// and counters that are waited for.
#pragma once

#include <cstdint>
#include <vector>

#include "noc/counters.hpp"
#include "noc/floor_plan.hpp"
#include "noc/registers.hpp"
#include "tests/support/riscv_words.hpp"

namespace tensim::test {

/// CTRL words as ordinary kernels have them (noc 10.4).
inline constexpr std::uint32_t ctrl_read = 0x2090;
inline constexpr std::uint32_t ctrl_write = 0x2092;
inline constexpr std::uint32_t ctrl_posted_write = 0x2082;
inline constexpr std::uint32_t ctrl_atomic = 0x2091;
inline constexpr std::uint32_t ctrl_inline_write = 0x209A;
inline constexpr std::uint32_t ctrl_multicast_write = 0x81B2;
/// AT_LEN_BE of an increment of a whole word.
constexpr std::uint32_t increment_of(std::uint32_t address) {
  return 0x107C | (address / 4 % 4);
}

class NocProgram {
 public:
  explicit NocProgram(const noc::FloorPlan& plan, unsigned noc = 0) : plan_(plan), noc_(noc) {}

  const std::vector<rv::Word>& words() const { return words_; }

  void add(rv::Word word) { words_.push_back(word); }
  void set(rv::Register reg, std::uint32_t value) {
    const std::uint32_t upper = (value + 0x800) >> 12U;
    add(rv::lui(reg, upper & 0xFFFFFU));
    add(rv::addi(reg, reg, static_cast<int>(value << 20U) >> 20));
  }
  void store(std::uint32_t address, std::uint32_t value) {
    set(rv::t0, address);
    set(rv::t1, value);
    last_store_ = words_.size();
    add(rv::sw(rv::t1, rv::t0, 0));
  }
  /// Which of the words is the last store.
  std::size_t last_store() const { return last_store_; }
  /// Until the word at `address` is `value`.
  void wait(std::uint32_t address, std::uint32_t value) {
    set(rv::t0, address);
    set(rv::t1, value);
    add(rv::lw(rv::t2, rv::t0, 0));
    add(rv::bne(rv::t2, rv::t1, -4));
  }
  /// Copies a word that the NIU or L1 has to L1.
  void copy(std::uint32_t from, std::uint32_t to) {
    set(rv::t0, from);
    add(rv::lw(rv::t2, rv::t0, 0));
    set(rv::t0, to);
    add(rv::sw(rv::t2, rv::t0, 0));
  }
  /// About as many.
  void wait_cycles(std::uint32_t cycles) {
    set(rv::t0, cycles / 2);
    add(rv::addi(rv::t0, rv::t0, -1));
    add(rv::bne(rv::t0, rv::zero, -4));
  }
  void stay() { add(rv::jal(rv::zero, 0)); }

  // ---- the NIU ----
  std::uint32_t reg(const noc::NiuRegister& row) const {
    const unsigned buffer = row.scope == noc::NiuRegister::Scope::niu ? 0 : buffer_;
    return noc::niu_base + noc_ * noc::niu_stride + buffer * noc::command_buffer_stride(plan_.arch()) +
           row.on(plan_.arch()).offset;
  }
  std::uint32_t counter(unsigned index) const { return reg(noc::operator""_niu("NOC_STATUS", 10)) + 4 * index; }
  /// The registers of one end: coordinates are names of the tile, or a rectangle's corners.
  void target(noc::Coordinates tile, std::uint32_t address, noc::Coordinates start = {}) {
    end(noc::operator""_niu("NOC_TARG_ADDR_LO", 16), noc::operator""_niu("NOC_TARG_ADDR_MID", 17),
        noc::operator""_niu("NOC_TARG_ADDR_HI", 16), tile, address, start);
  }
  void back(noc::Coordinates tile, std::uint32_t address, noc::Coordinates start = {}) {
    end(noc::operator""_niu("NOC_RET_ADDR_LO", 15), noc::operator""_niu("NOC_RET_ADDR_MID", 16),
        noc::operator""_niu("NOC_RET_ADDR_HI", 15), tile, address, start);
  }
  void go(std::uint32_t ctrl, std::uint32_t length, std::uint32_t data = 0) {
    wait(command(), 0);
    initiate(ctrl, length, data);
    wait(command(), 0);
  }
  /// Without a look at whether the command buffer is free, or the request accepted.
  void initiate(std::uint32_t ctrl, std::uint32_t length, std::uint32_t data = 0) {
    store(reg(noc::operator""_niu("NOC_CTRL", 8)), ctrl);
    store(reg(noc::operator""_niu("NOC_AT_LEN_BE", 13)), length);
    store(reg(noc::operator""_niu("NOC_AT_DATA", 11)), data);
    store(command(), 1);
  }
  /// Those that come are of this command buffer.
  void use(unsigned buffer) { buffer_ = buffer; }
  std::uint32_t command() const { return reg(noc::operator""_niu("NOC_CMD_CTRL", 12)); }

 private:
  void end(const noc::NiuRegister& lo, const noc::NiuRegister& mid, const noc::NiuRegister& hi, noc::Coordinates tile,
           std::uint32_t address, noc::Coordinates start) {
    const std::uint32_t places = tile.x | tile.y << 6U | start.x << 12U | start.y << 18U;
    const bool is_wormhole = plan_.arch() == Arch::wormhole;
    store(reg(lo), address);
    store(reg(mid), is_wormhole ? places << 4U : 0);
    store(reg(hi), is_wormhole ? 0 : places);
  }

  const noc::FloorPlan& plan_;
  unsigned noc_;
  unsigned buffer_ = 0;
  std::size_t last_store_ = 0;
  std::vector<rv::Word> words_;
};

}  // namespace tensim::test
