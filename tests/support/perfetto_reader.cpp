#include "tests/support/perfetto_reader.hpp"

#include <algorithm>
#include <functional>
#include <utility>

#include <fmt/format.h>

namespace tensim::test {
namespace {

/// A field of a message: a number, or bytes.
struct Field {
  std::uint32_t number = 0;
  std::uint64_t value = 0;
  std::string_view bytes = {};
};

class Wire {
 public:
  explicit Wire(std::string_view bytes) : bytes_(bytes) {}
  bool is_wrong() const { return is_wrong_; }

  bool next(Field& field) {
    if (at_ == bytes_.size() || is_wrong_) return false;
    const std::uint64_t tag = varint();
    field = {.number = static_cast<std::uint32_t>(tag >> 3U)};
    switch (tag & 7U) {
      case 0: field.value = varint(); break;
      case 1: field.value = fixed(8); break;
      case 2: {
        const std::uint64_t size = varint();
        if (size > bytes_.size() - at_) is_wrong_ = true;
        field.bytes = is_wrong_ ? std::string_view() : bytes_.substr(at_, size);
        at_ += field.bytes.size();
        break;
      }
      default: is_wrong_ = true;
    }
    return !is_wrong_ && field.number != 0;
  }

 private:
  std::uint64_t varint() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      if (at_ == bytes_.size()) break;
      const auto byte = static_cast<unsigned char>(bytes_[at_++]);
      value |= static_cast<std::uint64_t>(byte & 0x7FU) << shift;
      if ((byte & 0x80U) == 0) return value;
    }
    is_wrong_ = true;
    return 0;
  }
  std::uint64_t fixed(unsigned size) {
    if (bytes_.size() - at_ < size) {
      is_wrong_ = true;
      return 0;
    }
    std::uint64_t value = 0;
    for (unsigned i = 0; i < size; ++i)
      value |= static_cast<std::uint64_t>(static_cast<unsigned char>(bytes_[at_++])) << (8 * i);
    return value;
  }

  std::string_view bytes_;
  std::size_t at_ = 0;
  bool is_wrong_ = false;
};

struct TrackEvent {
  std::uint64_t at = 0;
  std::size_t number = 0;  // in the order of the file
  unsigned type = 0;
  PerfettoSlice slice = {};
  std::int64_t value = 0;
};

/// What packets of one sequence have said so far.
struct Sequence {
  bool is_cleared = false;
  std::uint64_t track = 0;
  std::map<std::uint64_t, std::string> names = {};
  std::map<std::uint64_t, std::string> annotations = {};
  std::map<std::uint64_t, std::string> texts = {};
};

class Reader {
 public:
  ReadPerfetto read(std::string_view bytes) {
    fields(bytes, [&](const Field& field) {
      if (field.number == 1) packet(field.bytes);
    });
    for (auto& [uuid, events] : events_) {
      if (!tracks_.contains(uuid)) problem(fmt::format("track {} has no description", uuid));
      build(tracks_[uuid], events);
    }
    for (auto& [uuid, track] : tracks_) {
      track.process = processes_[parents_[uuid]];
      if (!is_process_.contains(uuid)) result_.tracks.push_back(std::move(track));
    }
    return std::move(result_);
  }

 private:
  void problem(std::string text) {
    if (result_.problems.size() < 20) result_.problems.push_back(std::move(text));
  }
  void fields(std::string_view bytes, const std::function<void(const Field&)>& take) {
    Wire wire(bytes);
    Field field;
    while (wire.next(field))
      take(field);
    if (wire.is_wrong()) problem("a message is cut off");
  }

  void packet(std::string_view bytes) {
    std::uint64_t at = 0;
    std::uint64_t sequence = 0;
    std::uint64_t flags = 0;
    std::vector<Field> rest;
    fields(bytes, [&](const Field& field) {
      if (field.number == 8)
        at = field.value;
      else if (field.number == 10)
        sequence = field.value;
      else if (field.number == 13)
        flags = field.value;
      else
        rest.push_back(field);
    });
    Sequence& state = sequences_[sequence];
    if ((flags & 1U) != 0) state = {.is_cleared = true};
    for (const Field& field : rest) {
      if (field.number == 60) descriptor(field.bytes);
      if (field.number == 59)
        fields(field.bytes, [&](const Field& of_defaults) {
          if (of_defaults.number == 11)
            fields(of_defaults.bytes, [&](const Field& of_event) {
              if (of_event.number == 11) state.track = of_event.value;
            });
        });
      if (field.number == 12) interned(state, field.bytes);
      if (field.number == 11) {
        if (!state.is_cleared || (flags & 2U) == 0) problem("an event of a sequence that has not begun");
        event(state, at, field.bytes);
      }
    }
  }

  void descriptor(std::string_view bytes) {
    std::uint64_t uuid = 0;
    std::uint64_t parent = 0;
    ReadTrack track;
    std::string process;
    fields(bytes, [&](const Field& field) {
      if (field.number == 1) uuid = field.value;
      if (field.number == 2) track.name = field.bytes;
      if (field.number == 5) parent = field.value;
      if (field.number == 8) track.is_counter = true;
      if (field.number == 3)
        fields(field.bytes, [&](const Field& of_process) {
          if (of_process.number == 6) process = of_process.bytes;
        });
    });
    if (uuid == 0 || tracks_.contains(uuid)) problem(fmt::format("track {} is described twice", uuid));
    parents_[uuid] = parent;
    if (!process.empty()) {
      processes_[uuid] = process;
      is_process_.insert(uuid);
    }
    tracks_[uuid] = std::move(track);
  }

  void interned(Sequence& state, std::string_view bytes) {
    fields(bytes, [&](const Field& field) {
      std::uint64_t number = 0;
      std::string text;
      fields(field.bytes, [&](const Field& of_entry) {
        if (of_entry.number == 1) number = of_entry.value;
        if (of_entry.number == 2) text = of_entry.bytes;
      });
      auto& all = field.number == 2 ? state.names : field.number == 3 ? state.annotations : state.texts;
      if (number == 0 || !all.emplace(number, text).second) problem("a text has the number of another");
    });
  }

  std::string look_up(const std::map<std::uint64_t, std::string>& all, std::uint64_t number) {
    const auto found = all.find(number);
    if (found != all.end()) return found->second;
    problem(fmt::format("no text has number {}", number));
    return {};
  }

  void event(const Sequence& state, std::uint64_t at, std::string_view bytes) {
    TrackEvent event{.at = at};
    std::uint64_t track = state.track;
    fields(bytes, [&](const Field& field) {
      switch (field.number) {
        case 4: {
          std::uint64_t name = 0;
          std::uint64_t text = 0;
          fields(field.bytes, [&](const Field& of_annotation) {
            if (of_annotation.number == 1) name = of_annotation.value;
            if (of_annotation.number == 17) text = of_annotation.value;
          });
          event.slice.arguments[look_up(state.annotations, name)] = look_up(state.texts, text);
          break;
        }
        case 9: event.type = static_cast<unsigned>(field.value); break;
        case 10: event.slice.name = look_up(state.names, field.value); break;
        case 11: track = field.value; break;
        case 30: event.value = static_cast<std::int64_t>(field.value); break;
        case 47: event.slice.flows.push_back(field.value); break;
        case 48: event.slice.ends.push_back(field.value); break;
        default: problem(fmt::format("an event has field {}", field.number));
      }
    });
    event.number = events_[track].size();
    events_[track].push_back(std::move(event));
  }

  /// As the viewer does: by time, and in the order of the file where that is the same.
  void build(ReadTrack& track, std::vector<TrackEvent>& events) {
    std::ranges::sort(events, {}, [](const TrackEvent& event) { return std::pair(event.at, event.number); });
    std::vector<std::size_t> open;
    for (TrackEvent& event : events) {
      if (track.is_counter != (event.type == 4))
        problem(fmt::format("{}: an event of type {}", track.name, event.type));
      switch (event.type) {
        case 1:
        case 3:
          event.slice.from = event.slice.until = event.at;
          event.slice.depth = static_cast<unsigned>(open.size());
          event.slice.is_instant = event.type == 3;
          if (event.type == 1) open.push_back(track.slices.size());
          track.slices.push_back(std::move(event.slice));
          break;
        case 2:
          if (open.empty()) {
            problem(fmt::format("{}: a slice ends that has not begun, in {}", track.name, event.at));
            break;
          }
          track.slices[open.back()].until = event.at;
          open.pop_back();
          break;
        case 4: track.values.push_back({event.at, event.value}); break;
        default: problem("an event of no type");
      }
    }
    if (!open.empty()) problem(fmt::format("{}: a slice does not end", track.name));
  }

  ReadPerfetto result_;
  std::map<std::uint64_t, Sequence> sequences_;
  std::map<std::uint64_t, ReadTrack> tracks_;
  std::map<std::uint64_t, std::uint64_t> parents_;
  std::map<std::uint64_t, std::string> processes_;
  std::set<std::uint64_t> is_process_;
  std::map<std::uint64_t, std::vector<TrackEvent>> events_;
};

}  // namespace

std::uint64_t ReadTrack::cycles(std::string_view slice_name, unsigned depth) const {
  std::uint64_t sum = 0;
  for (const PerfettoSlice& slice : slices)
    if (slice.depth == depth && (slice_name.empty() || slice.name == slice_name)) sum += slice.until - slice.from;
  return sum;
}

const ReadTrack* ReadPerfetto::find(std::string_view name, std::string_view process) const {
  const auto found = std::ranges::find_if(tracks, [&](const ReadTrack& track) {
    return track.name == name && (process.empty() || track.process == process);
  });
  return found == tracks.end() ? nullptr : &*found;
}

std::size_t ReadPerfetto::check_flows() {
  std::map<std::uint64_t, std::uint64_t> begun;  // when
  for (const ReadTrack& track : tracks)
    for (const PerfettoSlice& slice : track.slices)
      for (const std::uint64_t flow : slice.flows) {
        const auto [known, is_new] = begun.emplace(flow, slice.from);
        if (!is_new) known->second = std::min(known->second, slice.from);
      }
  std::set<std::uint64_t> ended;
  for (const ReadTrack& track : tracks)
    for (const PerfettoSlice& slice : track.slices)
      for (const std::uint64_t flow : slice.ends) {
        const auto found = begun.find(flow);
        if (found == begun.end())
          problems.push_back(
              fmt::format("{}: {} in {} ends a flow that has not begun", track.name, slice.name, slice.from));
        else if (found->second > slice.from)
          problems.push_back(fmt::format("{}: {} in {} comes before its flow", track.name, slice.name, slice.from));
        if (!ended.insert(flow).second)
          problems.push_back(fmt::format("{}: {} in {} ends a flow again", track.name, slice.name, slice.from));
      }
  return ended.size();
}

ReadPerfetto read_perfetto(std::string_view bytes) {
  return Reader().read(bytes);
}

}  // namespace tensim::test
