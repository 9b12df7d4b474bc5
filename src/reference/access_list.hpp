// What a T core is to do, one access after the other, as RISC-V code; and the small program on the core that calls it.
// Any tile can run it, a reference's or ours: the program polls a word of L1, calls the code whose address it finds
// there, and clears the word when the core's own thread has nothing in flight any more.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "arch/arch.hpp"
#include "isa/form.hpp"
#include "tensix/types.hpp"

namespace tensim::reference {

/// Where the programs and lists are in L1. The rest of it, from `free_base` on, belongs to whoever makes the lists.
struct GuestLayout {
  static constexpr std::uint32_t doorbells = 0x0F00;  // a word per thread, 16 bytes apart
  static constexpr std::uint32_t doorbell_stride = 16;
  static constexpr std::uint32_t flag = 0x0F40;  // for whoever makes the lists: threads that wait for each other
  static constexpr std::uint32_t list_base = 0x10000;
  static constexpr std::uint32_t free_base = 0x40000;

  static constexpr std::uint32_t doorbell(unsigned thread) { return doorbells + thread * doorbell_stride; }
};

class AccessList {
 public:
  /// The core stores the word.
  AccessList& store(std::uint32_t address, std::uint32_t value);
  /// The core loads a word and stores it at `to`, in L1.
  AccessList& load(std::uint32_t address, std::uint32_t to);
  /// The core waits until its thread has no instruction in flight (TTSync).
  AccessList& wait();
  /// The core waits until a word of L1 has this value.
  AccessList& wait_for_word(std::uint32_t address, std::uint32_t value, Arch arch);
  /// Pushes an instruction to the core's own thread: a .ttinsn, which a reference knows to hold back when queues are
  /// full.
  AccessList& push(isa::Word word);
  AccessList& push(std::span<const isa::Word> words);
  /// Backend configuration by the core: word `index` of bank 0.
  AccessList& config(std::uint32_t index, std::uint32_t value);
  AccessList& gpr(std::uint32_t index, std::uint32_t value);
  AccessList& mop(std::span<const isa::Word> words);

  bool empty() const { return code_.empty(); }
  void clear() { code_.clear(); }
  /// As it stands in L1.
  std::vector<std::uint32_t> words() const;

 private:
  std::vector<std::uint32_t> code_;
};

using AccessLists = std::array<AccessList, tensix::thread_count>;

/// Words for L1.
struct PlacedWords {
  std::uint32_t address = 0;
  std::vector<std::uint32_t> words;
  bool is_doorbell = false;
};
/// The lists that are not empty, one behind the other, and then the doorbells that start them; or what is wrong.
std::variant<std::vector<PlacedWords>, std::string> place_lists(const AccessLists& lists);

/// The program that calls lists; it stands where its core starts by default.
std::vector<std::uint32_t> guest_program(Arch arch, unsigned thread);

}  // namespace tensim::reference
