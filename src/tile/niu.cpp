#include "tile/niu.hpp"

#include <algorithm>

#include "noc/fields.hpp"
#include "noc/identity.hpp"
#include "tile/handlers.hpp"

namespace tensim::tile {

using noc::Refusal;
using noc::operator""_niu;
using noc::operator""_niu_cfg;
using noc::operator""_counter;

namespace {

using Part = noc::NiuRegister::Part;

/// Where the words of a table are among the configuration.
noc::TranslationTable table_of(Arch arch, const Niu& niu, const noc::NiuRegister& row) {
  noc::TranslationTable table{};
  for (unsigned i = 0; i < row.on(arch).count; ++i)
    table[i] = niu.configured(arch, row, i);
  return table;
}

void set_table(Arch arch, Niu& niu, const noc::NiuRegister& row, const noc::TranslationTable& table) {
  for (unsigned i = 0; i < row.on(arch).count; ++i)
    niu.configured(arch, row, i) = table[i];
}

bool has(Arch arch, const noc::NiuRegister& row) {
  return row.on(arch).count != 0;
}

/// As the card's firmware leaves it.
void configure(Arch arch, Niu& niu, const NocPlace& place, unsigned noc) {
  const noc::FloorPlan& plan = *place.plan;
  const noc::Translation& translation = plan.translation(noc);
  niu.configured(arch, "NIU_CFG_0"_niu) = "NOC_ID_TRANSLATE_EN"_niu_cfg.mask();
  niu.configured(arch, "ROUTER_CFG_1"_niu) = plan.broadcast_off_columns(noc);
  niu.configured(arch, "ROUTER_CFG_3"_niu) = plan.broadcast_off_rows(noc);
  niu.configured(arch, "NOC_ID_LOGICAL"_niu) = noc::logical_id(plan, place.tile);
  set_table(arch, niu, "NOC_X_ID_TRANSLATE_TABLE"_niu, translation.x);
  set_table(arch, niu, "NOC_Y_ID_TRANSLATE_TABLE"_niu, translation.y);
  if (!has(arch, "DDR_COORD_TRANSLATE_TABLE"_niu)) return;
  niu.configured(arch, "NOC_ID_TRANSLATE_COL_MASK"_niu) = translation.col_mask;
  niu.configured(arch, "NOC_ID_TRANSLATE_ROW_MASK"_niu) = translation.row_mask;
  set_table(arch, niu, "DDR_COORD_TRANSLATE_TABLE"_niu, translation.ddr);
  niu.configured(arch, "DDR_COORD_TRANSLATE_COL_SWAP"_niu) = translation.col_swap;
}

constexpr Answer refuses(Refusal refusal) {
  return faults(fault_of(refusal));
}

/// Whether an end of the request is a register that the NoC does not reach.
bool names_unreachable_register(Arch arch, const noc::Request& request, const noc::FoundTiles& tiles) {
  const auto is_unreachable = [&](noc::TileKind kind, std::uint64_t address) {
    const auto low = static_cast<std::uint32_t>(address);
    return low == address && noc::address_class(kind, address) == noc::AddressClass::mmio &&
           register_from_noc(arch, kind, low) == nullptr;
  };
  if (is_unreachable(request.broadcast ? noc::TileKind::tensix : tiles.ends.target.kind, request.target.address))
    return true;
  const noc::TileKind kind =
      request.kind == noc::RequestKind::write ? tiles.ends.initiator.kind : tiles.ends.other.kind;
  return request.kind != noc::RequestKind::inline_write && is_unreachable(kind, request.other.address);
}

/// Whether nobody would take the request, or its response, at the tiles that it names.
bool names_unmodelled_tile(const noc::Request& request, const noc::Ends& ends) {
  const bool has_response = !request.is_posted && request.kind != noc::RequestKind::inline_write;
  if (has_response && !noc::has_cores(ends.other.kind)) return true;
  return !request.broadcast && !noc::has_cores(ends.target.kind) && ends.target.kind != noc::TileKind::dram &&
         ends.target.kind != noc::TileKind::pcie && ends.target.kind != noc::TileKind::arc;
}

/// Why there is nobody whom a broadcast could reach. Whether a tile takes broadcasts is its own business; as firmware leaves
/// them, Tensix tiles do.
std::optional<Refusal> wrong_rectangle(const noc::FloorPlan& plan, const noc::Initiator& initiator,
                                       const noc::Translation* translation, const noc::Request& request) {
  if (!request.broadcast) return std::nullopt;
  const auto tiles = noc::rectangle_tiles(plan, initiator, translation, *request.broadcast);
  if (!tiles) return Refusal::no_such_tile;
  const auto receives = [&](noc::Coordinates tile) { return plan.has_tensix(tile); };
  return std::ranges::any_of(*tiles, receives) ? std::nullopt : std::optional(Refusal::multicast_without_receiver);
}

/// Whether coordinates of it are no tile's, and lead somewhere all the same. Software that has set up tables of its own
/// knows what it calls tiles.
bool leads_by_chance(const noc::FloorPlan& plan, unsigned noc, const noc::Translation& used,
                     const noc::Request& request) {
  if (used != plan.translation(noc)) return false;
  const auto is_by_chance = [&](noc::Coordinates given) { return !plan.tile(given, noc); };
  const bool has_other = request.kind != noc::RequestKind::inline_write && !request.is_posted;
  if (has_other && is_by_chance(request.other.tile)) return true;
  if (!request.broadcast) return is_by_chance(request.target.tile);
  return is_by_chance(request.broadcast->tiles.start) || is_by_chance(request.broadcast->tiles.end);
}

struct Wanted {
  Niu::Waiting waiting;
  bool leads_by_chance = false;
};

/// The request that the command buffer describes, with its tiles; or why it is none.
std::variant<Wanted, Refusal> wanted_request(const Nius& nius, Arch arch, unsigned noc, unsigned buffer) {
  const Niu& niu = nius.niu[noc];
  auto decoded = noc::decode(arch, command_registers(arch, niu, buffer));
  if (const auto* refusal = std::get_if<Refusal>(&decoded)) return *refusal;
  Niu::Waiting waiting{.request = std::get<noc::Request>(decoded), .buffer = static_cast<std::uint8_t>(buffer)};
  const noc::Translation translation = translation_of(arch, niu);
  const noc::Translation* const used = translates(arch, niu) ? &translation : nullptr;
  const noc::Initiator initiator{nius.place.tile, noc};
  const auto found = noc::find_tiles(*nius.place.plan, initiator, used, waiting.request);
  if (const auto* refusal = std::get_if<Refusal>(&found)) return *refusal;
  if (const auto refusal = wrong_rectangle(*nius.place.plan, initiator, used, waiting.request)) return *refusal;
  waiting.tiles = std::get<noc::FoundTiles>(found);
  if (names_unreachable_register(arch, waiting.request, waiting.tiles)) return Refusal::mmio_not_reachable;
  if (const auto refusal = noc::refusal(arch, waiting.request, waiting.tiles.ends)) return *refusal;
  if (names_unmodelled_tile(waiting.request, waiting.tiles.ends)) return Refusal::tile_not_modelled;
  if (!nius.place.has_network) return Refusal::no_network;
  if (used == nullptr) return Wanted{waiting};
  const bool by_chance = leads_by_chance(*nius.place.plan, noc, translation, waiting.request);
  if (waiting.request.broadcast) {
    noc::Rectangle& tiles = waiting.request.broadcast->tiles;
    tiles = {noc::translate(arch, translation, tiles.start), noc::translate(arch, translation, tiles.end)};
  }
  return Wanted{waiting, by_chance};
}

/// Wormhole: software finds translated coordinates in its registers afterwards (noc 1.3).
void write_back_coordinates(Nius& nius, Arch arch, unsigned noc, unsigned buffer) {
  Niu& niu = nius.niu[noc];
  if (!on(arch, true, false) || !translates(arch, niu)) return;
  const noc::Translation translation = translation_of(arch, niu);
  for (const noc::NiuRegister* row : {&"NOC_TARG_ADDR_MID"_niu, &"NOC_RET_ADDR_MID"_niu}) {
    std::uint32_t& mid = niu.requested(arch, *row, buffer);
    const noc::NocAddress given = noc::noc_address(arch, 0, mid, 0);
    mid = noc::with_coordinates(arch, mid, noc::translate(arch, translation, given.tile),
                                noc::translate(arch, translation, given.start));
  }
}

/// Whether the request is to where the transaction goes, as all of it must be.
bool goes_on_with(const Niu::Transaction& transaction, const Niu::Waiting& next) {
  const auto& broadcast = next.request.broadcast;
  if (broadcast.has_value() != transaction.broadcast.has_value()) return false;
  if (!broadcast) return next.tiles.target == transaction.target;
  return broadcast->tiles == transaction.broadcast->tiles && broadcast->is_y_major == transaction.broadcast->is_y_major;
}

/// NOC_CMD_VC_LINKED: the request belongs to the transaction that the one before has left open, and may leave it open.
std::optional<Refusal> link(Niu& niu, Niu::Waiting& next) {
  noc::Request& request = next.request;
  if (niu.open) {
    if (!goes_on_with(*niu.open, next)) return Refusal::linked_elsewhere;
    if (request.channel && *request.channel != niu.open->channel) return Refusal::linked_other_channel;
    request.channel = niu.open->channel;
  }
  if (!request.is_linked) {
    niu.open.reset();
    return std::nullopt;
  }
  const unsigned channel = noc::channel_of(request);
  niu.open = {.target = next.tiles.target,
              .broadcast = request.broadcast,
              .channel = {.class_bits = channel >> 1U, .buddy = channel & 1U},
              .issuer = next.issuer};
  return std::nullopt;
}

/// Who must not be asked for another request yet.
std::optional<Refusal> wrong_time(const Niu& niu, unsigned buffer) {
  if ((niu.busy >> buffer & 1U) != 0) return Refusal::go_while_busy;
  for (unsigned i = 0; i < niu.waiting.size(); ++i)
    if (niu.waiting[i].is_cut) return Refusal::go_during_split;
  return std::nullopt;
}

noc::Issuer issuer_of(const Request& request) {
  const Nius& nius = request.devices.nius;
  if (nius.outsider) return *nius.outsider;
  return {.tile = nius.place.tile,
          .core = static_cast<std::uint8_t>(request.access.core),
          .view = request.devices.view_of(request.access.core),
          .pc = request.access.origin * 4,
          .cycle = request.access.cycle};
}

/// A store of 1 to NOC_CMD_CTRL (noc 1.3).
Answer go(const Request& request, unsigned noc, unsigned buffer) {
  Nius& nius = request.devices.nius;
  Niu& niu = nius.niu[noc];
  if (const auto refusal = wrong_time(niu, buffer)) return refuses(*refusal);
  auto found = wanted_request(nius, request.arch(), noc, buffer);
  if (const auto* refusal = std::get_if<Refusal>(&found)) return refuses(*refusal);
  Niu::Waiting& waiting = std::get<Wanted>(found).waiting;
  const noc::Request& wanted = waiting.request;
  const std::uint32_t packets = noc::packets(request.arch(), wanted);
  waiting.is_cut = packets > 1;
  waiting.issuer = issuer_of(request);
  waiting.from = request.access.cycle + 1;
  auto warning = noc::warning(request.arch(), wanted, waiting.tiles.ends);
  if (warning == Refusal::multicast_unreserved && niu.open) warning.reset();  // only the first could reserve a path
  if (std::get<Wanted>(found).leads_by_chance) warning = Refusal::coordinates_by_chance;
  if (const auto refusal = link(niu, waiting)) return refuses(*refusal);
  if (!wanted.is_posted) niu.count_id("NIU_MST_REQS_OUTSTANDING_ID"_counter, wanted.transaction_id, packets);
  if (wanted.kind == noc::RequestKind::write)
    niu.count_id("NIU_MST_WRITE_REQS_OUTGOING_ID"_counter, wanted.transaction_id, packets);
  write_back_coordinates(nius, request.arch(), noc, buffer);
  niu.busy = static_cast<std::uint8_t>(niu.busy | 1U << buffer);
  niu.waiting.push(waiting);
  nius.look_again();
  Answer answer = done();
  if (warning) answer.warning = fault_of(*warning);
  return answer;
}

/// What configuration must not say.
std::optional<Refusal> refused_configuration(Arch arch, const noc::NiuRegister& row, std::uint32_t value) {
  if (&row == &"NIU_CFG_0"_niu && on(arch, false, true) && "CMD_BUFFER_FIFO_EN"_niu_cfg.get(value) != 0)
    return Refusal::request_fifo;
  return std::nullopt;
}

}  // namespace

Cycle Niu::next_event() const {
  Cycle next = never;
  if (!waiting.empty() && !reading.full()) {
    const Waiting& first = waiting.front();
    if (rooms[noc::channel_of(first.request)].is_open()) next = first.from;
  }
  if (!reading.empty()) next = std::min(next, reading.front().cycle);
  if (!serving.empty()) next = std::min(next, serving.front().cycle);
  return next;
}

noc::CommandRegisters command_registers(Arch arch, const Niu& niu, unsigned buffer) {
  const auto word = [&](const noc::NiuRegister& row) { return has(arch, row) ? niu.requested(arch, row, buffer) : 0U; };
  return {.targ_addr_lo = word("NOC_TARG_ADDR_LO"_niu),
          .targ_addr_mid = word("NOC_TARG_ADDR_MID"_niu),
          .targ_addr_hi = word("NOC_TARG_ADDR_HI"_niu),
          .ret_addr_lo = word("NOC_RET_ADDR_LO"_niu),
          .ret_addr_mid = word("NOC_RET_ADDR_MID"_niu),
          .ret_addr_hi = word("NOC_RET_ADDR_HI"_niu),
          .packet_tag = word("NOC_PACKET_TAG"_niu),
          .ctrl = word("NOC_CTRL"_niu),
          .at_len_be = word("NOC_AT_LEN_BE"_niu),
          .at_len_be_1 = word("NOC_AT_LEN_BE_1"_niu),
          .at_data = word("NOC_AT_DATA"_niu),
          .brcst_exclude = word("NOC_BRCST_EXCLUDE"_niu)};
}

NocPlace lone_tile(Arch arch) {
  static const std::array plans{std::make_shared<const noc::FloorPlan>(Arch::wormhole),
                                std::make_shared<const noc::FloorPlan>(Arch::blackhole)};
  const auto& plan = plans[static_cast<std::size_t>(arch)];
  for (unsigned y = 0; y < plan->height(); ++y)
    for (unsigned x = 0; x < plan->width(); ++x)
      if (plan->has_tensix({x, y})) return {plan, {x, y}, false};
  __builtin_unreachable();
}

Nius::Nius(Arch arch, NocPlace where) : place(std::move(where)) {
  for (unsigned noc = 0; noc < noc::noc_count; ++noc)
    configure(arch, niu[noc], place, noc);
}

bool translates(Arch arch, const Niu& niu) {
  return "NOC_ID_TRANSLATE_EN"_niu_cfg.get(niu.configured(arch, "NIU_CFG_0"_niu)) != 0;
}

noc::Translation translation_of(Arch arch, const Niu& niu) {
  noc::Translation result{.x = table_of(arch, niu, "NOC_X_ID_TRANSLATE_TABLE"_niu),
                          .y = table_of(arch, niu, "NOC_Y_ID_TRANSLATE_TABLE"_niu)};
  if (!has(arch, "DDR_COORD_TRANSLATE_TABLE"_niu)) return result;
  result.col_mask = niu.configured(arch, "NOC_ID_TRANSLATE_COL_MASK"_niu);
  result.row_mask = niu.configured(arch, "NOC_ID_TRANSLATE_ROW_MASK"_niu);
  result.ddr = table_of(arch, niu, "DDR_COORD_TRANSLATE_TABLE"_niu);
  result.col_swap = niu.configured(arch, "DDR_COORD_TRANSLATE_COL_SWAP"_niu);
  return result;
}

Answer load_niu(const Request& request) {
  const unsigned noc = request.region.index;
  const Niu& niu = request.devices.nius.niu[noc];
  const auto found = noc::niu_register_at(request.arch(), request.offset() & ~3U);
  if (!found) return refuses(Refusal::register_unknown);
  const NocPlace& place = request.devices.nius.place;
  switch (found->row->part) {
    case Part::request: return done(niu.request[found->buffer][found->row->on(request.arch()).offset / 4]);
    case Part::go: return done(niu.busy >> found->buffer & 1U, watch_devices);
    case Part::identity:
      return done(found->row == &"NOC_NODE_ID"_niu ? noc::node_id(*place.plan, place.tile, noc)
                                                   : noc::endpoint_id(*place.plan, place.tile, noc));
    case Part::errors: return done();
    case Part::clear: return faults(AccessFault::not_readable);
    case Part::status:
      return found->row == &"CMD_BUF_STATUS"_niu ? done(niu.busy, watch_devices) : done();  // the FIFO is off
    case Part::configuration: return done(niu.configured(request.arch(), *found->row, found->index), watch_devices);
    case Part::counter: return done(niu.counters[found->index], watch_devices);
    case Part::interrupt: return refuses(Refusal::return_to_zero_interrupt);
    case Part::debug:
    case Part::security: return faults(AccessFault::not_modelled);
  }
  __builtin_unreachable();
}

Answer store_niu(const Request& request) {
  const unsigned noc = request.region.index;
  Niu& niu = request.devices.nius.niu[noc];
  const auto found = noc::niu_register_at(request.arch(), request.offset());
  if (!found) return refuses(Refusal::register_unknown);
  if (found->row->access == Region::Access::read_only) return refuses(Refusal::register_read_only);
  switch (found->row->part) {
    case Part::request: {
      if ((unsigned{niu.busy} >> found->buffer & 1U) != 0) return refuses(Refusal::register_while_busy);
      const std::uint32_t kept = found->row == &"NOC_PACKET_TAG"_niu ? 0xFFFFU : ~0U;
      niu.request[found->buffer][found->row->on(request.arch()).offset / 4] = request.value() & kept;
      return done();
    }
    case Part::go: return (request.value() & 1U) != 0 ? go(request, noc, found->buffer) : done();
    case Part::clear:
      for (unsigned id = 0; id < noc::transaction_ids; ++id)
        if ((request.value() >> id & 1U) != 0) niu.counters["NIU_MST_REQS_OUTSTANDING_ID"_counter + id] = 0;
      return done();
    case Part::configuration:
      if (const auto refusal = refused_configuration(request.arch(), *found->row, request.value()))
        return refuses(*refusal);
      niu.configured(request.arch(), *found->row, found->index) = request.value();
      return done();
    case Part::errors: return done();
    case Part::interrupt: return refuses(Refusal::return_to_zero_interrupt);
    default: return faults(AccessFault::not_modelled);
  }
}

}  // namespace tensim::tile
