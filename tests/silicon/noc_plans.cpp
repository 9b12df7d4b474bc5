#include "tests/silicon/noc_plans.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include "noc/dram_views.hpp"

namespace tensim::silicon {
namespace {

using noc::Coordinates;
using tile::CoreId;

constexpr std::uint32_t dram_base = 0x100000;
constexpr unsigned dram_slices = 16;
constexpr unsigned dram_transaction_bytes = 4096;
constexpr std::uint32_t mebibyte = 1U << 20U;

/// Instructions of a transaction, its loop and its call. Those of nocreadbench are counted in its programs (docs/hardware/silicon.md,
/// part 5); those of nocbench are chosen so that its writes of 64 bytes take what they take; dramratebench, which steps two
/// addresses, is never held up by its own.
struct TripInstructions {
  unsigned write;
  unsigned read;
  unsigned read_with_state;
};
constexpr TripInstructions trip_instructions(Arch arch) {
  return on(arch, TripInstructions{31, 38, 23}, TripInstructions{27, 41, 23});
}

// Instructions of the profiler, and of what computes an address, between the clock and a call. A marker takes 28 cycles
// (data/silicon/noc.csv), of which about half come after its own reading of the clock.
constexpr unsigned zone_before = 12;
constexpr unsigned zone_after = 4;
constexpr unsigned accessor = 14;  // a page's bank and its tile, from tables
constexpr unsigned event_before = 24;
constexpr unsigned event_after = 8;

bool contains(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

unsigned number_at(const std::string& text, std::size_t at) {
  unsigned value = 0;
  if (at < text.size()) std::from_chars(text.data() + at, text.data() + text.size(), value);
  return value;
}
/// Tensix tiles that work, in logical rows and columns.
std::vector<Coordinates> workers(const noc::FloorPlan& plan) {
  std::vector<Coordinates> all;
  for (unsigned y = 0; y < plan.height(); ++y)
    for (unsigned x = 0; x < plan.width(); ++x)
      if (plan.has_tensix({x, y})) all.push_back({x, y});
  return all;
}
unsigned logical_width(const noc::FloorPlan& plan) {
  const std::vector<Coordinates> all = workers(plan);
  return static_cast<unsigned>(std::ranges::count(all, all.front().y, &Coordinates::y));
}
Coordinates logical(const noc::FloorPlan& plan, unsigned x, unsigned y) {
  return workers(plan)[y * logical_width(plan) + x];
}

class ProbeOf {
 public:
  explicit ProbeOf(const Row& row) : row_(row), plan_(card(row.arch)) {}

  std::optional<NocProbe> probe() const {
    if (row_.probe == "nocbench size") return NocProbe{{between(logical(0, 0), logical(1, 1), bytes())}};
    if (row_.probe == "nocbench readport") return readport();
    if (row_.probe == "nocbench shared") return shared();
    if (row_.probe == "nocbench endpoint") return endpoint();
    if (row_.probe == "nocbench vc") return virtual_channels();
    if (row_.probe.starts_with("nocread ")) return nocread();
    if (row_.probe == "nocevbench") return events();
    if (row_.probe == "tt-metal noc_latencies") return latencies();
    if (row_.probe.starts_with("dramrate ")) return dramrate();
    return std::nullopt;
  }
  /// 64 writes of 4096 bytes; `x`, `y`: whether the other tile is in another column, row.
  NocProbe hops(bool x, bool y) const { return {{between(logical(0, 0), logical(x ? 3 : 0, y ? 3 : 0), 4096)}}; }

 private:
  Coordinates logical(unsigned x, unsigned y) const { return silicon::logical(plan_, x, y); }
  TripInstructions trip() const { return trip_instructions(row_.arch); }

  NocFlow between(Coordinates from, Coordinates to, unsigned bytes, Call call = Call::write) const {
    const unsigned instructions = call == Call::write  ? trip().write
                                  : call == Call::read ? trip().read
                                                       : trip().read_with_state;
    return {.tile = from,
            .call = call,
            .to = plan_.translated(to),
            .there = noc_guest::data,
            .bytes = bytes,
            .trip_instructions = instructions};
  }
  NocFlow to_bank(Coordinates from, unsigned view_number, unsigned noc, Call call) const {
    const noc::DramView view = noc::dram_views(plan_)[view_number];
    const Coordinates tile = noc::worker_endpoint(plan_, view, noc);
    NocFlow flow = between(from, from, dram_transaction_bytes, call);
    flow.noc = noc;
    // Software knows DRAM tiles of Wormhole by their raw coordinates, those of Blackhole by translated ones.
    flow.to = row_.arch == Arch::wormhole ? plan_.on_noc(tile, noc) : plan_.translated(tile);
    flow.there = static_cast<std::uint32_t>(view.address_offset) + dram_base;
    return flow;
  }

  /// "64 x 512 B to one tile", "512B/share3", "64 tx of 512 B", "DRAM read NOC_1 256 B".
  unsigned bytes() const {
    if (contains(row_.conditions, "B/share")) return number_before(row_.conditions, "B/share");
    return number_before(row_.conditions, " B");
  }

  NocProbe readport() const {
    const unsigned last = row_.arch == Arch::wormhole ? 7 : 9;
    NocProbe probe{.flows = {between(logical(1, last), logical(0, 0), bytes(), Call::read)},
                   .meeting = Meeting::semaphores};
    if (contains(row_.conditions, "2flows"))
      probe.flows.push_back(between(logical(2, last - 1), logical(0, 0), bytes(), Call::read));
    return probe;
  }
  /// The pairs of the card's plan, NoC 0's own coordinates.
  NocProbe shared() const {
    struct Pair {
      Coordinates from, to;
    };
    static constexpr std::array wormhole_second{Pair{{7, 1}, {1, 4}}, Pair{{9, 1}, {3, 4}}, Pair{{4, 1}, {8, 4}},
                                                Pair{{3, 1}, {7, 4}}};
    static constexpr std::array blackhole_second{Pair{{6, 2}, {14, 4}}, Pair{{5, 2}, {13, 4}}, Pair{{4, 2}, {12, 4}},
                                                 Pair{{3, 2}, {11, 4}}, Pair{{11, 2}, {2, 4}}, Pair{{12, 2}, {3, 4}},
                                                 Pair{{13, 2}, {4, 4}}, Pair{{14, 2}, {5, 4}}};
    const unsigned links = number_behind(row_.conditions, "share");
    const bool is_wormhole = row_.arch == Arch::wormhole;
    const Pair first = is_wormhole ? Pair{{2, 1}, {6, 2}} : Pair{{15, 2}, {6, 3}};
    const Pair second = is_wormhole ? wormhole_second[links] : blackhole_second[links];
    return {.flows = {between(first.from, first.to, bytes()), between(second.from, second.to, bytes())},
            .meeting = Meeting::semaphores};
  }
  /// Writers on a diagonal, all into one tile.
  NocProbe endpoint() const {
    NocProbe probe{.flows = {}, .meeting = Meeting::semaphores};
    const unsigned flows = number_behind(row_.conditions, "N");
    for (unsigned flow = 0; flow < flows; ++flow)
      probe.flows.push_back(between({1 + flow, 11 - flow}, {11, 2}, 4096));
    return probe;
  }
  NocProbe virtual_channels() const {
    NocProbe probe{.flows = {between({1, 2}, {3, 3}, 16384), between({2, 2}, {4, 4}, 16384)},
                   .meeting = Meeting::semaphores};
    probe.flows[1].vc = number_behind(row_.conditions, "flow B vc");
    return probe;
  }
  NocProbe nocread() const {
    const Call call = contains(row_.probe, "stateful") ? Call::read_with_state : Call::read;
    NocFlow flow = between(logical(0, 0), logical(logical_width(plan_) - 1, 0), bytes(), call);
    flow.count = number_before(row_.conditions, " tx");
    return {{flow}};
  }

  /// Eight chunks, each with its barrier; the figure is their mean.
  NocProbe events() const {
    const bool reads = contains(row_.conditions, "read");
    const unsigned noc = number_behind(row_.conditions, "NOC_");
    const Call call = reads ? Call::read : Call::write;
    NocFlow flow = contains(row_.conditions, "DRAM") ? to_bank(logical(0, 0), 0, noc, call)
                                                     : between(logical(0, 0), logical(1, 1), 0, call);
    flow.noc = noc;
    flow.core = reads ? CoreId::ncrisc : CoreId::brisc;
    flow.bytes = bytes();
    flow.count = 1;
    flow.rounds = 8;
    flow.before = event_before;
    flow.after = event_after;
    flow.trip_instructions = 0;
    return {{flow}};
  }
  NocProbe latencies() const {
    const std::string& what = row_.what_is_measured;
    const bool reads = contains(what, "read");
    const bool is_dram = contains(what, "DRAM");
    const Call call = reads ? Call::read : Call::write;
    NocFlow flow = is_dram ? to_bank(logical(0, 0), 0, 0, call)
                           : between(logical(0, 0), logical(contains(what, "same axis") ? 0 : 1, 1), 0, call);
    if (!is_dram) flow.noc = reads ? 1 : 0;
    flow.core = reads ? CoreId::ncrisc : CoreId::brisc;
    flow.bytes = number_before(what, " B");
    flow.count = 1;
    flow.before = zone_before + (is_dram ? accessor : 0);
    flow.after = zone_after;
    flow.trip_instructions = 0;
    return {{flow}};
  }
  NocProbe dramrate() const {
    NocProbe probe{.flows = {}, .meeting = Meeting::flags};
    const unsigned tiles = number_before(row_.what_is_measured, " tiles");
    const bool is_spread = contains(row_.probe, "fanchan");
    const Call call = contains(row_.probe, "write") ? Call::write : Call::read;
    const std::vector<Coordinates> all = workers(plan_);
    const auto banks = static_cast<unsigned>(noc::dram_views(plan_).size());
    for (unsigned tile = 0; tile < tiles; ++tile) {
      NocFlow flow = to_bank(all[tile], is_spread ? tile % banks : 0, 0, call);
      flow.there += tile % dram_slices * mebibyte;
      flow.count = dram_transactions;
      flow.bytes = dram_transaction_bytes;
      flow.steps_there = true;
      probe.flows.push_back(flow);
    }
    return probe;
  }

  const Row& row_;
  const noc::FloorPlan& plan_;
};

}  // namespace

unsigned number_behind(const std::string& text, std::string_view mark) {
  const std::size_t at = text.find(mark);
  return at == std::string::npos ? 0 : number_at(text, at + mark.size());
}
unsigned number_before(const std::string& text, std::string_view mark) {
  const std::size_t end = text.find(mark);
  if (end == std::string::npos) return 0;
  std::size_t begin = end;
  while (begin > 0 && text[begin - 1] >= '0' && text[begin - 1] <= '9')
    --begin;
  return number_at(text, begin);
}

const noc::FloorPlan& card(Arch arch) {
  static const std::array plans{*noc::read_floor_plan("wormhole rows=3,11").plan,
                                *noc::read_floor_plan("blackhole columns=7,10").plan};
  return plans[static_cast<std::size_t>(arch)];
}

std::optional<NocProbe> noc_probe(const Row& row) {
  return ProbeOf(row).probe();
}

NocProbe hops_probe(const Row& row, bool other_column, bool other_row) {
  return ProbeOf(row).hops(other_column, other_row);
}

}  // namespace tensim::silicon
