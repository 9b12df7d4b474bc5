// What a program's addresses mean: functions, data, source lines and frames. Plain data, built when it is loaded.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tensim::program {

struct SourceLocation {
  std::string function;      // empty: unknown
  std::uint32_t offset = 0;  // from the start of the function
  std::string file;          // base name, or path below the directory of the build; empty: unknown
  unsigned line = 0;
};

struct Symbol {
  enum class Kind : std::uint8_t { function, data, other };

  std::string name;          // as in the source: demangled
  std::string linkage_name;  // as in the symbol table
  std::uint32_t address = 0;
  std::uint32_t size = 0;  // of a function without one: up to the next, or the end of its section
  Kind kind = Kind::other;
  bool global = false;
};

/// From `address` on, up to the next row. Line 0: no source line.
struct LineRow {
  std::uint32_t address = 0;
  std::uint32_t file = 0;  // index into the names
  std::uint32_t line = 0;
};

/// How to find the caller of code in [begin, end): its frame address (CFA) is a register plus an offset.
struct FrameRow {
  static constexpr std::uint8_t no_register = 0xFF;  // something more complicated

  struct Rule {
    enum class Kind : std::uint8_t { same, saved, unknown };
    Kind kind = Kind::same;
    std::int32_t offset = 0;  // saved: from the frame address
  };

  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  std::uint8_t frame_register = 2;
  std::int32_t frame_offset = 0;
  std::uint8_t return_register = 1;
  Rule return_address;
  Rule s0;
};

/// Code in [begin, end) is that of a function whose call was replaced by it, at this line.
struct InlinedRow {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  std::uint32_t depth = 0;  // in how many other such calls it is
  std::uint32_t file = 0;   // index into the names
  std::uint32_t line = 0;
};

struct SourceTables {
  std::vector<Symbol> symbols;
  std::vector<std::string> files;
  std::vector<LineRow> lines;
  std::vector<FrameRow> frames;
  std::vector<InlinedRow> inlined = {};
};

class SourceMap {
 public:
  SourceMap() = default;
  explicit SourceMap(SourceTables tables);
  SourceMap(const SourceMap&) = delete;  // the names point into the symbols
  SourceMap& operator=(const SourceMap&) = delete;

  /// The function or the line of an instruction, or both; nothing where neither is known.
  [[nodiscard]] std::optional<SourceLocation> locate(std::uint32_t pc) const;
  /// "main+0x1c (kernel.c:41)", as much of it as is known; otherwise "0x1234".
  [[nodiscard]] std::string describe(std::uint32_t pc) const;
  /// Of code that stands in the place of calls, the lines of these calls, the innermost first: "noc.h:145".
  [[nodiscard]] std::vector<std::string> inlined_at(std::uint32_t pc) const;

  /// By the name of the symbol table, the name in the source, or that without its parameters, in this order. Of
  /// several, a global one, then the one at the lowest address. Null if there is none.
  [[nodiscard]] const Symbol* symbol(std::string_view name) const;
  [[nodiscard]] const Symbol* function_at(std::uint32_t pc) const;
  [[nodiscard]] const Symbol* data_at(std::uint32_t address) const;
  [[nodiscard]] const FrameRow* frame_at(std::uint32_t pc) const;
  [[nodiscard]] const std::vector<Symbol>& symbols() const { return tables_.symbols; }
  [[nodiscard]] const std::vector<LineRow>& lines() const { return tables_.lines; }

 private:
  struct Name {
    std::string_view text;  // of a symbol
    std::uint32_t symbol = 0;
    std::uint8_t form = 0;  // linkage name, name, name without parameters
  };

  void index_names();
  [[nodiscard]] const LineRow* line_at(std::uint32_t pc) const;

  SourceTables tables_;
  std::vector<std::uint32_t> functions_;  // indices of symbols, by address
  std::vector<std::uint32_t> data_;
  std::vector<Name> names_;
};

}  // namespace tensim::program
