// State that operations share, of a tile or of memory: finds accesses that nothing orders, by the rules (insight/order_rules.hpp), by what
// whoever comes second knows (insight/clocks.hpp), and by who has touched what (insight/shadow.hpp).
#pragma once

#include <cstdint>
#include <optional>

#include "event/access.hpp"
#include "insight/race_context.hpp"
#include "insight/shadow.hpp"
#include "tensix/coprocessor.hpp"
#include "tile/access.hpp"

namespace tensim::insight {

/// Actors of a tile by number, from its first on: its cores, as tile::CoreId has them, and its threads.
constexpr ActorNumber actor_of_core(ActorNumber first, unsigned core) {
  return static_cast<ActorNumber>(first + core);
}
constexpr ActorNumber actor_of_thread(ActorNumber first, unsigned thread) {
  return static_cast<ActorNumber>(first + tile::core_count + thread);
}
constexpr bool is_thread(ActorNumber actor) {
  return actor % actors_per_tile >= tile::core_count;
}

/// Lanes of a thread are units (tensix::Occupancy), and the MOP Expander; those of a core are regions.
inline constexpr unsigned frontend_lane = tensix::occupancy_count;
/// The last two are none: how many of the stores to configuration and GPRs came before a load that has been answered.
enum class CoreLane : std::uint8_t {
  l1,
  push,
  mop_config,
  config,
  gpr,
  tdma,
  semaphores,
  mailbox,
  stream,
  niu,
  other,
  config_answered,
  gpr_answered
};

/// Something that is being done now.
struct Current {
  const Actor& actor;
  Lane lane;
  std::uint32_t number;
  SiteNumber site;
  std::uint64_t cycle;
  std::uint32_t ordinal;  // of the thread's instructions
};

/// How long an access lasts, seen by those who come behind it.
enum class Span : std::uint8_t {
  until_done,
  at_issue,         // over when the instruction is issued
  one_cycle,        // and in the cycle after that (rule 3c)
  after_next,       // over behind the next instruction of the thread (rule 17)
  pack_setting,     // until PACR is done, as far as is known (rule 19)
  pack_address,     // 19a
  pack_accumulate,  // 19b
  unpack_setting,   // 20
};

/// How long the instruction may still use what it accesses.
Span span_of(tensix::Occupancy unit, tensix::Word word, const event::Access& access);

class CheckedState {
 public:
  /// `place` is what reports name it by.
  CheckedState(RaceContext& context, std::uint16_t place) : context_(context), place_(place) {}

  void touch(const Current& current, const event::Access& access, Span span);
  std::size_t bytes() const { return shadow_.bytes(); }

 private:
  void touch_bytes(const Current& current, const event::Access& access, Span span);
  void touch_cell(const Current& current, const event::Access& access, std::uint32_t index, std::uint32_t mask,
                  Span span);
  void report(const Mark& first, const Current& second, const event::Access& access, std::uint32_t index,
              std::uint32_t common);

  // Each of these: the rule that a pair lacks; none if it is in order.
  std::optional<RuleNumber> unordered(const Mark& first, const Current& second, const event::Access& access) const;
  std::optional<RuleNumber> behind_instruction(const Mark& first, const Current& second,
                                               const event::Access& access) const;
  std::optional<RuleNumber> unordered_on_noc(const Mark& first, const Current& second) const;
  std::optional<RuleNumber> between_packets(const FlowKey& first, const FlowKey& second) const;
  RuleNumber missing_between_instructions(const Mark& first, const Current& second, const event::Access& access,
                                          bool is_issued) const;
  RuleNumber missing(const Mark& first, const Current& second, const event::Access& access, bool is_issued) const;
  bool is_of_host(Lane lane) const;
  bool overtakes(const Mark& first, const Current& second) const;
  static bool is_likely_landed(const Mark& first, const Current& second);

  RaceContext& context_;
  std::uint16_t place_;
  Shadow shadow_;
};

}  // namespace tensim::insight
