#include "device/device.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "scenario/tile_run.hpp"

namespace tensim::device {
namespace {

using tile::Tile;

/// How far a tile that nobody looks at may fall behind: a fault in it is found that much later. Every run of a tile costs a
/// copy of it (Tile::run_until): 64 busy tiles took 0.58 s of CPU time with 16,384 here, and take 0.34 s.
constexpr Cycle most_behind = 131'072;
constexpr std::size_t most_faults = 1000;  // a host in a loop must not fill its own memory

scenario::Scenario no_programs(Arch arch) {
  scenario::Scenario scenario;
  scenario.arch = arch;
  return scenario;
}

bool is_fault(Tile::Halt halt) {
  return halt == Tile::Halt::core_stopped || halt == Tile::Halt::coprocessor_fault;
}

}  // namespace

Device::Device(const FloorPlan& plan, OnFault on_fault)
    : plan_(plan), on_fault_(on_fault), dram_(plan.bank_count()), arc_(plan) {}

Device::Device(const Device& other)
    : plan_(other.plan_),
      on_fault_(other.on_fault_),
      now_(other.now_),
      settled_(other.settled_),
      host_has_faulted_(other.host_has_faulted_),
      faulty_tiles_(other.faulty_tiles_),
      dram_(other.dram_),
      ethernet_(other.ethernet_),
      arc_(other.arc_),
      faults_(other.faults_) {
  for (const auto& [index, slot] : other.slots_)
    slots_.emplace(index, Slot{slot.place, std::make_unique<Tile>(*slot.tile), slot.halt, slot.is_idle, slot.has_fault,
                               slot.programs});
}

Device& Device::operator=(const Device& other) {
  if (this == &other) return *this;
  Recorder* const keeps_recorder = recorder;
  HostPort* const keeps_host = host;
  *this = Device(other);
  recorder = keeps_recorder;
  host = keeps_host;
  return *this;
}

// ---- tiles ----

Device::Slot& Device::touch(Coordinates raw) {
  const std::size_t index = plan_.index(raw);
  if (const auto known = slots_.find(index); known != slots_.end()) return known->second;
  return slots_
      .emplace(index, Slot{.place = raw, .tile = std::make_unique<Tile>(arch()), .programs = no_programs(arch())})
      .first->second;
}

const Device::Slot* Device::slot_of(Coordinates given) const {
  const auto raw = plan_.tile(given);
  if (!raw) return nullptr;
  const auto known = slots_.find(plan_.index(*raw));
  return known == slots_.end() ? nullptr : &known->second;
}

/// Runs the tile up to now, unless it is idle or stands still: as far as its L1 shows it.
void Device::catch_up(Slot& slot) {
  if (slot.is_idle || slot.has_fault || slot.tile->now() >= now_) return;
  found(slot, slot.tile->run_window(now_));
}

/// catch_up() for all there is to see, and moves the clock of an idle tile to now, too.
void Device::idle_up(Slot& slot) {
  catch_up(slot);
  slot.tile->settle();
  if (slot.is_idle && slot.tile->now() < now_) slot.tile->idle_until(now_);
}

void Device::found(Slot& slot, Tile::Halt halt) {
  slot.halt = halt;
  slot.is_idle = halt == Tile::Halt::nothing_left;
  if (halt == Tile::Halt::reached) return;
  set_fault(slot, is_fault(halt));
  if (!slot.has_fault || faults_.size() >= most_faults) return;
  Fault fault{.kind = Fault::Kind::coprocessor,
              .cycle = slot.tile->now(),
              .tile = slot.place,
              .coprocessor = slot.tile->coprocessor.fault,
              .programs = std::make_shared<const scenario::Scenario>(slot.programs)};
  if (const auto core = slot.tile->stopped_core()) {
    fault.kind = Fault::Kind::core_stopped;
    fault.cycle = slot.tile->core(*core).stop->cycle;
    fault.core_end = explain::core_end(*slot.tile, *core, slot.programs.source_of(*core));
  }
  faults_.push_back(std::move(fault));
}

void Device::set_fault(Slot& slot, bool has_fault) {
  if (slot.has_fault == has_fault) return;
  slot.has_fault = has_fault;
  if (has_fault)
    ++faulty_tiles_;
  else
    --faulty_tiles_;
}

Tile* Device::tensix(Coordinates tile) {
  const auto raw = plan_.tile(tile);
  if (!raw) return nullptr;
  const auto known = slots_.find(plan_.index(*raw));
  if (known == slots_.end()) return nullptr;
  idle_up(known->second);
  return known->second.tile.get();
}

// ---- time ----

void Device::settle() {
  for (auto& [index, slot] : slots_)
    catch_up(slot);
  settled_ = now_;
}

void Device::clock(Cycle cycles) {
  if (is_stopped()) return;
  now_ = later(cycles);
  if (now_ - settled_ >= most_behind) settle();
}

Cycle Device::later(Cycle cycles) const {
  constexpr Cycle last = tensix::never / 4;  // far from where time ends
  return now_ + std::min(cycles, last - std::min(now_, last));
}

Device::RunEnd Device::run_until_word(Coordinates given, std::uint32_t address, std::uint32_t value, Cycle budget) {
  const auto raw = find(given, 0, "waits for", address);
  if (!raw) return {};
  if (!plan_.has_tensix(*raw)) {
    host_fault(*raw, "the host waits for a word of a tile that has no L1");
    return {};
  }
  Slot& slot = touch(*raw);
  if (std::uint64_t{address} + sizeof value > slot.tile->l1.size()) {
    host_fault(*raw, fmt::format("the host waits for the word at {:#010x}, which is not in L1", address));
    return {};
  }
  idle_up(slot);
  const auto has_value = [&] {
    std::uint32_t word = 0;
    std::memcpy(&word, slot.tile->l1.data() + address, sizeof word);
    return word == value;
  };
  if (has_value()) return {.met = true};
  if (slot.is_idle || slot.has_fault || is_stopped()) return {};
  const Cycle before = now_;
  slot.tile->stop_when(address, value);
  const Tile::Halt halt = slot.tile->run_until(later(budget));
  slot.tile->forget_stop_words();
  now_ = std::max(now_, slot.tile->now());
  found(slot, halt == Tile::Halt::met ? Tile::Halt::reached : halt);
  settle();
  return {.met = halt == Tile::Halt::met, .cycles = now_ - before};
}

bool Device::run_until_idle(Cycle budget) {
  const Cycle end = later(budget);
  const auto is_busy = [](const auto& entry) { return !entry.second.is_idle && !entry.second.has_fault; };
  settle();
  while (now_ < end && !is_stopped() && std::ranges::any_of(slots_, is_busy)) {
    Cycle last = now_;
    for (auto& [index, slot] : slots_) {
      if (slot.is_idle || slot.has_fault) continue;
      found(slot, slot.tile->run_until(end));
      last = std::max(last, slot.tile->now());
    }
    now_ = std::min(end, std::max(last, now_ + 1));
  }
  settled_ = now_;
  return std::ranges::none_of(slots_, is_busy);
}

// ---- programs ----

std::optional<std::string> Device::load(Coordinates given, tile::CoreId core, program::Image image) {
  const auto raw = plan_.tile(given);
  if (!raw || !plan_.has_tensix(*raw)) return fmt::format("{},{} is not a Tensix tile", given.x, given.y);
  Slot& slot = touch(*raw);
  idle_up(slot);
  slot.is_idle = false;
  for (const program::Segment& segment : image.segments) {
    const auto bytes = segment.load_bytes();
    if (!bytes.empty() && !slot.tile->write(segment.load_address, bytes.data(), bytes.size()))
      return fmt::format("{}: {} bytes at {:#010x} are not in memory", image.file, bytes.size(), segment.load_address);
  }
  const program::Symbol* ring = image.source->symbol("tensim_print_ring");
  if (ring != nullptr) tile::attach_print_ring(*slot.tile, core, ring->address);
  slot.programs.cores[static_cast<unsigned>(core)] = {std::move(image), true};
  return std::nullopt;
}

bool Device::release(Coordinates given, tile::CoreId core, std::uint32_t pc) {
  const auto raw = plan_.tile(given);
  if (!raw || !plan_.has_tensix(*raw)) return false;
  Slot& slot = touch(*raw);
  idle_up(slot);
  slot.is_idle = false;
  slot.tile->release(core, pc);
  set_fault(slot, slot.tile->stopped_core().has_value() || slot.tile->coprocessor.fault.has_value());
  return true;
}

// ---- what has happened ----

std::vector<Fault> Device::take_faults() {
  return std::exchange(faults_, {});
}

void Device::add_host_fault(std::optional<Coordinates> tile, std::string text) {
  host_has_faulted_ = true;
  if (recorder != nullptr) recorder->note(text);
  if (faults_.size() < most_faults)
    faults_.push_back({.kind = Fault::Kind::host_access, .cycle = now_, .tile = tile, .host = std::move(text)});
}

std::optional<explain::Outcome> Device::outcome(Coordinates given) {
  if (tensix(given) == nullptr) return std::nullopt;
  const Slot* slot = slot_of(given);
  return scenario::outcome_of(slot->programs, *slot->tile, slot->halt);
}

const scenario::Scenario& Device::programs(Coordinates given) const {
  static const std::array nothing{no_programs(Arch::wormhole), no_programs(Arch::blackhole)};
  static_assert(nothing.size() == all_archs.size());
  const Slot* slot = slot_of(given);
  return slot == nullptr ? nothing[static_cast<std::size_t>(arch())] : slot->programs;
}

}  // namespace tensim::device
