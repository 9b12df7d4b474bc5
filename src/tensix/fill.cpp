#include "tensix/fill.hpp"

#include <charconv>

#include "tensix/coprocessor.hpp"

namespace tensim::tensix {

std::uint64_t splitmix64(std::uint64_t& state) {
  state += 0x9E37'79B9'7F4A'7C15U;
  std::uint64_t mixed = state;
  mixed = (mixed ^ (mixed >> 30U)) * 0xBF58'476D'1CE4'E5B9U;
  mixed = (mixed ^ (mixed >> 27U)) * 0x94D0'49BB'1331'11EBU;
  return mixed ^ (mixed >> 31U);
}

std::optional<Fill> parse_fill(std::string_view text) {
  if (text == "zero") return Fill{};
  if (text == "ones") return Fill{Fill::Kind::ones, 0};
  constexpr std::string_view random = "random:";
  if (!text.starts_with(random)) return std::nullopt;
  std::string_view digits = text.substr(random.size());
  const bool hexadecimal = digits.starts_with("0x");
  if (hexadecimal) digits.remove_prefix(2);
  Fill parsed{Fill::Kind::random, 0};
  const auto [end, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), parsed.seed, hexadecimal ? 16 : 10);
  if (error != std::errc{} || end != digits.data() + digits.size()) return std::nullopt;
  return parsed;
}

namespace {

class Source {
 public:
  explicit Source(const Fill& with) : kind_(with.kind), state_(with.seed) {}

  std::uint32_t bits(unsigned width) {
    std::uint64_t all = 0;
    if (kind_ == Fill::Kind::ones) all = ~std::uint64_t{0};
    if (kind_ == Fill::Kind::random) all = splitmix64(state_);
    return static_cast<std::uint32_t>(all >> (64 - width));
  }

 private:
  Fill::Kind kind_;
  std::uint64_t state_;
};

void fill_config(BackendConfig& config, Arch arch, Source& source) {
  for (unsigned bank = 0; bank < config_bank_count; ++bank)
    for (unsigned word = 0; word < config_words(arch); ++word) {
      const bool is_global = word >= config_global_base(arch);
      config.bank[bank][word] = bank != 0 && is_global ? config.bank[0][word] : source.bits(32);
    }
  for (auto& words : config.thread)
    for (unsigned word = 0; word < thread_config_words(arch); ++word)
      words[word] = static_cast<std::uint16_t>(source.bits(16));
}

}  // namespace

void fill(Coprocessor& coprocessor, const Fill& with) {
  Source source(with);
  for (auto& regs : coprocessor.gprs.value)
    for (std::uint32_t& reg : regs)
      reg = source.bits(32);
  fill_config(coprocessor.config, coprocessor.arch, source);
  for (Frontend& frontend : coprocessor.frontends)
    for (Word& word : frontend.mop.config)
      word = source.bits(32);
  for (Frontend& frontend : coprocessor.frontends)
    for (unsigned slot = 0; slot < ReplayExpander::slots; ++slot)
      frontend.set_replay_slot(slot, source.bits(32));
  for (unsigned index = 0; index < coprocessor.sync.semaphores().size(); ++index) {
    const auto value = static_cast<std::uint8_t>(source.bits(4));
    const auto max = static_cast<std::uint8_t>(source.bits(4));
    coprocessor.sync.set_semaphore(index, {value, max});
  }
}

}  // namespace tensim::tensix
