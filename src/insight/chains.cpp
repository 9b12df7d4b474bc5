#include "insight/chains.hpp"

#include <algorithm>

namespace tensim::insight {

std::size_t Chains::HashOfStep::operator()(const Step& step) const {
  std::uint64_t mixed = std::uint64_t{step.origin} << 32U | step.word;
  mixed ^= std::uint64_t{static_cast<unsigned>(step.kind)} << 56U ^ std::uint64_t{step.reason} << 48U ^
           std::uint64_t{step.agent} << 40U ^ std::uint64_t{step.tile} << 20U ^ std::uint64_t{step.is_from_brisc};
  mixed = (mixed ^ mixed >> 30U) * 0xBF58476D1CE4E5B9U;
  return mixed ^ mixed >> 27U;
}

Chains::Chains() : recent_(recent_count) {
  steps_.push_back({});
  numbers_.emplace(Step{}, 0);
  links_.emplace_back().uses = 1;  // the root stays
}

void Chains::release(std::uint32_t link) {
  while (link != nothing && --links_[link].uses == 0) {
    const std::uint32_t before = links_[link].before;
    links_[link].absorbed.reset();
    free_.push_back(link);
    link = before;
  }
}

std::uint32_t Chains::number_of(const Step& step) {
  Recent& last = recent_[HashOfStep{}(step) % recent_count];
  if (last.number != nothing && last.step == step) return last.number;
  const auto [found, is_new] = numbers_.try_emplace(step, static_cast<std::uint32_t>(steps_.size()));
  if (is_new) steps_.push_back(step);
  last = {step, found->second};
  return last.number;
}

/// What `before` was held for is the new link's now.
std::uint32_t Chains::add(std::uint32_t before, std::uint32_t step, time::Cycle until) {
  if (free_.empty() && links_.size() >= compact_at_) {
    compact();
    compact_at_ = std::max(first_compaction, 2 * size());
  }
  std::uint32_t added = static_cast<std::uint32_t>(links_.size());
  if (free_.empty()) {
    links_.emplace_back();
  } else {
    added = free_.back();
    free_.pop_back();
  }
  Link& link = links_[added];
  link.before = before;
  link.uses = 1;
  link.step = step;
  link.until = until;
  link.cycles = until - links_[before].until;
  return added;
}

void Chain::extend(const Step& step, time::Cycle until) {
  Chains::Link& last = of_->links_[link_];
  if (until <= last.until) return;
  const std::uint32_t number = of_->number_of(step);
  if (last.uses == 1 && last.step == number && link_ != Chains::root) {
    last.cycles += until - last.until;
    last.until = until;
    return;
  }
  link_ = of_->add(link_, number, until);
}

// ---- many links ----

/// What only `link` hangs on is part of it from now on.
void Chains::absorb(Link& link, std::uint32_t number) {
  Link& before = links_[number];
  if (link.absorbed == nullptr || (before.absorbed != nullptr && before.absorbed->size() > link.absorbed->size()))
    std::swap(link.absorbed, before.absorbed);
  if (link.absorbed == nullptr) link.absorbed = std::make_unique<Sums>();
  const auto add = [&](std::uint32_t step, const Sum& sum) {
    Sum& all = (*link.absorbed)[step];
    all.cycles += sum.cycles;
    all.times += sum.times;
  };
  if (before.absorbed != nullptr)
    for (const auto& [step, sum] : *before.absorbed)
      add(step, sum);
  add(before.step, {before.cycles, 1});
  link.before = before.before;
  before.absorbed.reset();
  before.uses = 0;
  free_.push_back(number);
}

void Chains::compact() {
  for (Link& link : links_) {
    if (link.uses == 0) continue;
    while (link.before != nothing && link.before != root && links_[link.before].uses == 1)
      absorb(link, link.before);
  }
}

std::vector<Chains::Part> Chains::parts(const Chain& chain) const {
  std::unordered_map<std::uint32_t, Sum> sums;
  const auto add = [&](std::uint32_t step, const Sum& sum) {
    Sum& all = sums[step];
    all.cycles += sum.cycles;
    all.times += sum.times;
  };
  if (chain)
    for (std::uint32_t link = chain.link_; link != root; link = links_[link].before) {
      add(links_[link].step, {links_[link].cycles, 1});
      if (links_[link].absorbed == nullptr) continue;
      for (const auto& [step, sum] : *links_[link].absorbed)
        add(step, sum);
    }
  std::vector<std::pair<std::uint32_t, Sum>> sorted(sums.begin(), sums.end());
  std::ranges::sort(sorted, [](const auto& a, const auto& b) {
    return a.second.cycles != b.second.cycles ? a.second.cycles > b.second.cycles : a.first < b.first;
  });
  std::vector<Part> parts;
  parts.reserve(sorted.size());
  for (const auto& [step, sum] : sorted)
    parts.push_back({steps_[step], sum.cycles, sum.times});
  return parts;
}

}  // namespace tensim::insight
