// Fields of the backend configuration for `tensim explain`: where a field is on a chip, and what reads and writes it.
// Page: BackendConfiguration.md.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "arch/config_registers.hpp"

namespace tensim::isa {

struct ExplainedConfigField {
  enum class Space : std::uint8_t {
    banked,  // Config, a value in each of two banks; CFG_STATE_ID_StateID chooses a thread's
    global,  // Config, one value
    thread,  // ThreadConfig, a value per thread
  };

  const ConfigField* field = nullptr;
  Space space = Space::banked;
  ConfigField::Place place = {};
  std::vector<std::uint32_t> core_addresses = {};  // where cores find the word: per bank, or per thread (read only)
  std::vector<std::string> written_by = {};        // as the assembler takes them, V for the field's value
  std::vector<std::string> read_by = {};
  std::string at_once = {};  // what a write does beyond being stored
};

std::string_view name(ExplainedConfigField::Space space);

/// Nothing if the chip does not have the field.
std::optional<ExplainedConfigField> explain_config_field(Arch arch, const ConfigField& field);

/// The fields of one chip that a query means, in the order of their words: the field of that name, else those whose name
/// has it in them (letters of either case); "Config[64]" and "ThreadConfig[5]" are the fields of a word.
std::vector<ExplainedConfigField> find_config_fields(Arch arch, std::string_view query);

}  // namespace tensim::isa
