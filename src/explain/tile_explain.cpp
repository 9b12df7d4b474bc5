// What a core is doing and why it does not go on, in words.
#include <cstring>

#include <fmt/format.h>

#include "arch/semaphores.hpp"
#include "program/unwind.hpp"
#include "riscv/disassemble.hpp"
#include "riscv/engine.hpp"
#include "scenario/tile_run.hpp"

namespace tensim::scenario {
namespace {

using riscv::Core;
using tile::CoreId;
using tile::Tile;

const program::SourceMap* source_of(const Scenario& scenario, CoreId core) {
  const auto& program = scenario.cores[static_cast<unsigned>(core)];
  return program ? program->image.source.get() : nullptr;
}

/// "semaphore 1 (MATH_PACK)", "word done (0x00020000)", "mailbox T0 (0xffec1004)"
std::string what_is_at(const Scenario& scenario, CoreId core, std::uint32_t address) {
  const Region* region = find_region(scenario.arch, tile::bit(core), address);
  if (region != nullptr && region->kind == Region::Kind::semaphores) {
    const unsigned index = (address - region->base) / 4;
    return fmt::format("semaphore {} ({})", index, semaphore_index.symbols[index].name);
  }
  if (region != nullptr && region->kind != Region::Kind::l1) return fmt::format("{} ({:#010x})", region->name, address);
  const program::SourceMap* source = source_of(scenario, core);
  const program::Symbol* symbol = source == nullptr ? nullptr : source->data_at(address);
  return symbol == nullptr ? fmt::format("word {:#010x}", address)
                           : fmt::format("word {} ({:#010x})", symbol->name, address);
}

std::string polled(const Scenario& scenario, const Core& core) {
  std::string text;
  const auto id = static_cast<CoreId>(core.number);
  for (unsigned i = 0; i < core.spin.record.count; ++i) {
    const riscv::RecordedLoad& load = core.spin.record.loads[i];
    const std::string one = fmt::format("{}, which reads {:#x}", what_is_at(scenario, id, load.address), load.value);
    if (text.find(one) == std::string::npos) text += (text.empty() ? "" : ", and on ") + one;
  }
  return text;
}

/// The oldest load that has not been answered.
const riscv::LoadInFlight* unanswered(const Core& core) {
  for (unsigned i = 0; i < core.loads.size(); ++i)
    if (!core.loads[i].is_answered()) return &core.loads[i];
  return nullptr;
}

/// Of a bundle of pushes the first word: the FIFO takes all or none.
tile::Access access_of(const Core& core, const riscv::QueuedStore& store) {
  const bool is_bundle = store.target == riscv::Target::tensix;
  return {.core = static_cast<CoreId>(core.number),
          .is_store = true,
          .size_bytes = is_bundle ? std::uint8_t{4} : store.size_bytes,
          .address = store.address,
          .value = store.value};
}

tile::Access access_of(const Core& core, const riscv::LoadInFlight& load) {
  return {.core = static_cast<CoreId>(core.number), .address = load.address};
}

/// Asks again what a blocked store waits for, on copies: nothing changes.
tile::Wait wait_of(const Tile& tile, const tile::Access& access) {
  tile::Devices devices = tile.devices;
  tensix::Coprocessor coprocessor = tile.coprocessor;
  return store(devices, coprocessor, access).wait;
}

/// Why the oldest store does not leave the queue.
std::string blocked_store(const Scenario& scenario, const Tile& tile, const Core& core) {
  const riscv::QueuedStore& store = core.stores.front();
  const tile::Access access = access_of(core, store);
  return fmt::format("its store of {} blocked: {}", location(scenario, access.core, store.pc),
                     reason(wait_of(tile, access), access));
}

/// Which threads have an instruction queued that changes the semaphore.
std::vector<std::string> semaphore_changers(const Scenario& scenario, const Tile& tile, const Core& core) {
  using namespace isa::literals;
  std::vector<std::string> lines;
  const auto id = static_cast<CoreId>(core.number);
  for (unsigned i = 0; i < core.spin.record.count; ++i) {
    const riscv::RecordedLoad& load = core.spin.record.loads[i];
    const Region* region = find_region(scenario.arch, tile::bit(id), load.address);
    if (region == nullptr || region->kind != Region::Kind::semaphores) continue;
    const unsigned index = (load.address - region->base) / 4;
    bool is_any = false;
    for (unsigned thread = 0; thread < thread_count; ++thread)
      for (const tensix::Entry& entry : insight::remaining_words(tile.arch, tile.coprocessor.frontends[thread], {})) {
        const std::uint8_t opcode = isa::opcode_of(entry.word);
        const bool changes = (opcode == "SEMPOST"_op || opcode == "SEMGET"_op || opcode == "SEMINIT"_op) &&
                             (entry.word >> (2 + index) & 1U) != 0;
        if (!changes) continue;
        is_any = true;
        lines.push_back(
            fmt::format("  T{} has {} queued, but is itself held", thread, describe(scenario, thread, entry)));
        break;
      }
    if (!is_any)
      lines.push_back(
          fmt::format("  nobody will come: no thread has an instruction left that changes semaphore {}", index));
  }
  return lines;
}

}  // namespace

std::string location(const Scenario& scenario, CoreId core, std::uint32_t pc) {
  const program::SourceMap* source = source_of(scenario, core);
  return source == nullptr ? fmt::format("{:#x}", pc) : source->describe(pc);
}

std::string pushed_at(const Scenario& scenario, unsigned thread, const tensix::Entry& entry) {
  const std::uint32_t pc = entry.origin() * 4;
  const auto own = static_cast<CoreId>(thread + 1);
  const program::SourceMap* source = source_of(scenario, own);
  const bool is_own = source != nullptr && source->locate(pc).has_value();
  return is_own ? location(scenario, own, pc) : location(scenario, CoreId::brisc, pc);
}

bool is_parked(const Core& core) {
  return core.status == Core::Status::asleep && core.spin.record.count == 0 && core.stores.empty();
}

std::string state_of(const Scenario& scenario, const Tile& tile, CoreId id) {
  const Core& core = tile.core(id);
  std::string where = location(scenario, id, core.pc);
  switch (core.status) {
    case Core::Status::in_reset: return "held in reset";
    case Core::Status::running: return "at " + where;
    case Core::Status::asleep:
      if (core.spin.record.count != 0) return fmt::format("spins at {} on {}", where, polled(scenario, core));
      return core.stores.empty() ? "parked at " + where
                                 : "parked at " + where + ", " + blocked_store(scenario, tile, core);
    case Core::Status::waits_for_answer:
      if (const riscv::LoadInFlight* load = unanswered(core))
        return fmt::format("waits at {}: {}", location(scenario, id, load->pc),
                           reason(load->wait, access_of(core, *load)));
      return "waits at " + where;
    case Core::Status::waits_for_drain:
      return fmt::format("waits at {}, {}", where, blocked_store(scenario, tile, core));
    case Core::Status::stopped: return "stopped at " + where;
  }
  return where;
}

std::vector<std::string> explain_stuck_core(const Scenario& scenario, const Tile& tile, CoreId id) {
  const Core& core = tile.core(id);
  std::vector<std::string> lines{fmt::format("{} {}", tile::name(id), state_of(scenario, tile, id))};
  if (core.status == Core::Status::asleep) {
    for (std::string& line : semaphore_changers(scenario, tile, core))
      lines.push_back(std::move(line));
    const bool polls_memory = [&] {
      for (unsigned i = 0; i < core.spin.record.count; ++i)
        if (core.spin.record.loads[i].is_l1) return true;
      return false;
    }();
    if (polls_memory)
      lines.emplace_back("  nobody will write it: every other core has ended, is held in reset, or is stuck too");
  }
  return lines;
}

std::vector<std::string> explain_stop(const Scenario& scenario, const Tile& tile, CoreId id) {
  using Reason = riscv::CoreStop::Reason;
  const Core& core = tile.core(id);
  const riscv::CoreStop& stop = *core.stop;
  const std::string text = riscv::disassemble(scenario.arch, stop.word, stop.pc);
  const auto why = [&]() -> std::string {
    switch (stop.reason) {
      case Reason::ebreak: return "ebreak: the program's own assertion failed";
      case Reason::ecall: return "ecall: the core pauses for a debugger that is not there";
      case Reason::undefined_instruction:
        return fmt::format("{:#010x} is no instruction of this core (hardware executes something else, often a nop)",
                           stop.word);
      case Reason::not_modelled: return fmt::format("{}: not modelled yet", text);
      case Reason::no_such_core_instruction: return fmt::format("{}: this core does not have it", text);
      case Reason::fetch_unmapped:
        return "code can only be fetched from L1 (on Wormhole's NCRISC also from its instruction RAM)";
      case Reason::misaligned_jump: return "the address of an instruction must be a multiple of four";
      case Reason::no_csr: return fmt::format("{}: no such CSR", text);
      case Reason::access: {
        const tile::Access access{
            .core = id, .is_store = stop.is_store, .size_bytes = stop.size_bytes, .address = stop.address};
        return describe(stop.access_fault, access,
                        find_region(scenario.arch, tile::bit(id), stop.address));
      }
    }
    return "";
  }();
  std::vector<std::string> lines{fmt::format("{} stopped in cycle {} at {}: {}", tile::name(id), stop.cycle,
                                             location(scenario, id, stop.pc), why)};
  const program::SourceMap* source = source_of(scenario, id);
  if (source == nullptr) return lines;
  const auto load = [&](std::uint32_t address) -> std::optional<std::uint32_t> {
    std::uint32_t word = 0;
    const std::uint32_t local = address - riscv::local_ram_base;
    if (local + 4 <= core.local_bytes && local < core.local_bytes) {
      std::memcpy(&word, core.local_ram.data() + local, 4);
      return word;
    }
    std::array<std::uint8_t, 4> bytes{};
    if (!tile.read(address, bytes.data(), bytes.size())) return std::nullopt;
    std::memcpy(&word, bytes.data(), 4);
    return word;
  };
  const std::vector<std::uint32_t> stack = call_stack(*source, stop.pc, core.x, load);
  for (const std::string& frame : describe(*source, stack))
    lines.push_back("  " + frame);
  return lines;
}

std::string explain(const Scenario& scenario, const tile::TileReport& of) {
  using Category = riscv::CoreReport::Category;
  const riscv::CoreReport& report = of.report;
  std::string where =
      fmt::format("{} in cycle {} at {}", tile::name(of.core), report.cycle, location(scenario, of.core, report.pc));
  switch (report.category) {
    case Category::stale_read:
      return fmt::format(
          "{}: a load of {} gets {:#x} from the L0 data cache, but L1 holds {:#x}; a fence before it would help", where,
          what_is_at(scenario, of.core, report.address), report.value, report.memory);
    case Category::rounded_down:
      return fmt::format("{}: a misaligned access to {:#010x} goes to the aligned address below", where,
                         report.address);
  }
  return where;
}

}  // namespace tensim::scenario
