#include "explain/script_to_come.hpp"

#include <algorithm>

#include "isa/table.hpp"
#include "tensix/units/sync/words.hpp"

namespace tensim::explain {
namespace {

using tensix::Entry;
using tile::CoreId;
using tile::ScriptedAccess;
using tile::Tile;

bool hangs(const Tile& tile, CoreId core) {
  const auto waiting = tile.script.waiting(static_cast<unsigned>(core));
  return waiting && waiting->wait == tile::Wait::for_ever;
}

struct StoreToCome {
  CoreId core = CoreId::brisc;
  ScriptedAccess store;
  const Region* region = nullptr;
};

/// Of all cores, by cycle.
std::vector<StoreToCome> stores_to_come(const Tile& tile) {
  std::vector<StoreToCome> stores;
  const auto cycle_of = [](const StoreToCome& each) { return each.store.cycle; };
  for (unsigned i = 0; i < tile::core_count; ++i) {
    const auto core = static_cast<CoreId>(i);
    for (const ScriptedAccess& access : tile.script.accesses_to_come(i))
      if (const Region* region = find_region(tile.arch, tile::bit(core), access.address);
          access.is_store && region != nullptr)
        stores.insert(std::ranges::upper_bound(stores, access.cycle, {}, cycle_of), {core, access, region});
  }
  return stores;
}

/// The thread that the store pushes an instruction to.
std::optional<unsigned> pushed_thread(const StoreToCome& to_come) {
  if (to_come.region->kind == Region::Kind::instruction_buffer_own) return tile::thread_of(to_come.core);
  if (to_come.region->kind == Region::Kind::instruction_buffer_brisc) return to_come.region->index;
  return std::nullopt;
}

/// The SEMPOST or SEMGET that a store to the semaphore window amounts to.
isa::Word semaphore_instruction(const StoreToCome& to_come) {
  using namespace isa::literals;
  const isa::Word opcode = (to_come.store.value & 1U) != 0 ? "SEMGET"_op : "SEMPOST"_op;  // U10, U11
  const std::uint32_t semaphore = (to_come.store.address - to_come.region->base) / 4;
  return opcode << isa::parameter_bits | tensix::sync_words::semaphores.put(1U << semaphore);
}

}  // namespace

insight::RemainingWords words_to_come(const Tile& tile) {
  insight::RemainingWords words;
  if (!tile.script.is_given()) return words;
  for (unsigned thread = 0; thread < thread_count; ++thread) {
    auto origin = static_cast<std::uint32_t>(tile.script.words_fed(thread));
    for (const isa::Word word : tile.script.words_to_come(thread))
      words[thread].push_back(Entry::pushed(word, origin++));
  }
  for (const StoreToCome& to_come : stores_to_come(tile))
    if (const auto thread = pushed_thread(to_come); thread && !hangs(tile, to_come.core))
      words[*thread].push_back(Entry::pushed(to_come.store.value, tile::Script::no_origin));
  return words;
}

std::vector<insight::CoreStore> semaphore_stores_to_come(const Tile& tile, bool nothing_moves) {
  std::vector<insight::CoreStore> stores;
  for (const StoreToCome& to_come : stores_to_come(tile))
    if (to_come.region->kind == Region::Kind::semaphores)
      stores.push_back({to_come.core, semaphore_instruction(to_come), nothing_moves || hangs(tile, to_come.core)});
  return stores;
}

void add_stuck_scripted_cores(const Tile& tile, bool nothing_moves, Outcome& outcome) {
  for (unsigned i = 0; i < tile::core_count; ++i) {
    const auto waiting = tile.script.waiting(i);
    if (!waiting || (!nothing_moves && waiting->wait != tile::Wait::for_ever)) continue;
    outcome.stuck_cores.push_back(
        {.core = static_cast<CoreId>(i),
         .scripted = StuckAccess{.access = waiting->access, .wait = waiting->wait, .cycle = waiting->cycle}});
  }
}

}  // namespace tensim::explain
