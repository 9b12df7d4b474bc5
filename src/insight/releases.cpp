#include "insight/releases.hpp"

#include "tensix/units/unpackers/unit.hpp"

namespace tensim::insight {

using namespace isa::literals;
using isa::Word;
using tensix::Src;

namespace {

bool flips(Word word, Src src) {
  return (word >> (src == Src::a ? 22U : 23U) & 1U) != 0;
}

bool touches_semaphore(Word word, unsigned semaphore) {
  return (word >> (2U + semaphore) & 1U) != 0;
}

}  // namespace

bool supplies(Arch arch, Word word, Src src) {
  const unsigned unpacker = src == Src::a ? 0 : 1;
  switch (isa::opcode_of(word)) {
    case "SETDVALID"_op: return (word >> unpacker & 1U) != 0;
    case "UNPACR"_op:
      return (word >> 23U & 1U) == unpacker && tensix::units::is_unpacr_transfer(word) && (word >> 6U & 1U) != 0;
    case "UNPACR_NOP"_op: return (word >> 23U & 1U) == unpacker && tensix::units::unpacr_nop_sets_dvalid(arch, word);
    default: return false;
  }
}

bool gives_back(Word word, Src src) {
  switch (isa::opcode_of(word)) {
    case "CLEARDVALID"_op: return (word & 1U) != 0 || flips(word, src);
    case "SETRWC"_op:
    case "MVMUL"_op:
    case "ELWADD"_op:
    case "ELWSUB"_op:
    case "ELWMUL"_op:
    case "GAPOOL"_op:
    case "GMPOOL"_op:
    case "DOTPV"_op: return flips(word, src);
    default: return false;
  }
}

bool raises(Word word, unsigned semaphore) {
  const std::uint8_t opcode = isa::opcode_of(word);
  const bool init_above_zero = opcode == "SEMINIT"_op && (word >> 16U & 15U) != 0;
  return (opcode == "SEMPOST"_op || init_above_zero) && touches_semaphore(word, semaphore);
}

bool makes_room(Word word, unsigned semaphore) {
  const std::uint8_t opcode = isa::opcode_of(word);
  const bool init_with_room = opcode == "SEMINIT"_op && (word >> 16U & 15U) < (word >> 20U & 15U);
  return (opcode == "SEMGET"_op || init_with_room) && touches_semaphore(word, semaphore);
}

}  // namespace tensim::insight
