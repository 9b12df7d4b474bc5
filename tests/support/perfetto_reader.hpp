// Reads a Perfetto trace back: by the wire format and the numbers of the fields, and with nothing of what wrote it.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace tensim::test {

struct PerfettoSlice {
  std::uint64_t from = 0;
  std::uint64_t until = 0;
  unsigned depth = 0;  // slices around it
  bool is_instant = false;
  std::string name = {};
  std::map<std::string, std::string> arguments = {};
  std::vector<std::uint64_t> flows = {};  // that begin with it, or pass
  std::vector<std::uint64_t> ends = {};
};

struct PerfettoValue {
  std::uint64_t at = 0;
  std::int64_t value = 0;
};

struct ReadTrack {
  std::string name = {};
  std::string process = {};
  bool is_counter = false;
  std::vector<PerfettoSlice> slices = {};  // by when they begin
  std::vector<PerfettoValue> values = {};

  /// Cycles in slices of a name, or in any; those around others only.
  std::uint64_t cycles(std::string_view slice_name = {}, unsigned depth = 0) const;
};

struct ReadPerfetto {
  std::vector<std::string> problems = {};  // what is not as it should be
  std::vector<ReadTrack> tracks = {};

  /// Null if there is none.
  const ReadTrack* find(std::string_view name, std::string_view process = {}) const;
  /// Flows that end somewhere: all of them must have begun before. Adds to the problems.
  std::size_t check_flows();
};

ReadPerfetto read_perfetto(std::string_view bytes);

}  // namespace tensim::test
