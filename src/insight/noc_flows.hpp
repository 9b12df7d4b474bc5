// Packets between tiles, as the race check sees them. Requests of an NIU are numbered along flows: those that one counter, or one way
// through the network, says the same of. What a core learns by reading an NIU's counters is worked out here (order rules 28 to 31).
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "insight/clocks.hpp"
#include "insight/races.hpp"
#include "noc/message.hpp"

namespace tensim::insight {

/// Tiles as the check numbers them.
using TileNumber = std::uint16_t;

struct FlowKey {
  /// Which accesses of a request.
  enum class Part : std::uint8_t {
    source,   // a write reads its own tile's memory
    landing,  // data is written where it goes
    remote,   // a read reads memory of another tile
  };
  static constexpr std::uint32_t anywhere = ~0U;

  TileNumber source = 0;
  std::uint32_t target = anywhere;  // a tile or a rectangle, of packets whose way counts
  std::uint8_t noc = 0;
  std::uint8_t channel = 0;
  bool has_fixed_channel = false;
  noc::MessageKind kind = noc::MessageKind::read;
  bool is_posted = false;
  std::uint8_t transaction_id = 0;
  Part part = Part::landing;

  /// Whether packets of both take the same way, one behind the other (rule 30).
  bool goes_with(const FlowKey& other) const {
    return target != anywhere && source == other.source && target == other.target && noc == other.noc &&
           channel == other.channel && has_fixed_channel && other.has_fixed_channel;
  }
  auto operator<=>(const FlowKey&) const = default;
};

/// A request that an NIU has taken up.
struct NocRequest {
  std::shared_ptr<const Snapshot> snapshot = {};  // of the core that initiated it, then
  SiteNumber site = 0;
  std::uint32_t awaited = 0;  // responses; or receivers, if nobody responds
  Lane landing = 0;
  std::uint32_t number = 0;  // on that lane
  Lane other = 0;            // a write's source, a read's remote end
  std::uint32_t other_number = 0;
  Proof before =
      {};  // writes that went the same way before it, if it may be a flag that they have come (rules 30, 30a)
};

class NocFlows {
 public:
  /// A request is named by the store that initiated it: packets and responses know it.
  struct Name {
    TileNumber tile = 0;
    std::uint8_t core = 0;
    std::uint8_t noc = 0;
    std::uint64_t cycle = 0;
    auto operator<=>(const Name&) const = default;
  };

  const FlowKey& operator[](Lane lane) const { return keys_[flow_of(lane)]; }

  /// An NIU takes a packet up, to `target`; `awaited` responses will come to `answered`. A request that is cut into packets is
  /// one, of more responses.
  NocRequest& send(Name name, std::uint32_t target, const noc::Message& message, TileNumber answered, unsigned awaited,
                   std::shared_ptr<const Snapshot> snapshot, SiteNumber site);
  /// Null if it is over, or nobody knows who initiated it.
  NocRequest* find(Name name);
  /// One of the responses has come, or one of the receivers has it, if nobody responds. What is known of a request is forgotten when
  /// that was the last.
  void answer(Name name);

  /// What counters of an NIU are when the check begins.
  void start(TileNumber tile, unsigned noc, std::span<const std::uint32_t> counters);
  /// What whoever reads `value` in a counter knows to be over.
  Proof counter_read(TileNumber tile, unsigned noc, unsigned counter, std::uint32_t value) const;

 private:
  static constexpr std::size_t most_kept = 256;

  struct Issued {
    Lane lane = 0;
    std::uint32_t number = 0;
  };
  /// Writes count as sent in the order of their requests (noc 1.3).
  struct Sent {
    std::uint32_t before = 0;                  // that are not kept
    std::map<Lane, std::uint32_t> long_ago{};  // of these, the last of each flow
    std::deque<Issued> kept{};                 // inline writes, which read nothing, have number 0
  };
  struct Niu {
    std::vector<Lane> lanes;  // of its flows
    Sent posted;
    Sent marked;
    std::map<unsigned, std::uint32_t> expected;  // by counter: when all have come
  };
  static std::uint32_t index_of(TileNumber tile, unsigned noc) { return tile * 2U + noc; }
  Issued issue(Niu& niu, const FlowKey& key);
  static void note_sent(Sent& sent, Issued issued);
  static void add_sent(const Sent& sent, std::uint32_t value, Proof& proof);
  Proof way_of(const Niu& niu, const FlowKey& key) const;
  template <class Is>
  void add_all(const Niu& niu, Is is, Proof& proof) const;

  std::map<FlowKey, Lane> lanes_;
  std::vector<FlowKey> keys_;          // by flow,
  std::vector<std::uint32_t> issued_;  // how many there are,
  std::vector<Issued> sources_;        // and of writes, the last one's source
  std::map<std::uint32_t, Niu> nius_;
  std::map<Name, NocRequest> requests_;
};

}  // namespace tensim::insight
