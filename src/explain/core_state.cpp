#include "explain/core_state.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "explain/core_end.hpp"
#include "program/tensix_code.hpp"

namespace tensim::explain {
namespace {

using riscv::Core;
using tile::CoreId;
using tile::Tile;
using tile::Wait;

/// The oldest load that has not been answered.
const riscv::LoadInFlight* unanswered(const Core& core) {
  for (unsigned i = 0; i < core.loads.size(); ++i)
    if (!core.loads[i].is_answered()) return &core.loads[i];
  return nullptr;
}

/// Of a bundle of pushes the first word: the FIFO takes all or none. Of a block of L1, too: only stores to devices have a size.
tile::Access access_of(const Core& core, const riscv::QueuedStore& store) {
  return {.core = static_cast<CoreId>(core.number),
          .is_store = true,
          .size_bytes = store.target == riscv::Target::device ? store.size_bytes : std::uint8_t{4},
          .address = store.address,
          .value = store.value};
}

/// Asks again what a blocked store waits for, on copies: nothing changes.
Wait wait_of(const Tile& tile, const tile::Access& access) {
  tile::Devices devices = tile.devices;
  tensix::Coprocessor coprocessor = tile.coprocessor;
  return store(devices, coprocessor, access).wait;
}

WaitingAccess oldest_store(const Tile& tile, const Core& core) {
  const riscv::QueuedStore& store = core.stores.front();
  const tile::Access access = access_of(core, store);
  return {.access = access, .wait = wait_of(tile, access), .pc = store.pc};
}

/// The thread that must go on before the access can be answered.
std::optional<unsigned> awaited_thread(const WaitingAccess& waiting) {
  switch (waiting.wait) {
    case Wait::push_fifo_full:
    case Wait::brisc_entry_full:
    case Wait::thread_not_idle:
    case Wait::mop_not_idle:
    case Wait::auto_ttsync: return tile::thread_at(waiting.access);
    default: return std::nullopt;
  }
}

}  // namespace

bool is_parked(const Core& core) {
  return core.status == Core::Status::asleep && core.spin.record.count == 0 && core.stores.empty();
}

bool has_more_to_do(const Core& core) {
  return core.status != Core::Status::in_reset && !is_parked(core);
}

CoreState core_state(const Tile& tile, CoreId id) {
  const Core& core = tile.core(id);
  CoreState state{.core = id, .status = core.status, .pc = core.pc};
  const bool sleeps = core.status == Core::Status::asleep;
  if (sleeps)
    for (unsigned i = 0; i < core.spin.record.count; ++i) {
      const riscv::RecordedLoad& load = core.spin.record.loads[i];
      state.polls.push_back({.address = load.address, .value = load.value, .is_l1 = load.is_l1});
    }
  if ((sleeps || core.status == Core::Status::waits_for_drain) && !core.stores.empty())
    state.store = oldest_store(tile, core);
  if (core.status == Core::Status::waits_for_answer)
    if (const riscv::LoadInFlight* load = unanswered(core))
      state.load = WaitingAccess{
          .access = {.core = id, .address = load->address}, .wait = static_cast<Wait>(load->wait), .pc = load->pc};
  return state;
}

namespace {

/// Words that the core has stored, and that have not left it.
std::vector<insight::CodeWord> queued_words(const Core& core) {
  std::vector<insight::CodeWord> words;
  for (unsigned i = 0; i < core.stores.size(); ++i) {
    const riscv::QueuedStore& store = core.stores[i];
    if (store.target == riscv::Target::device) words.push_back({store.value, store.pc});
    if (store.target != riscv::Target::tensix) continue;
    for (unsigned at = 0; at < store.size_bytes; at += 4) {
      insight::CodeWord& word = words.emplace_back(isa::Word{0}, store.pc + at);
      std::memcpy(&word.word, store.bytes.data() + at, 4);
    }
  }
  return words;
}

/// What the core can still push, and whether its program knows where the semaphores are.
void add_code(const Tile& tile, const program::Image& image, insight::LiveCore& live) {
  const Core& core = tile.core(live.core);
  const program::TensixCode code = tensix_code(tile.arch, image, call_stack(tile, live.core, core.pc, *image.source));
  std::vector<insight::CodeWord> words = queued_words(core);
  for (const program::TensixWord& each : code.words)
    words.push_back({each.word, each.pc});
  live.code = std::make_shared<const std::vector<insight::CodeWord>>(std::move(words));
  live.stores_to_semaphores = std::ranges::any_of(code.constants, [&](std::uint32_t constant) {
    const Region* region = find_region(tile.arch, tile.devices.view_of(live.core), constant);
    return region != nullptr && region->kind == Region::Kind::semaphores;
  });
}

}  // namespace

std::vector<insight::LiveCore> live_cores(const Tile& tile, bool nothing_moves, const ProgramOf& program_of) {
  std::vector<insight::LiveCore> cores;
  for (unsigned i = 0; i < tile::core_count; ++i) {
    const auto id = static_cast<CoreId>(i);
    const Core& core = tile.core(id);
    if (!has_more_to_do(core) || core.status == Core::Status::stopped) continue;
    insight::LiveCore live{.core = id, .is_stuck = nothing_moves};
    const CoreState state = core_state(tile, id);
    if (const auto& waiting = state.load ? state.load : state.store) {
      live.wait = waiting->wait;
      live.thread = awaited_thread(*waiting);
    }
    if (const program::Image* image = program_of(id)) add_code(tile, *image, live);
    cores.push_back(std::move(live));
  }
  return cores;
}

}  // namespace tensim::explain
