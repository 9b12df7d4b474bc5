#include "insight/noc_flows.hpp"

#include <algorithm>

#include "noc/counters.hpp"

namespace tensim::insight {

using noc::operator""_counter;
using noc::MessageKind;
using Part = FlowKey::Part;

namespace {

/// What polls can be waiting for is not longer.
constexpr std::uint32_t most_bytes_of_flag = 64;

bool writes(MessageKind kind) {
  return kind == MessageKind::write || kind == MessageKind::inline_write;
}

/// The counter that its responses move.
unsigned counter_of(MessageKind kind) {
  switch (kind) {
    case MessageKind::read: return "NIU_MST_RD_RESP_RECEIVED"_counter;
    case MessageKind::atomic: return "NIU_MST_ATOMIC_RESP_RECEIVED"_counter;
    default: return "NIU_MST_WR_ACK_RECEIVED"_counter;
  }
}

FlowKey key_of(TileNumber source, std::uint32_t target, const noc::Message& message, Part part) {
  FlowKey key{.source = source,
              .noc = message.noc,
              .kind = message.kind,
              .is_posted = message.is_posted,
              .transaction_id = message.transaction_id,
              .part = part};
  const bool goes_there = part == Part::remote || (part == Part::landing && message.kind != MessageKind::read);
  if (!goes_there) return key;
  key.target = target;
  key.channel = message.channel;
  key.has_fixed_channel = message.has_fixed_channel;
  return key;
}

}  // namespace

NocFlows::Issued NocFlows::issue(Niu& niu, const FlowKey& key) {
  const auto [known, is_new] = lanes_.try_emplace(key, flow_lane(static_cast<std::uint32_t>(keys_.size())));
  if (is_new) {
    keys_.push_back(key);
    issued_.push_back(0);
    sources_.emplace_back();
    niu.lanes.push_back(known->second);
  }
  return {known->second, ++issued_[flow_of(known->second)]};
}

NocRequest& NocFlows::send(Name name, std::uint32_t target, const noc::Message& message, TileNumber answered,
                           unsigned awaited, std::shared_ptr<const Snapshot> snapshot, SiteNumber site) {
  Niu& niu = nius_[index_of(name.tile, message.noc)];
  const FlowKey landing = key_of(name.tile, target, message, Part::landing);
  NocRequest& request = requests_[name];
  request.snapshot = std::move(snapshot);
  request.site = site;
  request.awaited += awaited;
  const bool may_be_flag =
      message.kind == MessageKind::atomic || (writes(message.kind) && message.length <= most_bytes_of_flag);
  if (may_be_flag) request.before = way_of(niu, landing);
  const Issued landed = issue(niu, landing);
  request.landing = landed.lane;
  request.number = landed.number;
  Issued other;
  if (message.kind == MessageKind::write) other = issue(niu, key_of(name.tile, target, message, Part::source));
  if (message.kind == MessageKind::read) other = issue(niu, key_of(name.tile, target, message, Part::remote));
  if (message.kind == MessageKind::write) sources_[flow_of(landed.lane)] = other;
  request.other = other.lane;
  request.other_number = other.number;
  if (writes(message.kind)) note_sent(message.is_posted ? niu.posted : niu.marked, other);
  if (!message.is_posted) nius_[index_of(answered, message.noc)].expected[counter_of(message.kind)] += awaited;
  return request;
}

void NocFlows::answer(Name name) {
  const auto found = requests_.find(name);
  if (found != requests_.end() && --found->second.awaited == 0) requests_.erase(found);
}

NocRequest* NocFlows::find(Name name) {
  const auto found = requests_.find(name);
  return found == requests_.end() ? nullptr : &found->second;
}

// ---- what a counter says ----

void NocFlows::start(TileNumber tile, unsigned noc, std::span<const std::uint32_t> counters) {
  Niu& niu = nius_[index_of(tile, noc)];
  for (const MessageKind kind : {MessageKind::read, MessageKind::write, MessageKind::atomic})
    niu.expected[counter_of(kind)] = counters[counter_of(kind)];
  niu.posted.before = counters["NIU_MST_POSTED_WR_REQ_SENT"_counter];
  niu.marked.before = counters["NIU_MST_NONPOSTED_WR_REQ_SENT"_counter];
}

void NocFlows::note_sent(Sent& sent, Issued issued) {
  sent.kept.push_back(issued);
  if (sent.kept.size() <= most_kept) return;
  const Issued first = sent.kept.front();
  if (first.number != 0) sent.long_ago[first.lane] = first.number;
  ++sent.before;
  sent.kept.pop_front();
}

void NocFlows::add_sent(const Sent& sent, std::uint32_t value, Proof& proof) {
  const auto count = static_cast<std::int32_t>(value - sent.before);
  if (count < 0) return;
  std::map<Lane, std::uint32_t> last = sent.long_ago;
  for (std::size_t i = 0; i < std::min(sent.kept.size(), static_cast<std::size_t>(count)); ++i)
    if (sent.kept[i].number != 0) last[sent.kept[i].lane] = sent.kept[i].number;
  proof.insert(proof.end(), last.begin(), last.end());
}

template <class Is>
void NocFlows::add_all(const Niu& niu, Is is, Proof& proof) const {
  for (const Lane lane : niu.lanes)
    if (is(keys_[flow_of(lane)])) proof.emplace_back(lane, issued_[flow_of(lane)]);
}

/// Responses come in any order: their number says something of each only when all have come. What has been sent is in order.
Proof NocFlows::counter_read(TileNumber tile, unsigned noc, unsigned counter, std::uint32_t value) const {
  Proof proof;
  const auto known = nius_.find(index_of(tile, noc));
  if (known == nius_.end()) return proof;
  const Niu& niu = known->second;
  const unsigned outstanding = counter - "NIU_MST_REQS_OUTSTANDING_ID"_counter;
  const unsigned outgoing = counter - "NIU_MST_WRITE_REQS_OUTGOING_ID"_counter;
  if (counter == "NIU_MST_POSTED_WR_REQ_SENT"_counter) {
    add_sent(niu.posted, value, proof);
  } else if (counter == "NIU_MST_NONPOSTED_WR_REQ_SENT"_counter) {
    add_sent(niu.marked, value, proof);
  } else if (outstanding < noc::transaction_ids) {
    const auto is_of_id = [&](const FlowKey& key) { return !key.is_posted && key.transaction_id == outstanding; };
    if (value == 0) add_all(niu, is_of_id, proof);
  } else if (outgoing < noc::transaction_ids) {
    const auto is_source = [&](const FlowKey& key) {
      return key.part == Part::source && key.transaction_id == outgoing;
    };
    if (value == 0) add_all(niu, is_source, proof);
  } else if (const auto expected = niu.expected.find(counter);
             expected != niu.expected.end() && expected->second == value) {
    add_all(niu, [&](const FlowKey& key) { return !key.is_posted && counter_of(key.kind) == counter; }, proof);
  }
  return proof;
}

/// Writes that leave before a packet with this key, and cannot be overtaken by it. What has landed has also been read.
Proof NocFlows::way_of(const Niu& niu, const FlowKey& key) const {
  Proof proof;
  for (const Lane lane : niu.lanes) {
    const FlowKey& other = keys_[flow_of(lane)];
    if (other.part != Part::landing || !writes(other.kind) || !other.goes_with(key)) continue;
    proof.emplace_back(lane, issued_[flow_of(lane)]);
    if (const Issued& source = sources_[flow_of(lane)]; source.number != 0)
      proof.emplace_back(source.lane, source.number);
  }
  return proof;
}

}  // namespace tensim::insight
