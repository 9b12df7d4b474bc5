#include "isa/table.hpp"

#include <algorithm>
#include <string>
#include <unordered_map>
#include <vector>

#include "isa/names.hpp"

namespace tensim::isa {
namespace {

// ---- Proofs. A row that breaks one of these does not compile. ----

constexpr bool fields_are_disjoint(const Form& form) {
  Word seen = form.select_mask;
  for (const Field& field : form.fields) {
    if (field.high < field.low || field.high >= parameter_bits || (seen & field.mask()) != 0) return false;
    seen |= field.mask();
  }
  return (form.select_value & ~form.select_mask) == 0 && (form.select_mask & ~parameter_mask) == 0;
}

constexpr bool operands_are_disjoint(const Form& form) {
  Word seen = 0;
  for (const Operand& operand : form.operands) {
    const Word body = ((Word{1} << operand.width) - 1U) << operand.low;
    if (operand.width == 0 || operand.low + operand.width > parameter_bits || (seen & body) != 0) return false;
    seen |= body;
  }
  return true;
}

constexpr bool field_names_are_unique(const Form& form) {
  for (std::size_t i = 0; i < form.fields.size(); ++i)
    for (std::size_t j = i + 1; j < form.fields.size(); ++j)
      if (is_same_name(form.fields[i].name, form.fields[j].name)) return false;
  return true;
}

/// In name=value a field's name goes before an operand's. So a field may bear the name of an operand only if the
/// operand holds nothing else: otherwise part of the operand would be out of reach.
constexpr bool fields_hide_no_operand(const Form& form) {
  for (const Field& field : form.fields)
    for (const Operand& operand : form.operands)
      if (is_same_name(field.name, operand.name) &&
          (field.low != operand.low || (operand.mask() & form.used_mask()) != field.mask()))
        return false;
  return true;
}

constexpr bool is_complete(const Form& form) {
  return !form.name.empty() && !form.summary.empty() && !form.source.empty() && !form.archs.empty();
}

constexpr bool overlap(ArchSet a, ArchSet b) {
  return std::ranges::any_of(all_archs, [&](Arch arch) { return a.contains(arch) && b.contains(arch); });
}

/// Rows share an opcode on one architecture only as forms of one instruction that no word matches both of.
constexpr bool may_share_an_opcode(const Form& a, const Form& b) {
  if (a.name != b.name) return false;
  if (!overlap(a.archs, b.archs)) return true;
  const Word both = a.select_mask & b.select_mask;
  return a.form != b.form && (a.select_value & both) != (b.select_value & both);
}

template <class Predicate>
constexpr bool every_form(Predicate predicate) {
  for (const UnitTable& unit : unit_tables)
    for (const Form& form : unit.forms)
      if (!predicate(form)) return false;
  return true;
}

constexpr bool every_row_is_in_its_unit() {
  for (const UnitTable& unit : unit_tables)
    for (const Form& form : unit.forms)
      if (form.unit != unit.unit) return false;
  return true;
}

template <class Predicate>
constexpr bool every_pair(Predicate predicate) {
  return every_form([&](const Form& a) {
    for (const UnitTable& unit : unit_tables)
      for (const Form& b : unit.forms) {
        if (&a == &b) return true;  // the rest are pairs with a row not seen yet
        if (!predicate(a, b)) return false;
      }
    return true;
  });
}

constexpr bool opcodes_are_unique() {
  return every_pair([](const Form& a, const Form& b) { return a.opcode != b.opcode || may_share_an_opcode(a, b); });
}

/// The spellings of one name have one key (FNV-1a). Two names with the same key would only fail to compile.
constexpr std::uint64_t name_key(std::string_view name) {
  std::uint64_t key = 0xCBF29CE484222325;
  for (const char c : name)
    if (c != '_') key = (key ^ static_cast<unsigned char>(upper(c))) * 0x100000001B3;
  return key;
}

/// One name, one opcode, however it is spelt. By opcode, as comparing all rows is more than clang evaluates.
constexpr std::array keys_by_opcode = [] {
  std::array<std::uint64_t, 256> keys{};
  for (const UnitTable& unit : unit_tables)
    for (const Form& form : unit.forms)
      keys[form.opcode] = name_key(form.name);
  return keys;
}();
constexpr bool names_are_unique() {
  for (std::size_t a = 0; a < keys_by_opcode.size(); ++a)
    for (std::size_t b = a + 1; b < keys_by_opcode.size(); ++b)
      if (keys_by_opcode[a] != 0 && keys_by_opcode[a] == keys_by_opcode[b]) return false;
  return true;
}

/// Operands belong to the opcode: the vendor's syntax is read and printed before a form is known.
constexpr bool forms_share_their_operands() {
  return every_pair([](const Form& a, const Form& b) {
    return a.opcode != b.opcode || !overlap(a.archs, b.archs) || std::ranges::equal(a.operands, b.operands);
  });
}

static_assert(every_form(is_complete));
static_assert(every_form(fields_are_disjoint));
static_assert(every_form(operands_are_disjoint));
static_assert(every_form(field_names_are_unique));
static_assert(every_form(fields_hide_no_operand));
static_assert(every_row_is_in_its_unit());
static_assert(opcodes_are_unique());
static_assert(names_are_unique());
static_assert(forms_share_their_operands());

// ---- Look-up, built once from the rows. ----

struct Index {
  std::array<std::vector<const Form*>, 256> by_opcode;
  std::unordered_map<std::string, std::uint8_t> by_name;

  explicit Index(Arch arch) {
    for (const UnitTable& unit : unit_tables)
      for (const Form& form : unit.forms)
        if (form.archs.contains(arch)) {
          by_opcode[form.opcode].push_back(&form);
          by_name.emplace(normalised(form.name), form.opcode);
        }
  }
};

const Index& index_of(Arch arch) {
  static const Index wormhole{Arch::wormhole};
  static const Index blackhole{Arch::blackhole};
  return *on(arch, &wormhole, &blackhole);
}

}  // namespace

std::span<const Form* const> forms_of(Arch arch, std::uint8_t opcode) {
  return index_of(arch).by_opcode[opcode];
}

std::span<const Form* const> find_instruction(Arch arch, std::string_view name) {
  const Index& index = index_of(arch);
  const std::string key = normalised(name);
  auto found = index.by_name.find(key);
  if (found == index.by_name.end() && key.starts_with("TT")) found = index.by_name.find(key.substr(2));
  if (found == index.by_name.end()) return {};
  return index.by_opcode[found->second];
}

std::size_t instruction_count(Arch arch) {
  return index_of(arch).by_name.size();
}

std::string vendor_mnemonic(const Form& form) {
  std::string mnemonic = form.unit == Unit::vector ? "" : "tt";
  for (const char c : form.name)
    if (c != '_') mnemonic.push_back(lower(c));
  return mnemonic;
}

}  // namespace tensim::isa
