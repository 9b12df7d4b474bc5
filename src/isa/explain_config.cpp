#include "isa/explain_config.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <tuple>

#include <fmt/format.h>

#include "arch/sizes.hpp"

namespace tensim::isa {
namespace {

using Space = ExplainedConfigField::Space;

constexpr std::uint32_t window = 0xFFEF0000;  // TENSIX_CFG_BASE
constexpr unsigned threads = 3;

std::uint32_t words(Arch arch, std::size_t row) {
  return static_cast<std::uint32_t>(size(arch, row));
}

bool is_thread_field(const ConfigField& field) {
  return std::ranges::any_of(thread_config_fields(), [&](std::span<const ConfigField> family) {
    return std::ranges::any_of(family, [&](const ConfigField& other) { return &other == &field; });
  });
}

Space space_of(Arch arch, const ConfigField& field) {
  if (is_thread_field(field)) return Space::thread;
  const auto word = static_cast<std::uint32_t>(field.on(arch).word);
  return word >= words(arch, "config_global_base_word"_size) ? Space::global : Space::banked;
}

std::vector<std::uint32_t> core_addresses(Arch arch, Space space, std::uint32_t word) {
  const std::uint32_t bank_bytes = 4 * words(arch, "config_words"_size);
  std::vector<std::uint32_t> addresses;
  if (space != Space::thread) {
    for (std::uint32_t bank = 0; bank < words(arch, "config_banks"_size); ++bank)
      addresses.push_back(window + bank * bank_bytes + 4 * word);
    return addresses;
  }
  for (std::uint32_t thread = 0; thread < threads; ++thread)
    addresses.push_back(window + words(arch, "thread_config_offset"_size) +
                        (thread * words(arch, "thread_config_words"_size) + word) *
                            words(arch, "thread_config_stride_bytes"_size));
  return addresses;
}

/// V, or V shifted to its place.
std::string shifted(int shift) {
  return shift == 0 ? "V" : shift > 0 ? fmt::format("V<<{}", shift) : fmt::format("V>>{}", -shift);
}

/// One RMWCIB for each byte that the field has a part in.
void add_rmwcibs(const ConfigField::Place& place, std::vector<std::string>& text) {
  for (int byte = place.shift / 8; byte <= (place.shift + place.width - 1) / 8; ++byte) {
    const std::uint32_t mask = (place.mask() << place.shift) >> (8 * byte) & 0xFFU;
    text.push_back(fmt::format("RMWCIB{} Mask={:#x}, NewValue={}, Index4={}", byte, mask,
                               shifted(static_cast<int>(place.shift) - 8 * byte), place.word));
  }
}

/// CFGSHIFTMASK and STREAMWRCFG.
constexpr bool has_config_shifts_and_streams(Arch arch) {
  return on(arch, false, true);
}

std::vector<std::string> writers(Arch arch, Space space, const ConfigField::Place& place) {
  if (space == Space::thread)
    return {fmt::format("SETC16 CfgIndex={}, NewValue={} (all 16 bits of the word)", place.word, shifted(place.shift))};
  std::vector<std::string> text;
  add_rmwcibs(place, text);
  text.push_back(fmt::format("WRCFG CfgIndex={}, InputReg=GPR (all 32 bits of the word)", place.word));
  const auto word = static_cast<std::uint32_t>(place.word);
  const std::uint32_t thcon = words(arch, "config_thcon_base_word"_size);
  if (word >= thcon && space == Space::banked)
    text.push_back(
        fmt::format("REG2FLOP.Configuration SizeSel=1, ThConCfgIndex={}, InputReg=GPR (all 32 bits)", word - thcon));
  if (has_config_shifts_and_streams(arch)) {
    text.push_back(fmt::format("CFGSHIFTMASK CfgIndex={} (a scratch register, shifted)", place.word));
    text.push_back(fmt::format("STREAMWRCFG CfgIndex={} (a stream's register)", place.word));
  }
  text.emplace_back("a store of B, T0, T1 or T2 to its address");
  return text;
}

std::vector<std::string> readers(Space space, const ConfigField::Place& place) {
  if (space == Space::thread) return {"a load of B, T0, T1 or T2 from its address"};
  return {fmt::format("RDCFG CfgIndex={}", place.word), "a load of B, T0, T1 or T2 from its address"};
}

/// BackendConfiguration.md, "Special cases".
constexpr bool config_gates_clocks(Arch arch) {
  return on(arch, true, false);
}

std::string effect_of_write(Arch arch, std::string_view field) {
  if (field.starts_with("STATE_RESET_EN")) return "clears the bank's words below the global ones (not by RMWCIB)";
  if (field.starts_with("PRNG_SEED")) return "seeds the PRNGs";
  if (field.starts_with("RISCV_IC_INVALIDATE")) return "invalidates instruction caches";
  if (field.starts_with("UNPACK_MISC_CFG_CfgContextCntReset")) return "resets the thread's context counters";
  if (config_gates_clocks(arch) && field.starts_with("CG_CTRL")) return "acts on the clock gates";
  return {};
}

std::string lower(std::string_view text) {
  std::string result(text);
  std::ranges::transform(result, result.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return result;
}

/// N of "prefix[N]", in lower case.
std::optional<int> index_of(std::string_view text, std::string_view prefix) {
  if (!text.starts_with(prefix) || !text.ends_with(']')) return {};
  text = text.substr(prefix.size(), text.size() - prefix.size() - 1);
  int index = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), index);
  if (text.empty() || error != std::errc{} || stop != text.data() + text.size()) return {};
  return index;
}

template <class Condition>
std::vector<ExplainedConfigField> fields_if(Arch arch, Condition condition) {
  std::vector<ExplainedConfigField> found;
  for (const auto families : {config_fields(), thread_config_fields()})
    for (const std::span<const ConfigField> family : families)
      for (const ConfigField& field : family)
        if (field.on(arch).exists() && condition(field)) found.push_back(*explain_config_field(arch, field));
  std::ranges::sort(found, {}, [](const ExplainedConfigField& explained) {
    return std::tuple(explained.space == Space::thread, explained.place.word, explained.place.shift,
                      std::string_view(explained.field->name));
  });
  return found;
}

}  // namespace

std::string_view name(ExplainedConfigField::Space space) {
  switch (space) {
    case Space::banked: return "Config, a value in each bank";
    case Space::global: return "Config, one value for both banks";
    case Space::thread: return "ThreadConfig, a value for each thread";
  }
  return {};
}

std::optional<ExplainedConfigField> explain_config_field(Arch arch, const ConfigField& field) {
  const ConfigField::Place& place = field.on(arch);
  if (!place.exists()) return {};
  const Space space = space_of(arch, field);
  return ExplainedConfigField{.field = &field,
                              .space = space,
                              .place = place,
                              .core_addresses = core_addresses(arch, space, static_cast<std::uint32_t>(place.word)),
                              .written_by = writers(arch, space, place),
                              .read_by = readers(space, place),
                              .at_once = effect_of_write(arch, field.name)};
}

std::vector<ExplainedConfigField> find_config_fields(Arch arch, std::string_view query) {
  const std::string wanted = lower(query);
  const auto of_thread = index_of(wanted, "threadconfig[");
  if (const auto word = of_thread ? of_thread : index_of(wanted, "config["))
    return fields_if(arch, [&](const ConfigField& field) {
      return field.on(arch).word == *word && is_thread_field(field) == of_thread.has_value();
    });
  // Shorter, and it would be half of the table.
  constexpr std::size_t least_letters = 3;
  if (wanted.size() < least_letters) return {};
  auto found = fields_if(arch, [&](const ConfigField& field) { return lower(field.name) == wanted; });
  if (!found.empty()) return found;
  return fields_if(arch, [&](const ConfigField& field) { return lower(field.name).find(wanted) != std::string::npos; });
}

}  // namespace tensim::isa
