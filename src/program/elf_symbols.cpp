#include "program/elf_symbols.hpp"

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <utility>

#include <cxxabi.h>
#include <elf.h>

#include "program/byte_cursor.hpp"
#include "text/printable.hpp"

namespace tensim::program {
namespace {

constexpr std::size_t max_name = 1024;
constexpr std::size_t max_names_total = 16U << 20;
constexpr std::size_t max_symbols = 1U << 18;

/// A substitution names what stands before it, which may hold substitutions: each can multiply the text.
constexpr std::ptrdiff_t max_substitutions = 20;

struct FreeDeleter {
  void operator()(char* text) const { std::free(text); }
};

/// S, T with a number and an underscore: S_, S1A_, T0_.
std::ptrdiff_t substitutions(std::string_view name) {
  std::ptrdiff_t count = 0;
  for (std::size_t at = 0; at < name.size(); ++at) {
    if (name[at] != 'S' && name[at] != 'T') continue;
    const std::size_t end = name.find_first_not_of("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ", at + 1);
    if (end != std::string_view::npos && name[end] == '_') ++count;
  }
  return count;
}

bool may_be_demangled(std::string_view name) {
  return name.substr(0, 2) == "_Z" && substitutions(name) <= max_substitutions;
}

std::string demangled(const std::string& name) {
  if (!may_be_demangled(name)) return name;
  int status = 0;
  const std::unique_ptr<char, FreeDeleter> source(abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status));
  return status == 0 && source ? text::printable(source.get()) : name;
}

bool is_code(const ElfFile& file, std::size_t section) {
  return section < file.sections.size() && (file.sections[section].flags & SHF_EXECINSTR) != 0;
}

Symbol::Kind kind_of(const ElfFile& file, unsigned type, std::size_t section) {
  if (type == STT_FUNC) return Symbol::Kind::function;
  if (type == STT_OBJECT) return Symbol::Kind::data;
  // Labels of assembly, _start for one.
  return type == STT_NOTYPE && is_code(file, section) ? Symbol::Kind::function : Symbol::Kind::other;
}

/// Functions by address.
std::vector<std::uint32_t> function_order(const std::vector<Symbol>& symbols) {
  std::vector<std::uint32_t> order;
  for (std::uint32_t i = 0; i < symbols.size(); ++i)
    if (symbols[i].kind == Symbol::Kind::function) order.push_back(i);
  std::sort(order.begin(), order.end(), [&](std::uint32_t left, std::uint32_t right) {
    return std::pair(symbols[left].address, left) < std::pair(symbols[right].address, right);
  });
  return order;
}

/// A label within a function does not divide it.
void ignore_labels_within_functions(std::vector<Symbol>& symbols) {
  std::uint64_t sized_until = 0;
  for (const std::uint32_t i : function_order(symbols)) {
    Symbol& symbol = symbols[i];
    sized_until = std::max(sized_until, std::uint64_t{symbol.address} + symbol.size);
    if (symbol.size == 0 && symbol.address < sized_until) symbol.kind = Symbol::Kind::other;
  }
}

/// Assembly often says where a function begins, but not its size.
void give_sizes(const ElfFile& file, std::vector<Symbol>& symbols, const std::vector<std::uint16_t>& sections) {
  const std::vector<std::uint32_t> order = function_order(symbols);
  std::uint64_t next = std::uint64_t{1} << 32;  // where the next function begins
  std::uint32_t previous = 0;
  for (auto at = order.rbegin(); at != order.rend(); ++at) {
    Symbol& symbol = symbols[*at];
    if (at != order.rbegin() && symbol.address != previous) next = previous;
    previous = symbol.address;
    if (symbol.size != 0 || !is_code(file, sections[*at])) continue;
    const ElfSection& section = file.sections[sections[*at]];
    const std::uint64_t end = std::min(next, std::uint64_t{section.address} + section.size);
    if (end > symbol.address) symbol.size = static_cast<std::uint32_t>(end - symbol.address);
  }
}

}  // namespace

std::vector<Symbol> read_symbols(const ElfFile& file, std::vector<std::string>& notes) {
  const auto table = std::find_if(file.sections.begin(), file.sections.end(),
                                  [](const ElfSection& section) { return section.type == SHT_SYMTAB; });
  if (table == file.sections.end() || table->link >= file.sections.size()) return {};
  std::vector<Symbol> symbols;
  std::vector<std::uint16_t> sections;
  std::size_t names_total = 0;
  ByteCursor cursor(table->bytes);
  while (cursor.remaining() >= sizeof(Elf32_Sym) && symbols.size() < max_symbols && names_total < max_names_total) {
    const std::string name = text::printable(string_at(file.sections[table->link].bytes, cursor.u32(), max_name));
    const std::uint32_t address = cursor.u32();
    const std::uint32_t size = cursor.u32();
    const std::uint8_t info = cursor.u8();
    cursor.u8();  // visibility
    const std::uint16_t section = cursor.u16();
    const unsigned type = ELF32_ST_TYPE(info);
    if (type > STT_FUNC || section == SHN_UNDEF) continue;
    // Not names: mapping symbols ($x) and the assembler's own labels (.L3).
    if (name.empty() || name[0] == '$' || name[0] == '.') continue;
    symbols.push_back(
        {demangled(name), name, address, size, kind_of(file, type, section), ELF32_ST_BIND(info) != STB_LOCAL});
    sections.push_back(section);
    names_total += symbols.back().name.size() + name.size();
  }
  if (cursor.remaining() >= sizeof(Elf32_Sym)) notes.emplace_back("too many symbols: some are missing");
  ignore_labels_within_functions(symbols);
  give_sizes(file, symbols, sections);
  return symbols;
}

}  // namespace tensim::program
