#include "explain/poll_loop.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <set>

#include "riscv/decode.hpp"
#include "riscv/engine.hpp"
#include "riscv/semantics.hpp"
#include "riscv/table.hpp"

namespace tensim::explain {
namespace {

using riscv::Instruction;
using riscv::Op;
using tile::CoreId;
using tile::Tile;

constexpr std::uint32_t all_bits = ~0U;

/// (word or its negative + addend) & mask, and then shifted up: what a program makes of a word that it has loaded.
struct Expression {
  std::size_t word = 0;  // index into the awaited words
  bool is_negative = false;
  std::uint32_t addend = 0;
  std::uint32_t mask = all_bits;
  unsigned left = 0;

  /// Nothing but the word itself, or a part of it.
  bool is_plain() const { return !is_negative && addend == 0; }
};

/// Of an expression with a number.
struct Comparison {
  Expression of;
  Need::Relation relation = Need::Relation::equal;
  std::uint32_t with = 0;
};

struct Value {
  std::uint32_t now = 0;
  std::optional<Expression> expression = {};
  std::optional<Comparison> comparison = {};  // 1 if it holds, otherwise 0
  bool is_opaque = false;                     // comes of a polled word, or of something unknown, in another way
};

Comparison opposite(Comparison comparison) {
  using enum Need::Relation;
  switch (comparison.relation) {
    case equal: comparison.relation = not_equal; break;
    case not_equal: comparison.relation = equal; break;
    case at_least: comparison.relation = below; break;
    case below: comparison.relation = at_least; break;
  }
  return comparison;
}

/// What the comparison asks of the word itself; nothing if that is more than one relation can say.
std::optional<Need> need_of(const Comparison& comparison) {
  const Expression& of = comparison.of;
  if (of.left != 0 || of.mask == 0 || (comparison.with & ~of.mask) != 0) return std::nullopt;
  const bool is_ordered =
      comparison.relation == Need::Relation::at_least || comparison.relation == Need::Relation::below;
  if (is_ordered && (of.is_negative || !std::has_single_bit(of.mask + 1ULL))) return std::nullopt;
  const std::uint32_t plain = of.is_negative ? of.addend - comparison.with : comparison.with - of.addend;
  return Need{comparison.relation, plain & of.mask, of.mask};
}

std::optional<Expression> plus(std::optional<Expression> of, std::uint32_t addend) {
  if (!of || of->mask != all_bits || of->left != 0) return std::nullopt;
  of->addend += addend;
  return of;
}

std::optional<Expression> negated(std::optional<Expression> of) {
  if (!of || of->mask != all_bits || of->left != 0) return std::nullopt;
  of->is_negative = !of->is_negative;
  of->addend = -of->addend;
  return of;
}

/// Only low bits of a sum are those of its low bits.
std::optional<Expression> masked(std::optional<Expression> of, std::uint32_t mask) {
  const bool is_low = std::has_single_bit(mask + 1ULL);
  if (!of || of->left != 0 || !(is_low || of->is_plain())) return std::nullopt;
  of->mask &= mask;
  return of;
}

std::optional<Expression> shifted_up(std::optional<Expression> of, unsigned by) {
  if (!of || of->left != 0) return std::nullopt;
  of->left = by;
  return of;
}

/// Back from where it was shifted up: its upper bits are gone.
std::optional<Expression> shifted_down(std::optional<Expression> of, unsigned by) {
  if (!of || of->left != by) return std::nullopt;
  of->left = 0;
  return masked(of, all_bits >> by);
}

class Round {
 public:
  Round(const Tile& tile, CoreId core, std::vector<AwaitedWord>& words)
      : tile_(tile), core_(tile.core(core)), words_(words), pc_(core_.spin.head) {
    for (unsigned i = 0; i < registers_.size(); ++i)
      registers_[i].now = core_.x[i];
  }

  /// Follows the loop until it is back at its head, and notes what its branches ask.
  void follow() {
    constexpr unsigned most_instructions = 4096;
    for (unsigned i = 0; i < most_instructions && !lost_; ++i) {
      been_at_.insert(pc_);
      step();
      if (pc_ == core_.spin.head) break;
    }
    if (lost_) return;
    for (const auto& [elsewhere, comparison] : exits_) {
      AwaitedWord& word = words_[comparison.of.word];
      if (!been_at_.contains(elsewhere) && !word.need) word.need = need_of(comparison);
    }
  }

 private:
  struct Exit {
    std::uint32_t to = 0;
    Comparison when;
  };

  std::optional<std::uint32_t> code_at(std::uint32_t address) const {
    std::array<std::uint8_t, 4> bytes{};
    if (!tile_.read(address, bytes.data(), bytes.size())) return std::nullopt;
    std::uint32_t word = 0;
    std::memcpy(&word, bytes.data(), sizeof word);
    return word;
  }

  void step() {
    const auto word = code_at(pc_);
    if (!word) return lose();
    const Instruction in = riscv::decode(tile_.arch, *word);
    const std::uint32_t next = pc_ + 4;
    switch (riscv::row(in.op).kind) {
      case riscv::Kind::alu:
      case riscv::Kind::mul:
      case riscv::Kind::div: set(in.rd, computed(in)); break;
      case riscv::Kind::load: load(in); break;
      case riscv::Kind::branch: return branch(in);
      case riscv::Kind::jal:
        set(in.rd, {.now = next});
        pc_ += distance(in);
        return;
      case riscv::Kind::jalr: {
        const Value to = registers_[in.rs1];
        if (is_unknown(to)) return lose();
        set(in.rd, {.now = next});
        pc_ = (to.now + distance(in)) & ~1U;
        return;
      }
      case riscv::Kind::csr: set(in.rd, {.is_opaque = true}); break;
      case riscv::Kind::fence:
      case riscv::Kind::ttinsn: break;
      default: return lose();
    }
    pc_ = next;
  }

  static bool is_unknown(const Value& value) { return value.is_opaque || value.expression || value.comparison; }
  void lose() { lost_ = true; }
  void set(unsigned reg, Value value) {
    if (reg != 0) registers_[reg] = value;
  }

  Value second(const Instruction& in) const {
    const riscv::Format format = riscv::row(in.op).format;
    const bool is_immediate =
        format == riscv::Format::register_immediate || format == riscv::Format::shift || format == riscv::Format::upper;
    return is_immediate ? Value{.now = distance(in)} : registers_[in.rs2];
  }
  static std::uint32_t distance(const Instruction& in) { return static_cast<std::uint32_t>(in.imm); }

  Value computed(const Instruction& in) const {
    const Value a = in.op == Op::auipc ? Value{.now = pc_} : registers_[in.rs1];
    const Value b = second(in);
    Value result{.now = riscv::compute(in.op, a.now, b.now)};
    if (in.op == Op::lui || (!is_unknown(a) && !is_unknown(b))) return result;
    result.comparison = compared(in.op, a, b);
    if (!result.comparison) result.expression = expression(in.op, a, b);
    result.is_opaque = !result.comparison && !result.expression;
    return result;
  }

  /// Of one that is known and one that is not.
  static std::optional<Expression> expression(Op op, const Value& a, const Value& b) {
    if (is_unknown(a) && is_unknown(b)) return std::nullopt;
    const bool first = a.expression.has_value();
    const std::optional<Expression>& of = first ? a.expression : b.expression;
    const std::uint32_t known = first ? b.now : a.now;
    switch (op) {
      case Op::addi:
      case Op::add: return plus(of, known);
      case Op::sub: return first ? plus(of, -known) : plus(negated(of), known);
      case Op::andi:
      case Op::and_: return masked(of, known);
      case Op::zext_h: return masked(of, 0xFFFF);
      case Op::slli: return shifted_up(of, known);
      case Op::srli: return shifted_down(of, known);
      default: return std::nullopt;
    }
  }

  /// sltu and its like, and what programs do with their results.
  static std::optional<Comparison> compared(Op op, const Value& a, const Value& b) {
    const bool is_less = op == Op::sltu || op == Op::sltiu || op == Op::slt || op == Op::slti;
    if (a.comparison && (op == Op::xori || op == Op::sltiu) && b.now == 1) return opposite(*a.comparison);
    if (a.comparison && op == Op::andi && b.now == 1) return a.comparison;
    if (!is_less) return std::nullopt;
    if (op == Op::sltu && !is_unknown(a) && a.now == 0 && b.comparison) return b.comparison;
    return less(a, b);
  }

  static std::optional<Comparison> less(const Value& a, const Value& b) {
    using enum Need::Relation;
    if (a.expression && !is_unknown(b)) {
      if (b.now == 1) return Comparison{*a.expression, equal, 0};
      return Comparison{*a.expression, below, b.now};
    }
    if (!b.expression || is_unknown(a)) return std::nullopt;
    if (a.now == 0) return Comparison{*b.expression, not_equal, 0};
    return Comparison{*b.expression, at_least, a.now + 1};
  }

  void load(const Instruction& in) {
    const Value base = registers_[in.rs1];
    if (is_unknown(base)) return lose();
    const std::uint32_t address = base.now + distance(in);
    const unsigned bytes = riscv::access_bytes(in.op);
    if (const auto index = polled(address)) {
      AwaitedWord& word = words_[*index];
      const std::uint32_t mask = bytes == 4 ? all_bits : (1U << 8U * bytes) - 1;
      word.size_bytes = static_cast<std::uint8_t>(bytes);
      word.value &= mask;
      return set(in.rd, {.now = extended(in.op, word.value), .expression = Expression{.word = *index, .mask = mask}});
    }
    const std::uint32_t local = address - riscv::local_ram_base;
    if (local >= core_.local_bytes || local + bytes > core_.local_bytes) return set(in.rd, {.is_opaque = true});
    std::uint32_t value = 0;
    std::memcpy(&value, core_.local_ram.data() + local, bytes);
    set(in.rd, {.now = extended(in.op, value)});
  }

  static std::uint32_t extended(Op op, std::uint32_t value) {
    if (op == Op::lb) return static_cast<std::uint32_t>(static_cast<std::int8_t>(value));
    if (op == Op::lh) return static_cast<std::uint32_t>(static_cast<std::int16_t>(value));
    return value;
  }

  /// Which of the polled words it is. What is loaded from a line that the L0 data cache has fetched for another one is
  /// polled with it.
  std::optional<std::size_t> polled(std::uint32_t address) {
    const auto known = std::ranges::find(words_, address, &AwaitedWord::address);
    if (known != words_.end()) return static_cast<std::size_t>(known - words_.begin());
    for (unsigned i = 0; i < core_.spin.record.count; ++i) {
      const riscv::RecordedLoad& load = core_.spin.record.loads[i];
      if (!load.is_line() || address - load.line_address() >= load.line.size()) continue;
      const std::uint32_t value = riscv::L0Cache::word(load.line, address) >> 8 * (address & 3U);
      words_.push_back({.address = address, .value = value, .is_l1 = true});
      return words_.size() - 1;
    }
    return std::nullopt;
  }

  static std::optional<Comparison> comparison_of(Op op, const Value& a, const Value& b) {
    using enum Need::Relation;
    const bool is_zero = !is_unknown(b) && b.now == 0;
    if (op == Op::beq || op == Op::bne) {
      if (a.comparison && is_zero) return op == Op::bne ? *a.comparison : opposite(*a.comparison);
      const bool first = a.expression.has_value();
      const Value& other = first ? b : a;
      const std::optional<Expression>& of = first ? a.expression : b.expression;
      if (!of || is_unknown(other)) return std::nullopt;
      return Comparison{*of, op == Op::beq ? equal : not_equal, other.now};
    }
    const auto is_less = less(a, b);
    if (!is_less) return std::nullopt;
    return op == Op::blt || op == Op::bltu ? is_less : opposite(*is_less);
  }

  static bool holds(Op op, std::uint32_t a, std::uint32_t b) {
    switch (op) {
      case Op::beq: return a == b;
      case Op::bne: return a != b;
      case Op::blt: return static_cast<std::int32_t>(a) < static_cast<std::int32_t>(b);
      case Op::bge: return static_cast<std::int32_t>(a) >= static_cast<std::int32_t>(b);
      case Op::bltu: return a < b;
      default: return a >= b;
    }
  }

  void branch(const Instruction& in) {
    const Value& a = registers_[in.rs1];
    const Value& b = registers_[in.rs2];
    if (a.is_opaque || b.is_opaque) return lose();
    const bool is_taken = holds(in.op, a.now, b.now);
    const std::uint32_t target = pc_ + distance(in);
    const std::uint32_t next = pc_ + 4;
    if (const auto comparison = comparison_of(in.op, a, b))
      exits_.push_back({is_taken ? next : target, is_taken ? opposite(*comparison) : *comparison});
    pc_ = is_taken ? target : next;
  }

  const Tile& tile_;
  const riscv::Core& core_;
  std::vector<AwaitedWord>& words_;
  std::array<Value, 32> registers_{};
  std::uint32_t pc_;
  bool lost_ = false;  // something that is not understood
  std::set<std::uint32_t> been_at_;
  std::vector<Exit> exits_;
};

}  // namespace

std::vector<AwaitedWord> awaited_words(const Tile& tile, CoreId id) {
  const riscv::Core& core = tile.core(id);
  std::vector<AwaitedWord> words;
  if (core.status != riscv::Core::Status::asleep) return words;
  for (unsigned i = 0; i < core.spin.record.count; ++i) {
    const riscv::RecordedLoad& load = core.spin.record.loads[i];
    if (std::ranges::any_of(words, [&](const AwaitedWord& word) { return word.address == load.address; })) continue;
    const std::uint8_t bytes = load.is_line() ? std::uint8_t{4} : load.size_bytes;
    words.push_back({.address = load.address, .size_bytes = bytes, .value = load.value, .is_l1 = load.is_l1});
  }
  if (!words.empty()) Round(tile, id, words).follow();
  return words;
}

std::uint32_t satisfied(const Need& need, std::uint32_t value) {
  using enum Need::Relation;
  const std::uint32_t lowest = need.mask & -need.mask;
  const std::uint32_t wanted = [&] {
    switch (need.relation) {
      case equal:
      case at_least: return need.value;
      case not_equal: return need.value ^ lowest;
      case below: return need.value - lowest;
    }
    __builtin_unreachable();
  }();
  return (value & ~need.mask) | (wanted & need.mask);
}

}  // namespace tensim::explain
