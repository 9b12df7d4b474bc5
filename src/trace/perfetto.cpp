#include "trace/perfetto.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "isa/disassemble.hpp"
#include "tile/access.hpp"

namespace tensim::trace {

using event::Packet;
using noc::Coordinates;
using noc::Message;
using noc::MessageKind;

namespace {

/// Tracks and processes have numbers of one kind.
constexpr std::uint64_t process_uuid = std::uint64_t{1} << 32U;
constexpr std::uint32_t niu_tracks = PerfettoTile::most_tracks - noc::noc_count;  // among those of a tile
constexpr std::uint32_t memory_track = niu_tracks - 1;

std::uint64_t packet_flow(std::uint32_t source, std::uint32_t number) {
  return std::uint64_t{1} << 62U | std::uint64_t{source} << 32U | number;
}

std::string exchange_text(const Mark& mark) {
  const std::uint32_t with = mark.word;
  switch (static_cast<Exchange>(mark.reason)) {
    case Exchange::sends_mail: return fmt::format("mail to {}", tile::core_names[with % tile::core_count]);
    case Exchange::takes_mail: return fmt::format("mail from {}", tile::core_names[with % tile::core_count]);
    case Exchange::sends_work: return fmt::format("PCBuf of T{}", with);
    case Exchange::takes_work: return "from its PCBuf";
    case Exchange::posts_semaphore: return fmt::format("posts semaphore {}", with);
    case Exchange::gets_semaphore: return fmt::format("gets semaphore {}", with);
    case Exchange::sees_semaphore: return fmt::format("sees semaphore {}", with);
    case Exchange::asks_noc: return fmt::format("request on NoC {}", with);
    case Exchange::lets_go: {
      std::string text = "lets go";
      for (unsigned core = 0; core < tile::core_count; ++core)
        if ((with >> core & 1U) != 0) text += fmt::format(" {}", tile::core_names[core]);
      return text;
    }
  }
  return {};
}

tensix::Entry entry_of(const Mark& mark) {
  const std::uint32_t source = mark.origin << (tensix::Entry::origin_shift - tensix::Entry::source_shift) |
                               (mark.is_from_brisc ? tensix::Entry::brisc_bit >> tensix::Entry::source_shift : 0U);
  return tensix::Entry::expanded(mark.word, source);
}

}  // namespace

Perfetto::Perfetto(const PerfettoLimits& limits, TileName name, const noc::FloorPlan* plan)
    : limits_(limits), name_(std::move(name)), plan_(plan) {}

std::uint32_t Perfetto::number_of(Coordinates at) const {
  return plan_ == nullptr ? 0 : static_cast<std::uint32_t>(plan_->index(at));
}

Perfetto::Process& Perfetto::process_at(Coordinates at) {
  Process& process = processes_[number_of(at)];
  if (process.name.empty()) {
    process.name = name_(at);
    process.at = at;
  }
  return process;
}

event::Listener* Perfetto::of_tile(Coordinates at, const tile::Tile& tile) {
  Process& process = process_at(at);
  if (process.tile == nullptr)
    process.tile = std::make_unique<PerfettoTile>(limits_, number_of(at), tile, plan_ != nullptr);
  return process.tile.get();
}

void Perfetto::note_race(Coordinates at, time::Cycle cycle, const std::string& text) {
  const Process& process = process_at(at);
  if (process.tile != nullptr) process.tile->note_race(cycle, text);
}

void Perfetto::finish_tile(Coordinates at, const tile::Tile& tile) {
  const auto found = processes_.find(number_of(at));
  if (found != processes_.end() && found->second.tile != nullptr) found->second.tile->finish(tile);
}

// ---- packets ----

PerfettoTrack& Perfetto::niu_track(Coordinates at, unsigned noc) {
  std::unique_ptr<PerfettoTrack>& track = process_at(at).nius[noc];
  if (track == nullptr)
    track = std::make_unique<PerfettoTrack>(limits_, number_of(at) * PerfettoTile::most_tracks + niu_tracks + noc + 1,
                                            fmt::format("NIU {}", noc));
  return *track;
}

PerfettoUnit& Perfetto::memory_at(Coordinates at, PerfettoTrack*& track) {
  const unsigned bank = plan_->bank(at);
  const Coordinates first = plan_->bank_tiles(bank).front();
  Process& process = process_at(first);
  if (process.memory == nullptr) {
    process.memory_track = std::make_unique<PerfettoTrack>(
        limits_, number_of(first) * PerfettoTile::most_tracks + memory_track + 1, fmt::format("DRAM channel {}", bank));
    process.memory = std::make_unique<PerfettoUnit>(*process.memory_track);
  }
  track = process.memory_track.get();
  return *process.memory;
}

/// "write of 64 bytes to tile 1,2 at 0x20000"
std::string Perfetto::text_of(const Packet& packet) const {
  const Message& message = *packet.message;
  std::string text(event::name(message.kind));
  if (message.length != 0 && message.kind != MessageKind::inline_write)
    text += fmt::format(" of {} bytes", message.length);
  if (packet.end == Packet::End::arrived)
    text += " from " + name_(message.source);
  else
    text += message.broadcast ? std::string(" to a rectangle") : " to " + name_(message.target);
  if (message.kind != MessageKind::acknowledgement) text += fmt::format(" at {:#x}", message.address);
  return text;
}

void Perfetto::packet(const Packet& packet) {
  if (packet.end == Packet::End::sent)
    sent(packet);
  else
    arrived(packet);
}

void Perfetto::sent(const Packet& packet) {
  const Message& message = *packet.message;
  PerfettoTrack& track = niu_track(packet.tile, message.noc);
  Flows flows{.begins = packet_flow(number_of(message.source), packet.number)};
  const noc::Issuer& issuer = message.issuer;
  if (noc::is_response(message.kind)) {
    const auto found =
        requests_.find({plan_->index(issuer.tile), issuer.core, message.noc, issuer.cycle, plan_->index(packet.tile)});
    if (found != requests_.end()) {
      flows.ends[0] = found->second.flow;
      if (plan_->kind(packet.tile) == noc::TileKind::dram) {
        PerfettoTrack* of_memory = nullptr;
        memory_at(packet.tile, of_memory)
            .add({.first = found->second.arrived, .last = packet.cycle, .mark = found->second.mark});
      }
      requests_.erase(found);
    }
  } else if (!issuer.is_host && issuer.tile == packet.tile) {
    flows.ends[0] = PerfettoTile::request_flow(number_of(issuer.tile), issuer.core, message.noc, issuer.cycle);
  }
  track.instant(packet.cycle, {.kind = Mark::Kind::text, .word = track.number_of("sends " + text_of(packet))}, flows);
}

void Perfetto::arrived(const Packet& packet) {
  const Message& message = *packet.message;
  PerfettoTrack& track = niu_track(packet.tile, message.noc);
  const std::uint64_t flow = packet_flow(number_of(message.source), packet.number);
  Flows flows;
  if (message.broadcast)
    flows.passes = flow;
  else
    flows.ends[0] = flow;
  if (!noc::is_response(message.kind)) {
    Request request{.arrived = packet.cycle};
    const bool is_answered = message.kind == MessageKind::read || !message.is_posted;
    if (is_answered) flows.begins = request.flow = ++last_flow_;
    if (plan_->kind(packet.tile) == noc::TileKind::dram) {
      PerfettoTrack* of_memory = nullptr;
      PerfettoUnit& memory = memory_at(packet.tile, of_memory);
      request.mark = {.kind = Mark::Kind::text, .word = of_memory->number_of(text_of(packet))};
      if (!is_answered) memory.add({.first = packet.cycle, .last = packet.cycle, .mark = request.mark});
    }
    const noc::Issuer& issuer = message.issuer;
    if (is_answered)
      requests_[{plan_->index(issuer.tile), issuer.core, message.noc, issuer.cycle, plan_->index(packet.tile)}] =
          request;
  }
  track.instant(packet.cycle, {.kind = Mark::Kind::text, .word = track.number_of("takes " + text_of(packet))}, flows);
}

// ---- the end ----

MarkText Perfetto::text_of(const PerfettoLines& lines, Coordinates at, Arch arch, const Mark& mark) {
  const auto instruction = [&] { return to_text(isa::decode(arch, mark.word), isa::Syntax::brief); };
  const auto line_of_word = [&] { return lines.of_word(at, mark.agent, entry_of(mark)); };
  const auto line_of_pc = [&] { return lines.of_pc(at, mark.agent, mark.origin); };
  switch (mark.kind) {
    case Mark::Kind::instruction:
    case Mark::Kind::push: return {instruction(), line_of_word()};
    case Mark::Kind::operation: return {fmt::format("T{} {}", mark.agent, instruction()), line_of_word()};
    case Mark::Kind::held: {
      const std::string reason(name(static_cast<event::Stall>(mark.reason)));
      return {reason, line_of_word(), reason};
    }
    case Mark::Kind::latched:
      return {std::string(name(static_cast<event::Stall>(mark.reason))), line_of_word(), instruction()};
    case Mark::Kind::executed: {
      const std::string line = line_of_pc();
      return {line, line};
    }
    case Mark::Kind::core_held: {
      const std::string reason(name(static_cast<event::CoreStall>(mark.reason)));
      return {reason, line_of_pc(), reason};
    }
    case Mark::Kind::rounds: return {fmt::format("{} rounds of a loop", mark.word), line_of_pc()};
    case Mark::Kind::exchange: return {exchange_text(mark), line_of_pc()};
    case Mark::Kind::text: break;
  }
  return {};
}

std::vector<Perfetto::Written> Perfetto::finish_tracks(const PerfettoLines& lines) {
  std::vector<Written> all;
  for (auto& [number, process] : processes_) {
    const std::uint64_t parent = process_uuid + number;
    const auto add = [&, &of = process](PerfettoTrack& track) {
      const Arch arch = of.tile != nullptr ? of.tile->arch() : Arch::blackhole;
      std::string bytes = track.finish(parent, [&](const Mark& mark) { return text_of(lines, of.at, arch, mark); });
      if (track.is_empty()) return;
      all.push_back({fmt::format("{} of {}", track.name(), of.name), parent, std::move(bytes), track.is_too_large()});
    };
    if (process.tile != nullptr)
      for (PerfettoTrack& track : process.tile->tracks())
        add(track);
    if (process.memory != nullptr) {
      process.memory->finish();
      add(*process.memory_track);
    }
    for (const auto& track : process.nius)
      if (track != nullptr) add(*track);
  }
  return all;
}

/// Leaves out the largest until the others are few enough; says which.
std::vector<std::string> Perfetto::choose(std::vector<Written>& tracks, std::uint64_t most_bytes) {
  std::vector<std::string> left_out;
  std::uint64_t bytes = 0;
  for (const Written& track : tracks)
    bytes += track.bytes.size();
  std::vector<std::size_t> by_size(tracks.size());
  for (std::size_t i = 0; i < tracks.size(); ++i)
    by_size[i] = i;
  std::ranges::sort(by_size, [&](std::size_t a, std::size_t b) {
    return std::tuple(!tracks[a].is_too_large, tracks[b].bytes.size(), a) <
           std::tuple(!tracks[b].is_too_large, tracks[a].bytes.size(), b);
  });
  for (const std::size_t i : by_size) {
    if (!tracks[i].is_too_large && bytes <= most_bytes) break;
    bytes -= tracks[i].bytes.size();
    tracks[i].bytes.clear();
  }
  for (const Written& track : tracks)
    if (track.bytes.empty()) left_out.push_back(track.name);
  std::erase_if(tracks, [](const Written& track) { return track.bytes.empty(); });
  return left_out;
}

std::vector<std::string> Perfetto::finish(const PerfettoLines& lines, const Write& write) {
  std::vector<Written> tracks = finish_tracks(lines);
  std::vector<std::string> left_out = choose(tracks, limits_.bytes);
  for (const auto& [number, process] : processes_)
    write(perfetto_process(process_uuid + number, number + 1, process.name));
  for (const Written& track : tracks)
    write(track.bytes);
  if (left_out.empty()) return left_out;
  // The file itself says so, too.
  constexpr std::uint32_t number = PerfettoTile::most_tracks * noc::most_tiles + 1;
  write(perfetto_process(process_uuid + number, number, "left out"));
  PerfettoTrack names({.from = 0, .to = time::never, .bytes = ~std::uint64_t{0}}, number, "tracks that were too large");
  for (const std::string& name : left_out)
    names.instant(limits_.from, {.kind = Mark::Kind::text, .word = names.number_of(name)});
  write(names.finish(process_uuid + number, {}));
  return left_out;
}

}  // namespace tensim::trace
