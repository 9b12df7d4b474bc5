#include "noc/dram_views.hpp"

#include <span>

namespace tensim::noc {
namespace {

constexpr std::uint64_t second_part = memory_bytes(Arch::wormhole) / memory_parts(Arch::wormhole);

// tt-metal, tt_metal/soc_descriptors/wormhole_b0_80_arch.yaml.
constexpr std::array wormhole_views{
    DramView{0, {2, 2}, {0, 0}, 0}, DramView{0, {1, 1}, {0, 0}, second_part},  //
    DramView{1, {0, 0}, {1, 1}, 0}, DramView{1, {2, 2}, {1, 1}, second_part},  //
    DramView{2, {1, 1}, {0, 0}, 0}, DramView{2, {2, 2}, {0, 0}, second_part},  //
    DramView{3, {0, 0}, {2, 2}, 0}, DramView{3, {1, 1}, {2, 2}, second_part},  //
    DramView{4, {2, 2}, {1, 1}, 0}, DramView{4, {0, 0}, {1, 1}, second_part},  //
    DramView{5, {0, 0}, {1, 1}, 0}, DramView{5, {2, 2}, {1, 1}, second_part},
};

// tt-metal, tt_metal/soc_descriptors/blackhole_140_arch.yaml.
constexpr std::array blackhole_views{
    DramView{0, {2, 1}, {2, 1}}, DramView{1, {0, 1}, {0, 1}}, DramView{2, {0, 1}, {0, 1}}, DramView{3, {0, 1}, {0, 1}},
    DramView{4, {2, 1}, {2, 1}}, DramView{5, {2, 1}, {2, 1}}, DramView{6, {2, 1}, {2, 1}}, DramView{7, {2, 1}, {2, 1}},
};

}  // namespace

std::vector<DramView> dram_views(const FloorPlan& plan) {
  std::vector<DramView> views;
  for (const DramView& view : on<std::span<const DramView>>(plan.arch(), wormhole_views, blackhole_views))
    if ((plan.off().dram >> view.bank & 1U) == 0) views.push_back(view);
  return views;
}

std::uint64_t dram_view_bytes(Arch arch) {
  return memory_bytes(arch) / memory_parts(arch);
}

Coordinates worker_endpoint(const FloorPlan& plan, const DramView& view, unsigned noc) {
  return plan.bank_tiles(view.bank)[view.worker_endpoint[noc]];
}

unsigned named_banks(const FloorPlan& plan) {
  return static_cast<unsigned>(dram_views(plan).size());
}

/// Neither Blackhole's names nor Wormhole's raw coordinates depend on what is off: the plan of a whole chip speaks for all.
NamedBank named_bank(Arch arch, unsigned bank, unsigned noc) {
  const FloorPlan whole(arch);
  const DramView view = dram_views(whole)[bank];
  const Coordinates raw = worker_endpoint(whole, view, noc);
  return {on(arch, whole.on_noc(raw, noc), whole.translated(raw)), view.address_offset};
}

unsigned memory_of_named_bank(const FloorPlan& plan, unsigned bank) {
  return plan.bank(*plan.tile(named_bank(plan.arch(), bank, 0).tile, 0));
}

}  // namespace tensim::noc
