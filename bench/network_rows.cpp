// What the network of src/noc makes of the cards' NoC and DRAM rows (data/silicon/noc.csv), beside the cards' figures.
// Usage: tensim_network_rows [ROW=VALUE ...], rows of arch/timing/network.hpp.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "arch/sizes.hpp"
#include "bench/network_traffic.hpp"

namespace tensim::bench {
namespace {

struct Chip {
  Arch arch;
  noc::Torus torus;
  Endpoints endpoints;
  Cycle around;                   // what a flow's region has beside the network: code, NIUs, memory (noc 7)
  std::vector<Position> workers;  // logical row-major, with the card's harvesting (noc 5)
  std::vector<Position> banks;    // tt-metal's endpoints of NoC 0 (noc 8)
};

std::vector<Position> grid(std::initializer_list<int> xs, std::initializer_list<int> ys) {
  std::vector<Position> places;
  for (const int y : ys)
    for (const int x : xs)
      places.push_back({static_cast<std::uint8_t>(x), static_cast<std::uint8_t>(y)});
  return places;
}

/// What rows of arch say of DRAM.
Endpoints endpoints(Arch arch, Cycle write_issue, Cycle read_issue) {
  using namespace tensim::literals;
  return {.write_issue = write_issue,
          .read_issue = read_issue,
          .flit_bytes = static_cast<unsigned>(size(arch, "noc_flit_bits"_size) / 8),
          .longest_flits = 256,
          .answer = 10,
          .dram_bytes_per_cycle = 64 / cycles(arch, "dram_bank_per_64b"_cycles),
          .dram_read = static_cast<Cycle>(cycles(arch, "dram_read_latency"_cycles)),
          .dram_write = static_cast<Cycle>(cycles(arch, "dram_write_latency"_cycles)),
          .dram_requests = static_cast<int>(size(arch, "dram_tile_read_requests"_size)),
          .dram_flits = static_cast<int>(size(arch, "dram_tile_write_flits"_size))};
}

Chip blackhole() {
  return {.arch = Arch::blackhole,
          .torus = {17, 12},
          .endpoints = endpoints(Arch::blackhole, 40, 47),
          .around = 47,
          .workers = grid({1, 2, 3, 4, 5, 6, 11, 12, 13, 14, 15, 16}, {2, 3, 4, 5, 6, 7, 8, 9, 10, 11}),
          .banks = {{0, 11}, {0, 2}, {0, 9}, {0, 5}, {9, 11}, {9, 3}, {9, 8}, {9, 6}}};
}

Chip wormhole() {
  return {.arch = Arch::wormhole,
          .torus = {10, 12},
          .endpoints = endpoints(Arch::wormhole, 46, 45),
          .around = 65,
          .workers = grid({1, 2, 3, 4, 6, 7, 8, 9}, {1, 2, 4, 5, 7, 8, 9, 10}),
          .banks = {{0, 11}, {0, 1}, {0, 5}, {0, 7}, {5, 1}, {5, 11}, {5, 2}, {5, 9}, {5, 8}, {5, 3}, {5, 5}, {5, 7}}};
}

void print(const std::string& row, double card, double ours) {
  std::printf("%-46s %9.1f %9.1f %+7.1f %%\n", row.c_str(), card, ours, (ours / card - 1) * 100);
}

struct Rows {
  Chip chip;
  noc::NetworkTiming timing;

  Traffic traffic() const { return {chip.torus, timing, chip.endpoints}; }
  double total(Traffic& traffic) const {
    Cycle last = 0;
    for (const Cycle end : traffic.run())
      last = std::max(last, end);
    return static_cast<double>(last + chip.around);
  }
  double mean(Traffic& traffic) const {
    double sum = 0;
    const auto ends = traffic.run();
    for (const Cycle end : ends)
      sum += static_cast<double>(end + chip.around);
    return sum / static_cast<double>(ends.size());
  }

  /// Aggregate bytes per cycle of this many tiles, each moving 1 MiB.
  double dram(unsigned tiles, bool is_read, bool is_spread) const {
    Traffic chips = traffic();
    for (const Position bank : chip.banks)
      chips.bank(bank);
    for (unsigned tile = 0; tile < tiles; ++tile)
      chips.flow(chip.workers[tile], chip.banks[is_spread ? tile % chip.banks.size() : 0], is_read, 256, 4096);
    return tiles * 1048576.0 / total(chips);
  }
  void dram_rows(const char* name, bool is_read, bool is_spread, std::initializer_list<double> card) const {
    unsigned index = 0;
    const auto all = static_cast<unsigned>(chip.workers.size());
    for (const unsigned tiles : {1U, 2U, 4U, 12U, 48U, all}) {
      const double figure = card.begin()[index++];
      if (figure > 0)
        print(std::string("dramrate ") + name + ", " + std::to_string(tiles) + " tiles, B/cycle", figure,
              dram(tiles, is_read, is_spread));
    }
  }

  /// 64 writes of one tile.
  double one_flow(Position to, unsigned bytes, bool is_read = false, unsigned count = 64) const {
    Traffic one = traffic();
    one.flow({1, 2}, to, is_read, count, bytes);
    return total(one);
  }
  /// Two tiles of a row write to two of another column: the links from the second on are shared.
  double two_flows(unsigned shared, unsigned bytes, std::uint8_t second_vc = 1) const {
    Traffic two = traffic();
    const auto x = static_cast<std::uint8_t>(2 + shared);
    if (shared == 0) {
      two.flow({1, 2}, {2, 2}, false, 64, bytes);
      two.flow({1, 4}, {2, 4}, false, 64, bytes, second_vc);
    } else {
      two.flow({1, 2}, {x, 2}, false, 64, bytes);
      two.flow({2, 2}, {x, 3}, false, 64, bytes, second_vc);
    }
    return mean(two) / 64;
  }
  /// Tiles that read from one.
  double readers(unsigned count) const {
    Traffic reads = traffic();
    for (unsigned reader = 0; reader < count; ++reader)
      reads.flow({static_cast<std::uint8_t>(1 + 2 * reader), static_cast<std::uint8_t>(2 + 2 * reader)}, {4, 7}, true,
                 64, 8192);
    return mean(reads) / 64;
  }
  void endpoint_rows(unsigned flows, std::initializer_list<double> card) const {
    Traffic ladder = traffic();
    for (unsigned flow = 0; flow < flows; ++flow)
      ladder.flow({static_cast<std::uint8_t>(11 + 5 - 1 - flow), 5}, {16, 5}, false, 64, 4096);
    auto ends = ladder.run();
    std::ranges::sort(ends);
    for (unsigned flow = 0; flow < flows; ++flow)
      print("nocbench endpoint N" + std::to_string(flows) + ", flow " + std::to_string(flow), card.begin()[flow],
            static_cast<double>(ends[flow] + chip.around) / 64);
  }
};

void blackhole_rows(const Rows& rows) {
  print("nocbench hops 12", 4472.6, rows.one_flow({1, 7}, 4096));
  print("nocbench hops 17", 4512.0, rows.one_flow({6, 2}, 4096));
  print("nocbench hops 29", 4621.0, rows.one_flow({6, 7}, 4096));
  print("nocbench size 4096", 72.33, rows.one_flow({6, 7}, 4096) / 64);
  print("nocbench size 16384", 269.67, rows.one_flow({6, 7}, 16384) / 64);
  print("noc_latencies write 64, same axis", 208, rows.one_flow({1, 7}, 64, false, 1));
  print("noc_latencies write 64, both axes", 358, rows.one_flow({6, 7}, 64, false, 1));
  print("noc_latencies write 8192, both axes", 510, rows.one_flow({6, 7}, 8192, false, 1));
  print("nocread stateless 64 x 4096", 4551, rows.one_flow({6, 7}, 4096, true));
  for (const auto& [bytes, card0, card1, card4] : {std::tuple{2048U, 40.19, 70.1, 69.9},
                                                   {4096U, 72.25, 135.4, 134.4},
                                                   {8192U, 137.8, 263.0, 265.2},
                                                   {16384U, 268.8, 519.0, 527.4}}) {
    print("nocbench shared " + std::to_string(bytes) + "/share0", card0, rows.two_flows(0, bytes));
    print("nocbench shared " + std::to_string(bytes) + "/share1", card1, rows.two_flows(1, bytes));
    print("nocbench shared " + std::to_string(bytes) + "/share4", card4, rows.two_flows(4, bytes));
  }
  print("nocbench vc 16384, VCs 1 and 0", 520.2, rows.two_flows(1, 16384, 0));
  print("nocbench vc 16384, VCs 1 and 1", 530.4, rows.two_flows(1, 16384, 1));
  rows.endpoint_rows(2, {136.0, 136.2});
  rows.endpoint_rows(3, {135.1, 200.6, 201.0});
  rows.endpoint_rows(4, {136.5, 201.9, 267.4, 267.8});
  rows.dram_rows("fanchan-write", false, true, {47.04, 58.80, 58.97, 63.38, 110.9, 129.7});
  rows.dram_rows("fanchan", true, true, {46.36, 92.61, 147.7, 172.3, 193.9, 229.1});
  rows.dram_rows("onechan-write", false, false, {46.95, 47.17, 46.91, 47.10, 46.62, 46.74});
  rows.dram_rows("onechan", true, false, {46.30, 46.13, 46.22, 46.20, 47.13, 47.15});
}

/// These were run for the first time when all constants had been chosen.
void rows_not_looked_at(const Rows& rows, bool is_blackhole) {
  std::printf("not looked at before\n");
  if (!is_blackhole) {
    print("nocbench readport 8192, 1 reader", 269.2, rows.readers(1));
    print("nocbench readport 8192, 2 readers", 520.2, rows.readers(2));
    print("nocread stateless 64 x 2048", 4523.7, rows.one_flow({4, 7}, 2048, true));
    return;
  }
  print("nocbench readport 8192, 1 reader", 138.8, rows.readers(1));
  print("nocbench readport 8192, 2 readers", 265.9, rows.readers(2));
  rows.endpoint_rows(6, {136.9, 202.2, 267.6, 333.0, 398.6, 399.0});
  for (const auto& [bytes, card] : {std::pair{1024U, 375.0}, {2048U, 403.0}, {4096U, 432.0}})
    print("noc_latencies write " + std::to_string(bytes) + ", both axes", card, rows.one_flow({6, 7}, bytes, false, 1));
}

void wormhole_rows(const Rows& rows) {
  print("nocbench hops 10", 8660.9, rows.one_flow({4, 2}, 4096));
  print("nocbench hops 12", 8681.4, rows.one_flow({1, 7}, 4096));
  print("nocbench hops 22", 8753.1, rows.one_flow({4, 7}, 4096));
  print("nocbench size 4096", 137.2, rows.one_flow({4, 7}, 4096) / 64);
  print("nocbench size 16384", 531.2, rows.one_flow({4, 7}, 16384) / 64);
  print("noc_latencies write 64, same axis", 210, rows.one_flow({1, 7}, 64, false, 1));
  print("noc_latencies write 64, both axes", 293, rows.one_flow({4, 7}, 64, false, 1));
  print("nocread stateless 64 x 4096", 8736, rows.one_flow({4, 7}, 4096, true));
  for (const auto& [bytes, card0, card1, card3] :
       {std::tuple{2048U, 71.66, 128.5, 136.3}, {8192U, 267.7, 518.0, 526.8}, {16384U, 529.8, 1031.9, 1050.5}}) {
    print("nocbench shared " + std::to_string(bytes) + "/share0", card0, rows.two_flows(0, bytes));
    print("nocbench shared " + std::to_string(bytes) + "/share1", card1, rows.two_flows(1, bytes));
    print("nocbench shared " + std::to_string(bytes) + "/share3", card3, rows.two_flows(3, bytes));
  }
  rows.dram_rows("fanchan-write", false, true, {21.85, 29.42, 29.12, 35.13, 46.17, 51.06});
  rows.dram_rows("fanchan", true, true, {22.15, 44.30, 64.28, 116.5, 126.5, 130.4});
  rows.dram_rows("onechan-write", false, false, {21.85, 19.41, 21.03, 20.73, 21.28, 21.28});
  rows.dram_rows("onechan", true, false, {22.15, 21.29, 21.88, 21.97, 22.10, 22.09});
}

int run(int count, char** arguments) {
  for (const Chip& chip : {blackhole(), wormhole()}) {
    Timing timing(chip.arch);
    for (int each = 1; each < count; ++each) {
      const std::string text = arguments[each];
      const std::size_t equals = text.find('=');
      if (timing.set(text.substr(0, equals), std::atof(text.c_str() + equals + 1)) != Timing::Refusal::none) {
        std::fprintf(stderr, "%s: no such row, or not this value\n", text.c_str());
        return 2;
      }
    }
    std::printf("%s\n%-46s %9s %9s\n", std::string(name(chip.arch)).c_str(), "row", "card", "ours");
    const Rows rows{chip, noc::NetworkTiming(timing)};
    if (chip.torus.width == 17)
      blackhole_rows(rows);
    else
      wormhole_rows(rows);
    rows_not_looked_at(rows, chip.torus.width == 17);
  }
  return 0;
}

}  // namespace
}  // namespace tensim::bench

int main(int count, char** arguments) {
  return tensim::bench::run(count, arguments);
}
