#include "noc/request.hpp"

#include "noc/fields.hpp"

namespace tensim::noc {
namespace {

constexpr std::uint32_t type_read = 0;
constexpr std::uint32_t type_atomic = 1;
constexpr std::uint32_t type_write = 2;

bool has_reserved_bits(Arch arch, std::uint32_t ctrl) {
  return "RESERVED_18"_ctrl.is_set(ctrl) || (on(arch, true, false) && "RESERVED_31"_ctrl.is_set(ctrl));
}

bool accumulates(Arch arch, std::uint32_t ctrl) {
  return on(arch, false, true) && "NOC_CMD_L1_ACC_AT_EN"_ctrl.is_set(ctrl);
}

constexpr bool has_exclusion(Arch arch) {
  return on(arch, false, true);
}
constexpr bool has_wide_length(Arch arch) {
  return on(arch, false, true);
}

RequestKind kind_of(std::uint32_t ctrl) {
  switch ("NOC_CMD_TYPE"_ctrl.get(ctrl)) {
    case type_read: return RequestKind::read;
    case type_atomic: return RequestKind::atomic;
    default: return "NOC_CMD_WR_INLINE"_ctrl.is_set(ctrl) ? RequestKind::inline_write : RequestKind::write;
  }
}

bool has_byte_mask(RequestKind kind, std::uint32_t ctrl) {
  return kind == RequestKind::inline_write || (kind == RequestKind::write && "NOC_CMD_WR_BE"_ctrl.is_set(ctrl));
}

/// What is wrong with NOC_CTRL by itself.
std::optional<Refusal> wrong_ctrl(Arch arch, std::uint32_t ctrl) {
  const std::uint32_t type = "NOC_CMD_TYPE"_ctrl.get(ctrl);
  if (type != type_read && type != type_atomic && type != type_write) return Refusal::reserved_type;
  if (has_reserved_bits(arch, ctrl)) return Refusal::reserved_ctrl_bits;
  if (accumulates(arch, ctrl)) return Refusal::accumulating_write;
  const bool is_broadcast = "NOC_CMD_BRCST_PACKET"_ctrl.is_set(ctrl);
  if (is_broadcast && type == type_read) return Refusal::multicast_read;
  constexpr std::uint32_t broadcast_class = 2;
  const std::uint32_t class_bits = "NOC_CMD_STATIC_VC_CLASS"_ctrl.get(ctrl);
  if (!"NOC_CMD_VC_STATIC"_ctrl.is_set(ctrl)) return std::nullopt;
  if (is_broadcast && class_bits != broadcast_class) return Refusal::multicast_vc_class;
  if (!is_broadcast && class_bits >= broadcast_class) return Refusal::unicast_vc_class;
  return std::nullopt;
}

std::optional<Refusal> wrong_tag(RequestKind kind, const CommandRegisters& registers) {
  if ("DELIVER_TO_OVERLAY"_tag.is_set(registers.packet_tag)) return Refusal::delivery_to_overlay;
  const bool is_posted_write = kind == RequestKind::write && !"NOC_CMD_RESP_MARKED"_ctrl.is_set(registers.ctrl);
  if ("NOC_PACKET_TAG_HEADER_STORE"_tag.is_set(registers.packet_tag) && !is_posted_write)
    return Refusal::header_store_not_posted_write;
  return std::nullopt;
}

/// Bits of NOC_BRCST_EXCLUDE without a meaning that anybody documents.
constexpr std::uint32_t exclusion_bits = [] {
  std::uint32_t bits = 0;
  for (const BitsRow& row : brcst_exclude_rows)
    bits |= row.bits.mask();
  return bits;
}();

std::optional<Quadrant> quadrant_of(std::uint32_t exclude) {
  if (!"EXCLUDE_ENABLED"_exclude.is_set(exclude)) return std::nullopt;
  return Quadrant{.corner = {"EXCLUDE_START_X"_exclude.get(exclude), "EXCLUDE_START_Y"_exclude.get(exclude)},
                  .is_upward_x = "EXCLUDE_DIRECTION_X"_exclude.is_set(exclude),
                  .is_upward_y = "EXCLUDE_DIRECTION_Y"_exclude.is_set(exclude)};
}

Broadcast broadcast_of(Arch arch, const CommandRegisters& registers, const NocAddress& to) {
  return {.tiles = {.start = to.start, .end = to.tile},
          .is_y_major = "NOC_CMD_BRCST_XY"_ctrl.is_set(registers.ctrl),
          .includes_source = "NOC_CMD_BRCST_SRC_INCLUDE"_ctrl.is_set(registers.ctrl),
          .reserves_path = "NOC_CMD_PATH_RESERVE"_ctrl.is_set(registers.ctrl),
          .excluded = has_exclusion(arch) ? quadrant_of(registers.brcst_exclude) : std::nullopt};
}

StaticChannel channel_of(std::uint32_t ctrl) {
  return {.class_bits = "NOC_CMD_STATIC_VC_CLASS"_ctrl.get(ctrl), .buddy = "NOC_CMD_STATIC_VC_BUDDY"_ctrl.get(ctrl)};
}

/// Which of the two addresses the packet goes to: RET of writes from memory, TARG of the others.
void set_ends(Request& request, const NocAddress& targ, const NocAddress& ret) {
  const bool goes_to_ret = request.kind == RequestKind::write;
  const NocAddress& to = goes_to_ret ? ret : targ;
  request.target = {.tile = to.tile, .address = to.address};
  if (request.kind == RequestKind::inline_write) return;
  const NocAddress& from = goes_to_ret ? targ : ret;
  request.other = {.tile = from.tile, .address = from.address};
}

/// Takes NOC_AT_LEN_BE for what it is in such a request.
std::optional<Refusal> set_amount(Arch arch, const CommandRegisters& registers, Request& request) {
  const std::uint32_t upper = has_wide_length(arch) ? registers.at_len_be_1 : 0;
  if (request.kind == RequestKind::atomic) {
    const auto decoded = decode_atomic(arch, registers.at_len_be);
    if (const auto* refused = std::get_if<Refusal>(&decoded)) return *refused;
    request.atomic = std::get<Atomic>(decoded);
    return std::nullopt;
  }
  if (has_byte_mask(request.kind, registers.ctrl)) {
    request.byte_mask = std::uint64_t{upper} << 32U | registers.at_len_be;
    return std::nullopt;
  }
  if (upper != 0) return Refusal::length_above_32_bits;
  if (registers.at_len_be == 0) return Refusal::length_zero;
  request.length = registers.at_len_be;
  const bool is_aligned = (request.target.address | request.other.address) % flit_bytes(arch) == 0;
  if (packets(arch, request) > 1 && !is_aligned) return Refusal::split_misaligned;
  return std::nullopt;
}

constexpr unsigned header_store_shift = 4;

}  // namespace

std::variant<Request, Refusal> decode(Arch arch, const CommandRegisters& registers) {
  const std::uint32_t ctrl = registers.ctrl;
  if (const auto wrong = wrong_ctrl(arch, ctrl)) return *wrong;
  Request request;
  request.kind = kind_of(ctrl);
  if (const auto wrong = wrong_tag(request.kind, registers)) return *wrong;
  const NocAddress targ = noc_address(arch, registers.targ_addr_lo, registers.targ_addr_mid, registers.targ_addr_hi);
  const NocAddress ret = noc_address(arch, registers.ret_addr_lo, registers.ret_addr_mid, registers.ret_addr_hi);
  set_ends(request, targ, ret);
  if ("NOC_CMD_BRCST_PACKET"_ctrl.is_set(ctrl)) {
    if (has_exclusion(arch) && (registers.brcst_exclude & ~exclusion_bits) != 0) return Refusal::multicast_pattern;
    request.broadcast = broadcast_of(arch, registers, request.kind == RequestKind::write ? ret : targ);
  }
  if (const auto wrong = set_amount(arch, registers, request)) return *wrong;
  request.is_posted = request.kind != RequestKind::read && !"NOC_CMD_RESP_MARKED"_ctrl.is_set(ctrl);
  request.immediate = registers.at_data;
  if ("NOC_CMD_VC_STATIC"_ctrl.is_set(ctrl)) request.channel = channel_of(ctrl);
  request.is_linked = "NOC_CMD_VC_LINKED"_ctrl.is_set(ctrl);
  request.priority = "NOC_CMD_ARB_PRIORITY"_ctrl.get(ctrl);
  request.transaction_id = "NOC_PACKET_TRANSACTION_ID"_tag.get(registers.packet_tag);
  if ("NOC_PACKET_TAG_HEADER_STORE"_tag.is_set(registers.packet_tag))
    request.header_store = std::uint64_t{registers.at_data} << header_store_shift;
  return request;
}

}  // namespace tensim::noc
