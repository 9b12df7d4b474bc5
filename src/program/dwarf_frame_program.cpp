#include "program/dwarf_frame_program.hpp"

#include <dwarf.h>

namespace tensim::program {
namespace {

using Rule = FrameRow::Rule;

constexpr std::size_t max_remembered = 64;
constexpr std::uint64_t s0_register = 8;
constexpr Rule unknown{Rule::Kind::unknown, 0};

class FrameProgram {
 public:
  FrameProgram(const FrameCommon& common, FrameRow& row, std::vector<FrameRow>& rows)
      : common_(common), row_(row), rows_(rows), end_(row.end) {}

  bool run(ByteCursor& program) {
    while (program.more() && good_)
      step(program);
    good_ = good_ && program.ok();
    if (good_) add_row(end_);
    return good_;
  }

 private:
  void add_row(std::uint64_t until) {
    row_.end = static_cast<std::uint32_t>(std::min<std::uint64_t>(until, end_));
    if (row_.end > row_.begin) rows_.push_back(row_);
    row_.begin = row_.end;
  }

  void advance(std::uint64_t delta) {
    // Nothing is as long as the address space: the sum does not overflow.
    const std::uint64_t distance = std::min(delta, std::uint64_t{1} << 32) * std::min(common_.code_factor, max_factor);
    if (distance != 0) add_row(row_.begin + distance);
  }

  void set(std::uint64_t number, Rule rule) {
    if (number == common_.return_register) row_.return_address = rule;
    if (number == s0_register) row_.s0 = rule;
  }

  void restore(std::uint64_t number) {
    set(number, number == s0_register ? common_.initial.s0 : common_.initial.return_address);
  }

  void set_frame(std::uint64_t number, std::int32_t offset) {
    set_frame_register(number);
    row_.frame_offset = offset;
  }

  void set_frame_register(std::uint64_t number) {
    row_.frame_register = number < 32 ? static_cast<std::uint8_t>(number) : FrameRow::no_register;
  }

  /// Offsets wrap like addresses, and so may their products.
  [[nodiscard]] std::int32_t scaled(std::uint64_t offset) const {
    return static_cast<std::int32_t>(
        static_cast<std::uint32_t>(offset * static_cast<std::uint64_t>(common_.data_factor)));
  }
  [[nodiscard]] Rule saved(std::uint64_t offset) const { return {Rule::Kind::saved, scaled(offset)}; }

  void step(ByteCursor& program) {
    const std::uint8_t opcode = program.u8();
    const std::uint8_t operand = opcode & 0x3FU;
    switch (opcode & 0xC0U) {
      case DW_CFA_advance_loc: return advance(operand);
      case DW_CFA_offset: return set(operand, saved(program.uleb()));
      case DW_CFA_restore: return restore(operand);
      default:
        if (!step_location(opcode, program) && !step_frame(opcode, program) && !step_register(opcode, program))
          good_ = false;
    }
  }

  bool step_location(std::uint8_t opcode, ByteCursor& program) {
    switch (opcode) {
      case DW_CFA_nop: return true;
      case DW_CFA_advance_loc1: return advance(program.u8()), true;
      case DW_CFA_advance_loc2: return advance(program.u16()), true;
      case DW_CFA_advance_loc4: return advance(program.u32()), true;
      case DW_CFA_remember_state: remembered_.push_back(row_); return remembered_.size() <= max_remembered;
      case DW_CFA_restore_state: {
        if (remembered_.empty()) return false;
        const std::uint32_t here = row_.begin;
        row_ = remembered_.back();
        row_.begin = here;
        remembered_.pop_back();
        return true;
      }
      case DW_CFA_GNU_args_size: return program.uleb(), true;
      default: return false;
    }
  }

  bool step_frame(std::uint8_t opcode, ByteCursor& program) {
    switch (opcode) {
      case DW_CFA_def_cfa: {
        const std::uint64_t number = program.uleb();
        return set_frame(number, static_cast<std::int32_t>(static_cast<std::uint32_t>(program.uleb()))), true;
      }
      case DW_CFA_def_cfa_sf: {
        const std::uint64_t number = program.uleb();
        return set_frame(number, scaled(static_cast<std::uint64_t>(program.sleb()))), true;
      }
      case DW_CFA_def_cfa_register: return set_frame_register(program.uleb()), true;
      case DW_CFA_def_cfa_offset:
        row_.frame_offset = static_cast<std::int32_t>(static_cast<std::uint32_t>(program.uleb()));
        return true;
      case DW_CFA_def_cfa_offset_sf:
        row_.frame_offset = scaled(static_cast<std::uint64_t>(program.sleb()));
        return true;
      case DW_CFA_def_cfa_expression:
        program.take(program.uleb());
        row_.frame_register = FrameRow::no_register;
        return true;
      default: return false;
    }
  }

  bool step_register(std::uint8_t opcode, ByteCursor& program) {
    if (opcode < DW_CFA_offset_extended || opcode > DW_CFA_val_expression) return false;
    const std::uint64_t number = program.uleb();
    switch (opcode) {
      case DW_CFA_offset_extended: return set(number, saved(program.uleb())), true;
      case DW_CFA_offset_extended_sf: return set(number, saved(static_cast<std::uint64_t>(program.sleb()))), true;
      case DW_CFA_restore_extended: return restore(number), true;
      case DW_CFA_same_value: return set(number, {}), true;
      case DW_CFA_undefined: return set(number, unknown), true;
      case DW_CFA_register:
      case DW_CFA_val_offset:
      case DW_CFA_val_offset_sf: program.uleb(); return set(number, unknown), true;
      case DW_CFA_expression:
      case DW_CFA_val_expression: program.take(program.uleb()); return set(number, unknown), true;
      default: return false;
    }
  }

  static constexpr std::uint64_t max_factor = 1U << 16;

  const FrameCommon& common_;
  FrameRow& row_;
  std::vector<FrameRow>& rows_;
  std::uint32_t end_;
  std::vector<FrameRow> remembered_;
  bool good_ = true;
};

}  // namespace

bool run_frame_program(const FrameCommon& common, ByteCursor program, FrameRow& row, std::vector<FrameRow>& rows) {
  return FrameProgram(common, row, rows).run(program);
}

}  // namespace tensim::program
