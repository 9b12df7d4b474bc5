#include "program/source_map.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include <fmt/format.h>

namespace tensim::program {
namespace {

std::string_view without_parameters(std::string_view name) {
  return name.substr(0, name.find('('));
}

/// The symbols of a kind by address; where several begin, the one to be named comes last.
std::vector<std::uint32_t> by_address(const std::vector<Symbol>& symbols, Symbol::Kind kind) {
  std::vector<std::uint32_t> order;
  for (std::uint32_t i = 0; i < symbols.size(); ++i)
    if (symbols[i].kind == kind) order.push_back(i);
  std::sort(order.begin(), order.end(), [&](std::uint32_t left, std::uint32_t right) {
    const auto key = [&](std::uint32_t i) {
      return std::tuple(symbols[i].address, symbols[i].size != 0, symbols[i].global, i);
    };
    return key(left) < key(right);
  });
  return order;
}

const Symbol* symbol_at(const std::vector<Symbol>& symbols, const std::vector<std::uint32_t>& order,
                        std::uint32_t address) {
  const auto after = std::upper_bound(order.begin(), order.end(), address,
                                      [&](std::uint32_t value, std::uint32_t i) { return value < symbols[i].address; });
  if (after == order.begin()) return nullptr;
  const Symbol& symbol = symbols[*std::prev(after)];
  return address - symbol.address < symbol.size ? &symbol : nullptr;
}

}  // namespace

SourceMap::SourceMap(SourceTables tables) : tables_(std::move(tables)) {
  functions_ = by_address(tables_.symbols, Symbol::Kind::function);
  data_ = by_address(tables_.symbols, Symbol::Kind::data);
  // Where one sequence of lines ends and the next begins, the beginning counts.
  std::sort(tables_.lines.begin(), tables_.lines.end(), [](const LineRow& left, const LineRow& right) {
    const auto key = [](const LineRow& row) { return std::tuple(row.address, row.line != 0, row.file, row.line); };
    return key(left) < key(right);
  });
  std::sort(tables_.frames.begin(), tables_.frames.end(), [](const FrameRow& left, const FrameRow& right) {
    return std::pair(left.begin, left.end) < std::pair(right.begin, right.end);
  });
  std::sort(tables_.inlined.begin(), tables_.inlined.end(), [](const InlinedRow& left, const InlinedRow& right) {
    const auto key = [](const InlinedRow& row) {
      return std::tuple(row.begin, row.end, row.depth, row.file, row.line);
    };
    return key(left) < key(right);
  });
  index_names();
}

void SourceMap::index_names() {
  for (std::uint32_t i = 0; i < tables_.symbols.size(); ++i) {
    const Symbol& symbol = tables_.symbols[i];
    const std::string_view forms[] = {symbol.linkage_name, symbol.name, without_parameters(symbol.name)};
    for (std::size_t form = 0; form < std::size(forms); ++form)
      if (!forms[form].empty() && (form == 0 || forms[form] != forms[form - 1]))
        names_.push_back({forms[form], i, static_cast<std::uint8_t>(form)});
  }
  std::sort(names_.begin(), names_.end(), [&](const Name& left, const Name& right) {
    const auto key = [&](const Name& name) {
      const Symbol& symbol = tables_.symbols[name.symbol];
      return std::tuple(name.text, name.form, !symbol.global, symbol.address, name.symbol);
    };
    return key(left) < key(right);
  });
}

const Symbol* SourceMap::symbol(std::string_view name) const {
  const auto found = std::lower_bound(names_.begin(), names_.end(), name,
                                      [](const Name& entry, std::string_view text) { return entry.text < text; });
  return found != names_.end() && found->text == name ? &tables_.symbols[found->symbol] : nullptr;
}

const Symbol* SourceMap::function_at(std::uint32_t pc) const {
  return symbol_at(tables_.symbols, functions_, pc);
}

const Symbol* SourceMap::data_at(std::uint32_t address) const {
  return symbol_at(tables_.symbols, data_, address);
}

const LineRow* SourceMap::line_at(std::uint32_t pc) const {
  const auto after = std::upper_bound(tables_.lines.begin(), tables_.lines.end(), pc,
                                      [](std::uint32_t value, const LineRow& row) { return value < row.address; });
  if (after == tables_.lines.begin()) return nullptr;
  const LineRow& row = *std::prev(after);
  return row.line != 0 && row.file < tables_.files.size() ? &row : nullptr;
}

const FrameRow* SourceMap::frame_at(std::uint32_t pc) const {
  const auto after = std::upper_bound(tables_.frames.begin(), tables_.frames.end(), pc,
                                      [](std::uint32_t value, const FrameRow& row) { return value < row.begin; });
  if (after == tables_.frames.begin()) return nullptr;
  const FrameRow& row = *std::prev(after);
  return pc < row.end ? &row : nullptr;
}

/// Asked for texts alone: nobody minds that all rows are looked at.
std::vector<std::string> SourceMap::inlined_at(std::uint32_t pc) const {
  std::vector<const InlinedRow*> calls;
  for (const InlinedRow& row : tables_.inlined)
    if (row.begin <= pc && pc < row.end && row.file < tables_.files.size() && row.line != 0) calls.push_back(&row);
  std::sort(calls.begin(), calls.end(), [](const InlinedRow* left, const InlinedRow* right) {
    return left->depth != right->depth ? left->depth > right->depth : left < right;
  });
  std::vector<std::string> lines;
  lines.reserve(calls.size());
  for (const InlinedRow* call : calls)
    lines.push_back(fmt::format("{}:{}", tables_.files[call->file], call->line));
  return lines;
}

std::optional<SourceLocation> SourceMap::locate(std::uint32_t pc) const {
  const Symbol* function = function_at(pc);
  const LineRow* row = line_at(pc);
  if (function == nullptr && row == nullptr) return std::nullopt;
  SourceLocation location;
  if (function != nullptr) {
    location.offset = pc - function->address;
    location.function = function->name;
  }
  if (row != nullptr) {
    location.file = tables_.files[row->file];
    location.line = row->line;
  }
  return location;
}

std::string SourceMap::describe(std::uint32_t pc) const {
  const std::optional<SourceLocation> location = locate(pc);
  if (!location) return fmt::format("{:#x}", pc);
  std::string text = location->function;
  if (text.empty())
    text = fmt::format("{:#x}", pc);
  else if (location->offset != 0)
    text += fmt::format("+{:#x}", location->offset);
  if (location->line != 0) text += fmt::format(" ({}:{})", location->file, location->line);
  return text;
}

}  // namespace tensim::program
