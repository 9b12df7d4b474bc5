#include "riscv/polling_load.hpp"

#include <array>
#include <vector>

#include "riscv/decode.hpp"
#include "riscv/table.hpp"

namespace tensim::riscv {
namespace {

constexpr std::uint32_t most_instructions = 256;  // of a loop
constexpr std::uint32_t most_of_call = 32;
constexpr std::uint32_t most_ahead = 16;  // between a first look and its loop
constexpr unsigned return_address = 1;

using Registers = std::uint32_t;  // a bit each

constexpr Registers bit(unsigned reg) {
  return reg == 0 ? 0 : 1U << reg;
}

Registers written_by(const Instruction& in) {
  const bool is_x = (operands(in.op) & op_rd) != 0 && (float_operands(in.op) & op_rd) == 0;
  return is_x ? bit(in.rd) : 0;
}
Registers read_by(const Instruction& in) {
  const auto has = static_cast<std::uint8_t>(operands(in.op) & ~float_operands(in.op));
  return ((has & op_rs1) != 0 ? bit(in.rs1) : 0) | ((has & op_rs2) != 0 ? bit(in.rs2) : 0);
}

/// What others may see, or what is not understood.
bool does_more_than_look(Kind kind) {
  switch (kind) {
    case Kind::store:
    case Kind::float_store:
    case Kind::amo:
    case Kind::ttinsn:
    case Kind::vector:
    case Kind::system:
    case Kind::undefined: return true;
    default: return false;
  }
}

class Code {
 public:
  Code(Arch arch, const CodeAt& code) : arch_(arch), code_(code) {}

  Instruction at(std::uint32_t pc) const {
    const auto word = code_(pc);
    return word ? decode(arch_, *word) : Instruction{};
  }

  /// What a function writes that goes straight to its end and only looks; nothing if it is not such a one.
  std::optional<Registers> written_by_call(std::uint32_t target) const {
    Registers written = 0;
    for (std::uint32_t i = 0; i < most_of_call; ++i) {
      const Instruction in = at(target + 4 * i);
      const Kind what = kind(in.op);
      if (what == Kind::jalr && in.rd == 0 && in.rs1 == return_address) return written;
      if (does_more_than_look(what) || what == Kind::branch || what == Kind::jal || what == Kind::jalr)
        return std::nullopt;
      written |= written_by(in);
    }
    return std::nullopt;
  }

 private:
  Arch arch_;
  const CodeAt& code_;
};

std::uint32_t target_of(const Instruction& in, std::uint32_t pc) {
  return pc + static_cast<std::uint32_t>(in.imm);
}
bool is_call(const Instruction& in) {
  return kind(in.op) == Kind::jal && in.rd != 0;
}
bool is_jump(const Instruction& in) {
  return kind(in.op) == Kind::jal && in.rd == 0;
}

/// The instructions from the head of a loop to a jump back to it.
class Loop {
 public:
  Loop(const Code& code, std::uint32_t head, std::uint32_t jump) : head_(head) {
    for (std::uint32_t pc = head; pc <= jump; pc += 4)
      all_.push_back({.in = code.at(pc)});
    for (std::uint32_t i = 0; i < all_.size(); ++i)
      look_at(code, i);
    find_members();
  }

  bool is_polled_by(std::uint32_t load) {
    const std::uint32_t at = index_of(load);
    if (!all_[at].is_member()) return false;
    follow_values(at);
    if ((all_[at].before.depends[all_[at].in.rs1] & written()) != 0) return false;
    for (const Place& place : all_)
      if (place.is_member() && leaves(place) && (read_by(place.in) & place.before.loaded) != 0) return true;
    return false;
  }

 private:
  static constexpr std::uint32_t outside = ~0U;

  struct Values {
    Registers loaded = 0;                 // registers whose values come of the load
    std::array<Registers, 32> depends{};  // of each: which registers, as they were at the head, its value comes of

    bool operator==(const Values&) const = default;
    void merge(const Values& other) {
      loaded |= other.loaded;
      for (std::size_t i = 0; i < depends.size(); ++i)
        depends[i] |= other.depends[i];
    }
  };
  struct Place {
    Instruction in;
    std::array<std::uint32_t, 2> next{outside, outside};  // the places that may come behind it
    Registers written = 0;
    bool does_more = false;  // than to look
    bool is_reached = false;
    bool comes_back = false;
    Values before = {};

    bool is_member() const { return is_reached && comes_back; }
  };

  std::uint32_t index_of(std::uint32_t pc) const {
    const std::uint32_t at = (pc - head_) / 4;
    return at < all_.size() ? at : outside;
  }

  void look_at(const Code& code, std::uint32_t i) {
    Place& place = all_[i];
    const std::uint32_t pc = head_ + 4 * i;
    const Kind what = kind(place.in.op);
    place.does_more = does_more_than_look(what);
    place.written = written_by(place.in);
    if (what == Kind::jalr) return;
    place.next[0] = index_of(is_jump(place.in) ? target_of(place.in, pc) : pc + 4);
    if (what == Kind::branch) place.next[1] = index_of(target_of(place.in, pc));
    if (!is_call(place.in)) return;
    const auto written = code.written_by_call(target_of(place.in, pc));
    place.does_more = !written;
    place.written |= written.value_or(0);
  }

  /// What can be come to from the head, and from where the head can be come to again, by looking alone. What does more is done
  /// for somebody who has come: firmware goes back to its loop from there.
  void find_members() {
    all_[0].is_reached = true;
    const auto comes_back = [this](std::uint32_t i) { return i == 0 || (i != outside && all_[i].comes_back); };
    for (bool changes = true; changes;) {
      changes = false;
      for (Place& place : all_) {
        if (place.does_more) continue;
        for (const std::uint32_t next : place.next) {
          if (!place.is_reached || next == outside || all_[next].is_reached) continue;
          all_[next].is_reached = changes = true;
        }
        if (place.comes_back || !(comes_back(place.next[0]) || comes_back(place.next[1]))) continue;
        place.comes_back = changes = true;
      }
    }
  }

  bool leaves(const Place& place) const {
    if (kind(place.in.op) != Kind::branch) return false;
    const auto is_out = [this](std::uint32_t i) { return i == outside || !all_[i].is_member(); };
    return is_out(place.next[0]) || is_out(place.next[1]);
  }

  Registers written() const {
    Registers all = 0;
    for (const Place& place : all_)
      if (place.is_member()) all |= place.written;
    return all;
  }

  static Values after(const Place& place, bool is_the_load) {
    constexpr Registers unknown = ~0U;
    Values values = place.before;
    const Kind what = kind(place.in.op);
    const bool computes = what == Kind::alu || what == Kind::mul || what == Kind::div;
    const bool comes_of_load = is_the_load || (computes && (read_by(place.in) & values.loaded) != 0);
    const Registers depends = values.depends[place.in.rs1] | values.depends[place.in.rs2];
    values.loaded = comes_of_load ? values.loaded | place.written : values.loaded & ~place.written;
    for (unsigned reg = 1; reg < values.depends.size(); ++reg)
      if ((place.written & bit(reg)) != 0) values.depends[reg] = computes || what == Kind::load ? depends : unknown;
    return values;
  }

  /// Values go round: what the load has given may be looked at in the next round. What a register was at the head does not.
  void follow_values(std::uint32_t load) {
    for (unsigned reg = 0; reg < 32; ++reg)
      all_[0].before.depends[reg] = bit(reg);
    for (bool changes = true; changes;) {
      changes = false;
      for (std::uint32_t i = 0; i < all_.size(); ++i) {
        if (!all_[i].is_member()) continue;
        const Values values = after(all_[i], i == load);
        for (const std::uint32_t next : all_[i].next) {
          if (next == outside || !all_[next].is_member()) continue;
          Values merged = all_[next].before;
          if (next == 0)
            merged.loaded |= values.loaded;
          else
            merged.merge(values);
          if (merged == all_[next].before) continue;
          all_[next].before = merged;
          changes = true;
        }
      }
    }
  }

  std::uint32_t head_;
  std::vector<Place> all_;
};

bool is_in_polling_loop(const Code& code, std::uint32_t pc) {
  for (std::uint32_t jump = pc; jump - pc < 4 * most_instructions; jump += 4) {
    const Instruction in = code.at(jump);
    if (kind(in.op) != Kind::branch && !is_jump(in)) continue;
    const std::uint32_t head = target_of(in, jump);
    if (head <= pc && jump - head < 4 * most_instructions && Loop(code, head, jump).is_polled_by(pc)) return true;
  }
  return false;
}

/// Whether the way from `pc` on leads straight to a loop that polls with the same load.
bool leads_to_polling_loop(const Code& code, std::uint32_t pc, const Instruction& load) {
  for (std::uint32_t i = 0; i < most_ahead; ++i) {
    const Instruction in = code.at(pc);
    if (in.op == load.op && in.rs1 == load.rs1 && in.imm == load.imm) return is_in_polling_loop(code, pc);
    const Kind what = kind(in.op);
    const bool goes_on = !does_more_than_look(what) && what != Kind::branch && what != Kind::jalr && !is_call(in);
    if (!goes_on || (written_by(in) & bit(load.rs1)) != 0) return false;
    pc = is_jump(in) ? target_of(in, pc) : pc + 4;
  }
  return false;
}

/// A first look, on which it depends whether the loop is entered.
bool looks_ahead_of_loop(const Code& code, std::uint32_t pc, const Instruction& load) {
  Registers loaded = bit(load.rd);
  if (load.rd == load.rs1) return false;
  for (std::uint32_t i = 0; i < most_ahead; ++i) {
    pc += 4;
    const Instruction in = code.at(pc);
    const Kind what = kind(in.op);
    if (what == Kind::branch) {
      if ((read_by(in) & loaded) == 0) return false;
      return leads_to_polling_loop(code, pc + 4, load) || leads_to_polling_loop(code, target_of(in, pc), load);
    }
    const Registers written = written_by(in);
    if (does_more_than_look(what) || what == Kind::jal || what == Kind::jalr || (written & bit(load.rs1)) != 0)
      return false;
    loaded = what == Kind::alu && (read_by(in) & loaded) != 0 ? loaded | written : loaded & ~written;
  }
  return false;
}

}  // namespace

bool is_polling_load(Arch arch, const CodeAt& code_at, std::uint32_t pc) {
  const Code code(arch, code_at);
  const Instruction load = code.at(pc);
  if (kind(load.op) != Kind::load) return false;
  return is_in_polling_loop(code, pc) || looks_ahead_of_loop(code, pc, load);
}

}  // namespace tensim::riscv
