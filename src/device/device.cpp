#include "device/device.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "explain/tile_outcome.hpp"
#include "scenario/tile_run.hpp"

namespace tensim::device {
namespace {

using tile::Tile;

/// How far a tile that nobody looks at may fall behind: a fault in it is found that much later. Every run of a tile costs a
/// copy of it (Tile::run_until): 64 busy tiles took 0.58 s of CPU time with 16,384 here, and take 0.34 s.
constexpr Cycle most_behind = 131'072;
constexpr std::size_t most_faults = 1000;  // a host in a loop must not fill its own memory

/// Of a tile at rest. Where the clock has gone on, cores that poll are awake, and nobody knows what they poll: in a copy they
/// fall asleep again.
void explain_rest(const scenario::Scenario& programs, const Tile& tile, explain::Outcome& outcome) {
  constexpr Cycle until_asleep = 100'000;
  const auto copy = std::make_unique<Tile>(tile);
  const Tile::Halt halt = copy->run_until(copy->now() + until_asleep);
  if (halt != Tile::Halt::nothing_left) return;
  explain::Outcome rest = scenario::outcome_of(programs, *copy, halt);
  outcome.kind = rest.kind;
  outcome.graph = std::move(rest.graph);
  outcome.stuck_cores = std::move(rest.stuck_cores);
  for (unsigned core = 0; core < tile::core_count; ++core)
    outcome.cores[core].state = std::move(rest.cores[core].state);
  if (outcome.kind == explain::OutcomeKind::deadlocked && explain::waits_for_host(*copy))
    outcome.kind = explain::OutcomeKind::waiting_for_host;
}

scenario::Scenario no_programs(Arch arch) {
  scenario::Scenario scenario;
  scenario.arch = arch;
  return scenario;
}

}  // namespace

Device::Device(const FloorPlan& plan, OnFault on_fault) : chip_(plan), on_fault_(on_fault), arc_(plan) {}

// ---- tiles ----

Device::Slot& Device::touch(Coordinates raw) {
  return chip_.touch(raw);
}

const Device::Slot* Device::slot_of(Coordinates given) const {
  const auto raw = plan().tile(given);
  return raw ? chip_.find(*raw) : nullptr;
}

std::shared_ptr<const scenario::Scenario> Device::copy_of_programs(Coordinates raw) {
  return std::make_shared<const scenario::Scenario>(programs_of(raw));
}

scenario::Scenario& Device::programs_of(Coordinates raw) {
  return programs_.try_emplace(plan().index(raw), no_programs(arch())).first->second;
}

/// Runs the chip up to now, as far as it can be seen from outside the cores.
void Device::catch_up() {
  if (chip_.now() >= now_) return;
  attach();
  chip_.run_apart(now_);
  note_faults();
}

void Device::check_races(insight::ChipRaces& check) {
  races_ = &check;
  chip_.observe(&check, [&check](Coordinates at, const Tile& tile) { return check.of_tile(at, tile); });
}

void Device::run_with_threads(unsigned count) {
  own_.workers = count < 2 ? nullptr : std::make_unique<chip::Workers>(count);
}

/// catch_up() for all there is to see of a tile.
void Device::idle_up(Slot& slot) {
  catch_up();
  slot.tile->settle();
  if (!slot.has_fault && slot.tile->now() < now_) slot.tile->idle_until(now_);
}

/// Tiles that have come to an end since the last time, and requests that nobody could answer.
void Device::note_faults() {
  for (chip::Unanswered& request : chip_.take_unanswered()) {
    host_has_faulted_ = true;
    if (faults_.size() < most_faults)
      faults_.push_back({.kind = Fault::Kind::unanswered,
                         .cycle = request.cycle,
                         .tile = request.tile,
                         .unanswered = request,
                         .issuer_programs = copy_of_programs(request.message->issuer.tile)});
  }
  for (const Coordinates raw : chip_.take_halted()) {
    ++faulty_tiles_;
    if (faults_.size() >= most_faults) continue;
    const Tile& tile = *chip_.find(raw)->tile;
    Fault fault{.kind = Fault::Kind::coprocessor,
                .cycle = tile.now(),
                .tile = raw,
                .coprocessor = tile.coprocessor.fault,
                .noc = tile.noc_fault,
                .programs = copy_of_programs(raw)};
    if (const auto core = tile.stopped_core()) {
      fault.kind = Fault::Kind::core_stopped;
      fault.cycle = tile.core(*core).stop->cycle;
      fault.core_end = explain::core_end(tile, *core, fault.programs->source_of(*core));
    } else if (tile.noc_fault) {
      fault.kind = Fault::Kind::noc_access;
      fault.cycle = tile.noc_fault->cycle;
      fault.issuer_programs = copy_of_programs(tile.noc_fault->issuer.tile);
    }
    faults_.push_back(std::move(fault));
  }
}

/// After the host has done something to the tile. It may have reset a core that stopped; what instructions or the NoC have
/// done stays.
void Device::look_for_fault(Slot& slot) {
  const Tile& tile = *slot.tile;
  const bool has_fault = tile.stopped_core() || tile.coprocessor.fault || tile.noc_fault;
  if (slot.has_fault == has_fault) return;
  slot.has_fault = has_fault;
  if (has_fault)
    ++faulty_tiles_;
  else
    --faulty_tiles_;
}

Tile* Device::tensix(Coordinates tile) {
  const auto raw = plan().tile(tile);
  Slot* const slot = raw ? chip_.find(*raw) : nullptr;
  if (slot == nullptr) return nullptr;
  idle_up(*slot);
  return &*slot->tile;
}

// ---- time ----

void Device::settle() {
  catch_up();
}

void Device::settle_tiles() {
  catch_up();
  chip_.settle();
}

void Device::clock(Cycle cycles) {
  if (is_stopped()) return;
  now_ = later(cycles);
  if (now_ - chip_.now() >= most_behind) settle();
}

Cycle Device::later(Cycle cycles) const {
  constexpr Cycle last = tensix::never / 4;  // far from where time ends
  return now_ + std::min(cycles, last - std::min(now_, last));
}

Device::RunEnd Device::run_until_word(Coordinates given, std::uint32_t address, std::uint32_t value, Cycle budget) {
  const auto raw = find(given, 0, "waits for", address);
  if (!raw) return {};
  if (!plan().has_cores(*raw)) {
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
  const auto has_seen = [&] {
    if (races_ != nullptr) races_->host_read(now_, *raw, address, sizeof value);
  };
  if (has_value()) {
    has_seen();
    return {.met = true};
  }
  if (slot.is_idle || slot.has_fault || is_stopped()) return {};
  const Cycle before = now_;
  slot.tile->stop_when(address, value);
  attach();
  const bool is_met = chip_.run_until_met(slot, later(budget));
  slot.tile->forget_stop_words();
  now_ = std::max(now_, chip_.now());
  if (is_met) slot.halt = Tile::Halt::reached;
  has_seen();
  note_faults();
  return {.met = is_met, .cycles = now_ - before};
}

bool Device::run_until_idle(Cycle budget) {
  catch_up();
  if (is_stopped()) return chip_.is_idle();
  attach();
  const bool is_idle = chip_.run_until_idle(later(budget));
  now_ = std::max(now_, chip_.now());
  note_faults();
  return is_idle;
}

// ---- programs ----

std::optional<std::string> Device::load(Coordinates given, tile::CoreId core, program::Image image) {
  const auto raw = plan().tile(given);
  if (!raw || !plan().has_tensix(*raw)) return fmt::format("{},{} is not a Tensix tile", given.x, given.y);
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
  programs_of(*raw).cores[static_cast<unsigned>(core)] = {std::move(image), true};
  return std::nullopt;
}

bool Device::release(Coordinates given, tile::CoreId core, std::uint32_t pc) {
  const auto raw = plan().tile(given);
  if (!raw || !plan().has_tensix(*raw)) return false;
  Slot& slot = touch(*raw);
  idle_up(slot);
  slot.is_idle = false;
  slot.tile->release(core, pc);
  look_for_fault(slot);
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
  const Slot& slot = *slot_of(given);
  const Tile::Halt halt = slot.is_idle || slot.has_fault ? slot.halt : Tile::Halt::reached;
  explain::Outcome outcome = scenario::outcome_of(programs(given), *slot.tile, halt);
  if (outcome.kind == explain::OutcomeKind::deadlocked) explain_rest(programs(given), *slot.tile, outcome);
  return outcome;
}

const scenario::Scenario& Device::programs(Coordinates given) const {
  static const std::array nothing{no_programs(Arch::wormhole), no_programs(Arch::blackhole)};
  static_assert(nothing.size() == all_archs.size());
  const auto raw = plan().tile(given);
  const auto known = raw ? programs_.find(plan().index(*raw)) : programs_.end();
  return known == programs_.end() ? nothing[static_cast<std::size_t>(arch())] : known->second;
}

}  // namespace tensim::device
