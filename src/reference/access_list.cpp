#include "reference/access_list.hpp"

#include <algorithm>
#include <bit>
#include <iterator>

#include <fmt/format.h>

#include "arch/config_registers.hpp"
#include "isa/decode.hpp"
#include "reference/riscv_words.hpp"

namespace tensim::reference {
namespace {

// The T cores' view (address_map.hpp has it with its sources).
constexpr std::uint32_t mop_config_base = 0xFFB80000;
constexpr std::uint32_t gpr_base = 0xFFE00000;
constexpr std::uint32_t instruction_buffer = 0xFFE40000;
constexpr std::uint32_t pc_buffer = 0xFFE80000;
constexpr std::uint32_t backend_config = 0xFFEF0000;
constexpr std::int32_t coprocessor_done_check = 4;  // TTSync.md

/// What lui loads so that a signed 12-bit offset reaches `value`, and that offset.
constexpr std::uint32_t upper(std::uint32_t value) {
  return (value + 0x800U) >> 12U;
}
constexpr std::int32_t lower(std::uint32_t value) {
  return static_cast<std::int32_t>(value << 20U) >> 20;
}

/// The store keeps the load behind the pushes before it; using the load's value holds the core.
constexpr std::array<rv::Word, 3> wait_code{rv::sw(rv::zero, rv::s1, coprocessor_done_check),
                                            rv::lw(rv::a3, rv::s1, coprocessor_done_check),
                                            rv::andi(rv::a3, rv::a3, 0)};

/// Blackhole's cores have a data cache that does not see others' stores; Wormhole's have none, and no fence.
constexpr rv::Word forget_cache(Arch arch) {
  return on<rv::Word>(arch, rv::nop, rv::fence);
}

}  // namespace

AccessList& AccessList::store(std::uint32_t address, std::uint32_t value) {
  code_.push_back(rv::lui(rv::a1, upper(address)));
  code_.push_back(rv::lui(rv::a2, upper(value)));
  code_.push_back(rv::addi(rv::a2, rv::a2, lower(value)));
  code_.push_back(rv::sw(rv::a2, rv::a1, lower(address)));
  return *this;
}

AccessList& AccessList::load(std::uint32_t address, std::uint32_t to) {
  code_.push_back(rv::lui(rv::a1, upper(address)));
  code_.push_back(rv::lw(rv::a2, rv::a1, lower(address)));
  code_.push_back(rv::lui(rv::a1, upper(to)));
  code_.push_back(rv::sw(rv::a2, rv::a1, lower(to)));
  return *this;
}

AccessList& AccessList::wait() {
  code_.insert(code_.end(), wait_code.begin(), wait_code.end());
  return *this;
}

AccessList& AccessList::wait_for_word(std::uint32_t address, std::uint32_t value, Arch arch) {
  code_.push_back(rv::lui(rv::a1, upper(address)));
  code_.push_back(rv::lui(rv::a2, upper(value)));
  code_.push_back(rv::addi(rv::a2, rv::a2, lower(value)));
  code_.push_back(forget_cache(arch));
  code_.push_back(rv::lw(rv::a3, rv::a1, lower(address)));
  code_.push_back(rv::bne(rv::a3, rv::a2, -8));
  return *this;
}

AccessList& AccessList::push(isa::Word word) {
  const std::optional<std::uint32_t> ttinsn = isa::ttinsn_of_word(word);
  if (!ttinsn) return store(instruction_buffer, word);
  code_.push_back(*ttinsn);
  return *this;
}

AccessList& AccessList::push(std::span<const isa::Word> words) {
  for (const isa::Word word : words)
    push(word);
  return *this;
}

AccessList& AccessList::config(std::uint32_t index, std::uint32_t value) {
  return store(backend_config + 4 * index, value);
}

AccessList& AccessList::gpr(std::uint32_t index, std::uint32_t value) {
  return store(gpr_base + 4 * index, value);
}

AccessList& AccessList::mop(std::span<const isa::Word> words) {
  std::uint32_t address = mop_config_base;
  for (const isa::Word word : words) {
    store(address, word);
    address += 4;
  }
  return *this;
}

std::vector<std::uint32_t> AccessList::words() const {
  std::vector<std::uint32_t> words = code_;
  words.push_back(rv::jalr(rv::zero, rv::ra, 0));
  return words;
}

std::variant<std::vector<PlacedWords>, std::string> place_lists(const AccessLists& lists) {
  std::vector<PlacedWords> placed;
  std::vector<PlacedWords> doorbells;
  std::uint32_t address = GuestLayout::list_base;
  for (unsigned thread = 0; thread < lists.size(); ++thread) {
    if (lists[thread].empty()) continue;
    std::vector<std::uint32_t> words = lists[thread].words();
    const std::size_t bytes = words.size() * sizeof words[0];
    if (bytes > GuestLayout::free_base - address)
      return fmt::format("the lists are longer than the {} bytes that there are for them",
                         GuestLayout::free_base - GuestLayout::list_base);
    doorbells.push_back({GuestLayout::doorbell(thread), {address}, true});
    placed.push_back({address, std::move(words)});
    address += static_cast<std::uint32_t>(bytes);
  }
  std::ranges::move(doorbells, std::back_inserter(placed));
  return placed;
}

std::vector<std::uint32_t> guest_program(Arch arch, unsigned thread) {
  using namespace rv;
  const std::uint32_t doorbell = GuestLayout::doorbell(thread);
  const auto cache_word = static_cast<std::uint32_t>("RISCV_IC_INVALIDATE_InvalidateAll"_config.on(arch).word);
  const std::uint32_t invalidate = backend_config + 4 * cache_word;
  const std::int32_t own_cache = 2 << thread;  // the bit after BRISC's
  constexpr int poll = 5;                      // where the loop's head is, counted in instructions
  constexpr auto from = [](int here, int there) { return 4 * (there - here); };
  return {
      lui(s0, upper(doorbell)),
      addi(s0, s0, lower(doorbell)),
      lui(s1, upper(pc_buffer)),
      lui(s2, upper(invalidate)),
      addi(s3, zero, own_cache),
      forget_cache(arch),  // poll
      lw(a0, s0, 0),
      beq(a0, zero, from(7, poll)),
      jalr(ra, a0, 0),
      wait_code[0],
      wait_code[1],
      wait_code[2],
      // The next list may stand where this one did.
      sw(s3, s2, lower(invalidate)),
      sw(zero, s0, 0),
      jal(zero, from(14, poll)),
  };
}

}  // namespace tensim::reference
