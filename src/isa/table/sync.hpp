// Sync Unit: mutexes, semaphores, and the waits that it latches into the Wait Gates. Page: SyncUnit.md.
// Waits are held by every block bit, except SEMWAIT on Wormhole, which B1 alone holds (W15, errata 26).
#pragma once

#include <array>

#include "isa/form.hpp"
#include "isa/symbols.hpp"

namespace tensim::isa::table {

constexpr Form sync_row(Form form) {
  form.unit = Unit::sync;
  if (form.block.bits == 0) form.block = {B1};
  return form;
}

namespace sync_parts {

inline constexpr SymbolSet streamwait_condition_index{SymbolSet::Kind::enumeration, {{0, "PHASE"}, {1, "NUM_MSGS"}}};
inline constexpr Field block{"block", 23, 15, "instruction groups held back while waiting; 0 acts as STALL_MATH",
                             &block_mask};
inline constexpr Field sem{"sem", 9, 2, "semaphores to act on, one bit each", &semaphore_mask};
inline constexpr Operands atgetm_operands{{"mutex_index", 0, 24}};
inline constexpr Operands stallwait_operands{{"stall_res", 15, 9}, {"wait_res", 0, 15}};
inline constexpr Operands sempost_operands{{"sem_sel", 2, 22}};
inline constexpr Operands semwait_operands{{"stall_res", 15, 9}, {"sem_sel", 2, 13}, {"wait_sem_cond", 0, 2}};

}  // namespace sync_parts

constexpr auto sync_forms() {
  using namespace sync_parts;
  return std::array{
      sync_row({.name = "ATGETM",
                .opcode = 0xA0,
                .archs = Arch::wormhole,
                .operands = atgetm_operands,
                .fields = {{"mutex", 15, 0, "mutex number; 1 and above 7 never complete", &mutexes_wormhole}},
                .summary = "Hold the thread until a mutex is free, then take it",
                .source = "TensixCoprocessor/ATGETM.md"}),
      sync_row({.name = "ATGETM",
                .opcode = 0xA0,
                .archs = Arch::blackhole,
                .operands = atgetm_operands,
                .fields = {{"mutex", 15, 0, "mutex number; 1 and above 4 never complete", &mutexes_blackhole}},
                .summary = "Hold the thread until a mutex is free, then take it",
                .source = "TensixCoprocessor/ATGETM.md"}),
      sync_row({.name = "ATRELM",
                .opcode = 0xA1,
                .archs = Arch::wormhole,
                .operands = atgetm_operands,
                .fields = {{"mutex", 15, 0, "mutex number; 1 and above 7 never complete", &mutexes_wormhole}},
                .summary = "Give up a mutex if the issuing thread holds it",
                .source = "TensixCoprocessor/ATRELM.md"}),
      sync_row({.name = "ATRELM",
                .opcode = 0xA1,
                .archs = Arch::blackhole,
                .operands = atgetm_operands,
                .fields = {{"mutex", 15, 0, "mutex number; 1 and above 4 never complete", &mutexes_blackhole}},
                .summary = "Give up a mutex if the issuing thread holds it",
                .source = "TensixCoprocessor/ATRELM.md"}),
      sync_row(
          {.name = "STALLWAIT",
           .opcode = 0xA2,
           .archs = Arch::wormhole,
           .block = {all_block_bits},
           .operands = stallwait_operands,
           .fields = {block, {"cond", 14, 0, "conditions to wait for; 0 acts as 0x7F", &stall_conditions_wormhole}},
           .summary = "Hold back chosen instruction groups of the thread until chosen units are idle or banks ready",
           .source = "TensixCoprocessor/STALLWAIT.md"}),
      sync_row(
          {.name = "STALLWAIT",
           .opcode = 0xA2,
           .archs = Arch::blackhole,
           .block = {all_block_bits},
           .operands = stallwait_operands,
           .fields = {block, {"cond", 12, 0, "conditions to wait for; 0 acts as 0x0F", &stall_conditions_blackhole}},
           .summary = "Hold back chosen instruction groups of the thread until chosen units are idle or banks ready",
           .source = "TensixCoprocessor/STALLWAIT.md"}),
      sync_row(
          {.name = "SEMINIT",
           .opcode = 0xA3,
           .operands = {{"max_value", 20, 4}, {"init_value", 16, 4}, {"sem_sel", 2, 14}},
           .fields = {{"max", 23, 20, "new maximum, looked at only by SEMWAIT"}, {"value", 19, 16, "new value"}, sem},
           .summary = "Give the selected semaphores a new value and a new maximum",
           .source = "TensixCoprocessor/SEMINIT.md"}),
      sync_row({.name = "SEMPOST",
                .opcode = 0xA4,
                .operands = sempost_operands,
                .fields = {sem},
                .summary = "Count the selected semaphores up by one, stopping at 15",
                .source = "TensixCoprocessor/SEMPOST.md"}),
      sync_row({.name = "SEMGET",
                .opcode = 0xA5,
                .operands = sempost_operands,
                .fields = {sem},
                .summary = "Count the selected semaphores down by one, stopping at 0",
                .source = "TensixCoprocessor/SEMGET.md"}),
      sync_row(
          {.name = "SEMWAIT",
           .opcode = 0xA6,
           .archs = Arch::wormhole,
           .operands = semwait_operands,
           .fields = {block,
                      sem,
                      {"cond", 1, 0, "semaphore states that keep the wait alive; 0 is undefined",
                       &semaphore_conditions}},
           .summary = "Hold back chosen instruction groups of the thread while a selected semaphore is zero or full",
           .source = "TensixCoprocessor/SEMWAIT.md"}),
      sync_row(
          {.name = "SEMWAIT",
           .opcode = 0xA6,
           .archs = Arch::blackhole,
           .block = {all_block_bits},
           .operands = semwait_operands,
           .fields = {block,
                      sem,
                      {"cond", 1, 0, "semaphore states that keep the wait alive; 0 is undefined",
                       &semaphore_conditions}},
           .summary = "Hold back chosen instruction groups of the thread while a selected semaphore is zero or full",
           .source = "TensixCoprocessor/SEMWAIT.md"}),
      sync_row(
          {.name = "STREAMWAIT",
           .opcode = 0xA7,
           .archs = Arch::blackhole,
           .block = {all_block_bits},
           .operands = {{"stall_res", 15, 9}, {"target_value", 4, 11}, {"target_sel", 3, 1}, {"wait_stream_sel", 0, 3}},
           .fields = {block,
                      {"TargetValueLo", 13, 4, "low ten bits of the count to reach; the rest is thread configuration"},
                      {"ConditionIndex", 3, 3, "what is counted: stream phase or messages received",
                       &streamwait_condition_index},
                      {"StreamSelect", 1, 0, "which STREAM_ID_SYNC_SEC register names the stream"}},
           .summary = "Hold back chosen instruction groups of the thread until an overlay stream reaches a count",
           .source = "TensixCoprocessor/STREAMWAIT.md"}),
  };
}

inline constexpr std::array sync = sync_forms();

}  // namespace tensim::isa::table
