// Any configuration under the units that move data: the bytes write fields and words of configuration, counters and L1,
// and push unpackers', Matrix Unit's and packers' instructions. Each ends, or stops the run by name, and touches nothing
// outside L1 and the registers.
#include <cstdlib>
#include <cstring>
#include <vector>

#include "arch/config_registers.hpp"
#include "isa/table.hpp"
#include "report/data_issues.hpp"
#include "tensix/coprocessor.hpp"
#include "tensix/footprint.hpp"

using namespace tensim;
using namespace tensim::isa::literals;
using tensix::Coprocessor;

namespace {

constexpr std::size_t l1_bytes = 0x10000;  // less than addresses can name, so that many miss it
constexpr unsigned most_cycles = 200'000;  // of one instruction; an unpacker fetches 65,536 words at most
constexpr unsigned most_steps = 64;

/// Instructions that read or write L1, Src or Dst, or what says where.
constexpr std::array opcodes{
    "UNPACR"_op,    "UNPACR"_op,  "UNPACR_NOP"_op, "PACR"_op,      "PACR"_op,    "PACR_SETREG"_op,
    "MVMUL"_op,     "ELWADD"_op,  "ELWSUB"_op,     "ELWMUL"_op,    "GAPOOL"_op,  "GMPOOL"_op,
    "DOTPV"_op,     "MOVA2D"_op,  "MOVB2D"_op,     "MOVD2A"_op,    "MOVD2B"_op,  "MOVB2A"_op,
    "MOVDBGA2D"_op, "SHIFTXA"_op, "SHIFTXB"_op,    "TRNSPSRCB"_op, "ZEROACC"_op, "ZEROSRC"_op,
    "SETRWC"_op,    "SETADC"_op,  "SETADCXX"_op,   "SETDMAREG"_op, "SETC16"_op,  "INCADCXY"_op,
};

class Bytes {
 public:
  Bytes(const std::uint8_t* data, std::size_t size) : data_(data), left_(size) {}
  bool empty() const { return left_ == 0; }
  template <class T>
  T take() {
    T value{};
    const std::size_t bytes = std::min(left_, sizeof value);
    std::memcpy(&value, data_, bytes);
    data_ += bytes;
    left_ -= bytes;
    return value;
  }

 private:
  const std::uint8_t* data_;
  std::size_t left_;
};

void set(std::uint32_t& word, const ConfigField::Place& place, std::uint32_t value) {
  word = (word & ~(place.mask() << place.shift)) | (value & place.mask()) << place.shift;
}

/// One of all fields, by its number.
const ConfigField& field_at(std::span<const std::span<const ConfigField>> families, std::size_t number) {
  std::size_t count = 0;
  for (const auto family : families)
    count += family.size();
  number %= count;
  for (const auto family : families) {
    if (number < family.size()) return family[number];
    number -= family.size();
  }
  return families.front().front();
}

class Run {
 public:
  Run(Arch arch, Bytes bytes) : coprocessor_(arch), l1_(l1_bytes), bytes_(bytes) { coprocessor_.memory.l1 = l1_; }

  void all() {
    for (unsigned step = 0; step < most_steps && !bytes_.empty() && !coprocessor_.fault; ++step)
      one();
  }

 private:
  void one() {
    const auto what = bytes_.take<std::uint8_t>();
    switch (what % 8) {
      case 0: return set_field();
      case 1: return set_thread_field();
      case 2: return set_word();
      case 3: return set_counter();
      case 4: return fill_l1();
      default: return instruct(what / 8U % 3);
    }
  }

  void set_field() {
    const ConfigField& field = field_at(config_fields(), bytes_.take<std::uint16_t>());
    const auto value = bytes_.take<std::uint32_t>();
    if (const auto& place = field.on(coprocessor_.arch); place.exists())
      set(coprocessor_.config.bank[0][static_cast<std::size_t>(place.word)], place, value);
  }

  void set_thread_field() {
    const ConfigField& field = field_at(thread_config_fields(), bytes_.take<std::uint16_t>());
    const auto thread = bytes_.take<std::uint8_t>() % tensix::thread_count;
    std::uint32_t word = 0;
    const auto& place = field.on(coprocessor_.arch);
    if (!place.exists()) return;
    std::uint16_t& target = coprocessor_.config.thread[thread][static_cast<std::size_t>(place.word)];
    word = target;
    set(word, place, bytes_.take<std::uint16_t>());
    target = static_cast<std::uint16_t>(word);
  }

  void set_word() {
    const auto word = bytes_.take<std::uint8_t>() % tensix::config_words(coprocessor_.arch);
    coprocessor_.config.bank[bytes_.take<std::uint8_t>() % 2][word] = bytes_.take<std::uint32_t>();
  }

  void set_counter() {
    const auto which = bytes_.take<std::uint8_t>();
    const auto value = bytes_.take<std::uint32_t>();
    auto& context = coprocessor_.adcs.context[which % tensix::thread_count];
    tensix::AdcSet& set = which / 4U % 3 == 2 ? context.packer : context.unpacker[which / 4U % 2];
    tensix::AdcChannel& channel = set.channel[which / 16U % 2];
    switch (which / 64U) {
      case 0: return channel.x.set(value);
      case 1: return channel.y.set(value);
      case 2: return channel.z.set(value);
      default: return channel.w.set(value);
    }
  }

  void fill_l1() {
    const std::size_t first = bytes_.take<std::uint16_t>();
    for (std::size_t i = first; i < l1_.size() && i < first + 256; i += 8) {
      const auto value = bytes_.take<std::uint64_t>();
      if (i + 8 <= l1_.size()) std::memcpy(&l1_[i], &value, sizeof value);
    }
  }

  void instruct(unsigned thread) {
    const isa::Word opcode = opcodes[bytes_.take<std::uint8_t>() % opcodes.size()];
    const isa::Word word = opcode << isa::parameter_bits | (bytes_.take<std::uint32_t>() & 0xFFFFFFU);
    // Neither side of Src waits for the other.
    const bool is_matrix = opcode < "UNPACR"_op && opcode != "PACR"_op;
    for (auto& file : coprocessor_.src.matrix_owns)
      file.fill(is_matrix);
    ask_footprint(thread, word);
    coprocessor_.push(thread, word, 0);
    for (unsigned i = 0; i < most_cycles && !coprocessor_.is_idle() && !coprocessor_.fault; ++i) {
      coprocessor_.step();
      coprocessor_.memory.changes.clear();
      const auto next = coprocessor_.next_event();
      if (!coprocessor_.changed() && next == tensix::never) break;
      if (!coprocessor_.changed() && next > coprocessor_.now) coprocessor_.skip_to(next);
    }
    if (coprocessor_.fault && coprocessor_.fault->category == tensix::Fault::Category::not_modelled &&
        coprocessor_.fault->issue != tensix::DataIssue::none && report::text_of(coprocessor_.fault->issue).empty())
      std::abort();
  }

  void ask_footprint(unsigned thread, isa::Word word) {
    const tensix::Operation& operation = coprocessor_.operation(word);
    if (operation.footprint == nullptr) return;
    tensix::Candidate candidate;
    candidate.entry.word = word;
    candidate.thread = thread;
    accesses_.clear();
    tensix::Footprint footprint(accesses_);
    operation.footprint(coprocessor_, candidate, footprint);
    for (const event::Access& access : accesses_)
      if (access.count == 0) std::abort();
  }

  Coprocessor coprocessor_;
  std::vector<std::uint8_t> l1_;
  std::vector<event::Access> accesses_;
  Bytes bytes_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  Run((data[0] & 1U) != 0 ? Arch::wormhole : Arch::blackhole, {data + 1, size - 1}).all();
  return 0;
}
