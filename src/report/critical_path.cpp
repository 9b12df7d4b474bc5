#include "report/critical_path.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "event/core_stall.hpp"
#include "event/packet.hpp"
#include "event/stall.hpp"
#include "isa/disassemble.hpp"
#include "report/most_first.hpp"
#include "report/places.hpp"
#include "tensix/occupancy_names.hpp"

namespace tensim::report {

using insight::Chains;
using insight::CriticalPath;
using insight::Step;
using scenario::Scenario;

namespace {

constexpr std::size_t most_groups = 16;  // JSON has all

/// All that somebody spent in a line for one reason.
struct Group {
  std::string who = {};
  std::string reason = {};
  SourceLine where = {};
  std::string what = {};  // the instruction, of a thread
  std::uint64_t cycles = 0;
  std::uint64_t times = 0;
};

tensix::Entry entry_of(const Step& step) {
  const std::uint32_t source = step.origin << (tensix::Entry::origin_shift - tensix::Entry::source_shift) |
                               (step.is_from_brisc ? tensix::Entry::brisc_bit >> tensix::Entry::source_shift : 0U);
  return tensix::Entry::expanded(step.word, source);
}

std::string name_of_instruction(Arch arch, std::uint32_t word) {
  const isa::Decoded decoded = isa::decode(arch, word);
  return decoded.form == nullptr ? fmt::format("{:#010x}", word) : std::string(decoded.form->name);
}

/// One for each step, but for a run of instructions, which may go over several lines.
class Groups {
 public:
  explicit Groups(const RaceSites& sites) : sites_(sites) {}

  void add(const Chains::Part& part) {
    const Step& step = part.step;
    if (step.kind != Step::Kind::core || step.word < 2) return add(step, part.cycles, part.times, step.origin);
    // Each instruction of the run takes the same: a cycle, however often.
    for (std::uint32_t i = 0; i < step.word; ++i) {
      const std::uint64_t cycles = part.cycles / step.word + (i < part.cycles % step.word ? 1 : 0);
      add(step, cycles, part.times, step.origin + 4 * i);
    }
  }

  std::vector<Group> sorted() const {
    std::vector<Group> groups;
    groups.reserve(groups_.size());
    for (const auto& [key, group] : groups_)
      groups.push_back(group);
    return most_first(std::move(groups), [](const Group& group) { return group.cycles; });
  }

 private:
  std::string in_tile(const Step& step, std::string who) const {
    const std::string tile = sites_.name(step.tile);
    return tile.empty() ? who : fmt::format("{} {}", tile, who);
  }
  std::string core(const Step& step) const { return in_tile(step, std::string(tile::core_names[step.agent])); }
  std::string thread(const Step& step) const { return in_tile(step, fmt::format("T{}", step.agent)); }
  void add_instruction(const Step& step, Group& group) const {
    group.where = line_of(sites_.programs(step.tile), step.agent, entry_of(step));
    group.what = name_of_instruction(sites_.arch(), step.word);
  }
  SourceLine line(const Step& step, std::uint32_t pc) const {
    return line_of(sites_.programs(step.tile), static_cast<tile::CoreId>(step.agent), pc);
  }

  void add(const Step& step, std::uint64_t cycles, std::uint64_t times, std::uint32_t pc) {
    Group group{.cycles = cycles, .times = times};
    switch (step.kind) {
      case Step::Kind::gate:
        group.who = thread(step);
        group.reason = name(static_cast<event::Stall>(step.reason));
        add_instruction(step, group);
        break;
      case Step::Kind::unit:
        group.who = thread(step);
        group.reason = fmt::format("in {}", name(static_cast<tensix::Occupancy>(step.reason)));
        add_instruction(step, group);
        break;
      case Step::Kind::frontend:
        group.who = thread(step);
        group.reason = "from its core to its gate";
        add_instruction(step, group);
        break;
      case Step::Kind::core:
        group.who = core(step);
        group.reason = name(static_cast<event::CoreStall>(step.reason));
        group.where = line(step, pc);
        break;
      case Step::Kind::store:
        group.who = core(step);
        group.reason = "store on its way";
        group.where = line(step, pc);
        break;
      case Step::Kind::niu:
        group.who = core(step);
        group.reason = "request in its NIU";
        group.where = line(step, pc);
        break;
      case Step::Kind::packet:
        group.who = "NoC";
        group.reason = event::name(static_cast<noc::MessageKind>(step.reason));
        break;
      case Step::Kind::memory:
        group.who = sites_.name(step.tile);
        group.reason = "answers a request";
        break;
      case Step::Kind::script: group.reason = "the scenario has it later"; break;
      case Step::Kind::start: group.reason = "before anything"; break;
      case Step::Kind::end: group.reason = "behind the last that happened"; break;
    }
    Group& all = groups_[{group.who, group.where, group.reason, group.what}];
    group.cycles += all.cycles;
    group.times += all.times;
    all = std::move(group);
  }

  const RaceSites& sites_;
  std::map<std::tuple<std::string, SourceLine, std::string, std::string>, Group> groups_;
};

std::vector<Group> groups_of(const RaceSites& sites, const CriticalPath& path) {
  Groups groups(sites);
  for (const Chains::Part& part : path.parts)
    groups.add(part);
  return groups.sorted();
}

double share(std::uint64_t cycles, std::uint64_t all) {
  return all == 0 ? 0 : 100.0 * static_cast<double>(cycles) / static_cast<double>(all);
}

}  // namespace

std::string path_text(const Style& style, const RaceSites& sites, const CriticalPath& path) {
  std::string text = fmt::format("\n{} what decided on {} cycles\n", style.strong("critical path:"), path.cycles);
  const std::vector<Group> groups = groups_of(sites, path);
  std::uint64_t rest = 0;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    const Group& group = groups[i];
    if (i >= most_groups) {
      rest += group.cycles;
      continue;
    }
    const std::string where = group.where == SourceLine{} ? "" : text_of(group.where);
    text += fmt::format("  {:>9} {:>3.0f} %  {:<7} {:<22} {}{}{}\n", group.cycles, share(group.cycles, path.cycles),
                        group.who, where, group.what, group.what.empty() ? "" : ": ", style.dim(group.reason));
  }
  if (groups.size() > most_groups)
    text +=
        fmt::format("  {:>9} {:>3.0f} %  in {} more\n", rest, share(rest, path.cycles), groups.size() - most_groups);
  return text;
}

nlohmann::json path_json(const RaceSites& sites, const CriticalPath& path) {
  nlohmann::json parts = nlohmann::json::array();
  for (const Group& group : groups_of(sites, path)) {
    nlohmann::json part{{"cycles", group.cycles}, {"times", group.times}, {"reason", group.reason}};
    if (!group.who.empty()) part["who"] = group.who;
    if (!group.what.empty()) part["instruction"] = group.what;
    if (!(group.where == SourceLine{})) {
      part["file"] = group.where.file;
      if (group.where.line != 0) part["line"] = group.where.line;
    }
    parts.push_back(std::move(part));
  }
  return {{"cycles", path.cycles}, {"parts", std::move(parts)}};
}

}  // namespace tensim::report
