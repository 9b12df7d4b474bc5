// What happens in a tile, for whoever wants to know: a trace, a race check, a profile. Agents of a tile may be run ahead of
// each other; what they do is noted with its place in the tile's order (time/order.hpp) and told in that order.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <utility>
#include <variant>
#include <vector>

#include "event/access.hpp"
#include "event/core_stall.hpp"
#include "event/stall.hpp"
#include "time/order.hpp"

namespace tensim::event {

/// What somebody wants to hear of: bits of a mask.
enum Wanted : std::uint8_t {
  wants_gates = 1U << 0,        // Issued, without accesses, and Held
  wants_order = 1U << 1,        // Issued with what it accesses, and all that says what comes before what
  wants_last_issues = 1U << 2,  // of each thread, at least the last Issued of a stretch, without accesses
  wants_time = 1U << 3,         // where cycles go: Issued and Held, WaitOver, Left, and CoreSpans
  wants_causes = 1U << 4,       // what makes others go on: all that wants_order brings, but not what units access
};

// ---- threads and units ----

/// An instruction of `thread` passed its Wait Gate. With wants_order, Event::accesses says what it reads and writes.
struct Issued {
  std::uint8_t thread = 0;
  std::uint8_t pusher = 0;  // 0: its own T core, or a script; 1: BRISC
  std::uint8_t push = 0;    // the word or MOP that it comes from is number `push` (modulo 64) of those that were pushed
  std::uint32_t word = 0;
  std::uint32_t origin = 0;
};
/// None did, in that cycle and the `count - 1` after it, for this reason. `word` stood at the gate, unless it was empty.
struct Held {
  std::uint8_t thread = 0;
  std::uint8_t pusher = 0;  // this and the next: as in Issued
  std::uint8_t push = 0;
  Stall stall = Stall::empty;
  std::uint32_t word = 0;
  std::uint32_t origin = 0;
  std::uint64_t count = 1;
};
/// The latched wait of the thread is dropped: none of its conditions holds any more. Comes before all that is issued in the cycle.
struct WaitOver {
  std::uint8_t thread = 0;
};
/// An operation that was accepted in `accepted` has left its unit (tensix::Occupancy); what it did is there.
struct Left {
  std::uint8_t unit = 0;
  std::uint8_t thread = 0;
  time::Cycle accepted = 0;
};
/// The unpacker is done with an instruction that writes a Src bank, or hands one over; the accesses are those of Src rows and
/// of the format that goes with them. SETDVALID, which no unpacker executes, is one for each file it names.
struct BankFilled {
  std::uint8_t unpacker = 0;
  std::uint8_t thread = 0;
  std::uint8_t bank = 0;
  bool hands_over = false;
  bool waited = true;  // for the bank to come back
  time::Cycle accepted = 0;
};
/// The Matrix Unit has given banks back, with the instruction that it accepted in `accepted`.
struct BanksReturned {
  std::uint8_t thread = 0;
  std::uint8_t banks = 0;  // bits: 0 SrcA bank 0, 1 SrcA bank 1, 2 SrcB bank 0, 3 SrcB bank 1
  time::Cycle accepted = 0;
};
/// Words of configuration have been written, by whomever.
struct ConfigWritten {
  std::uint8_t banks = 0;  // bits
  std::uint8_t count = 1;
  std::uint16_t first = 0;
  std::array<std::uint32_t, 4> values = {};
};
/// A core's store to the window on semaphores has landed.
struct SemaphoreStored {
  std::uint8_t core = 0;
  std::uint8_t semaphore = 0;
  bool decrements = false;
};

// ---- cores ----
//
// What a core does to memory that is not its own. Its Stored, Loaded, Used, Updated and Fenced come in its program order, but
// for a Loaded of a device that answers late: that one comes when the answer does. Landed comes in the order in which its
// stores leave the store queue. Of local RAM, which nobody else sees in time, nothing is told.
//
// A core that goes round a loop in which nothing changes may be told of with fewer rounds than it makes (riscv/spin.hpp). What is
// left out are rounds, and perhaps the beginning of one more, that are the same, event by event, as the one told before them.
// The load that sees a change is always told, once, in its cycle and in its place.

/// A core's store leaves the instruction stream; it is under way from now on. Words that a T core pushes to its own thread
/// come as one event where they are fused: `count` of them, the first with this pc and value, the others behind it. They have
/// no Landed. A script's words for a thread are told as its T core's.
struct Stored {
  std::uint8_t core = 0;
  std::uint8_t bytes = 4;  // of each
  std::uint8_t count = 1;
  std::uint32_t pc = 0;
  std::uint32_t address = 0;
  std::uint32_t value = 0;
  std::array<std::uint32_t, 3> others = {};  // of fused words, behind the first

  std::uint32_t word(unsigned i) const { return i == 0 ? value : others[i - 1]; }
};
/// Stores have been processed. Of L1: bytes of the block of 16 at `address` are there now, those of `mask`; they are of the
/// oldest `count` stores to L1 that were still under way, the first of which was at `pc`. Of anything else: the oldest such store
/// to the region has been taken by whoever is there.
struct Landed {
  std::uint8_t core = 0;
  std::uint8_t count = 1;
  std::uint16_t mask = 0;  // 0: not L1
  std::uint32_t pc = 0;
  std::uint32_t address = 0;
  std::uint32_t value = 0;  // not of L1
};
/// A core's load has been answered: from L1, or, without L1 being asked, from the L0 data cache, or by a device.
struct Loaded {
  std::uint8_t core = 0;
  std::uint8_t bytes = 4;
  std::uint8_t to = 0;  // the register: 0-31 x, 32-63 f
  std::uint32_t pc = 0;
  std::uint32_t address = 0;
  std::uint32_t value = 0;  // as it is in memory, without its sign
  bool is_late = false;     // the device did not answer when it was asked first
};
/// The instruction at `pc` is the first to need what a Loaded or an Updated has put into the register: what the core does from now
/// on comes after that load. Not told of a register that is overwritten before.
struct Used {
  std::uint8_t core = 0;
  std::uint8_t reg = 0;
  std::uint32_t pc = 0;
};
/// An atomic instruction of a core on a word of L1, at once, after a Fenced.
struct Updated {
  std::uint8_t core = 0;
  std::uint8_t to = 0;
  std::uint32_t pc = 0;
  std::uint32_t address = 0;
  std::uint32_t found = 0;
  std::uint32_t left = 0;
};
/// The core has waited until its store queue was empty and its loads were back: Blackhole's `fence`, an atomic, or any access while
/// the core is told to keep order.
struct Fenced {
  std::uint8_t core = 0;
};
/// Cores of the mask are let go.
struct Released {
  static constexpr std::uint8_t scalar_unit = 5;
  static constexpr std::uint8_t outside = 7;  // the host, or somebody on the NoC
  std::uint8_t by = outside;                  // a core's number, or one of those
  std::uint8_t cores = 0;
};

// ---- others ----

/// What an instruction touches that is not known when it passes its gate: the accesses say. The Scalar Unit reads the GPRs
/// that name an address a cycle later; how much a compressing packer writes shows at its end; an unpacker that writes a
/// register may stand in its queue for long.
struct Touched {
  enum class By : std::uint8_t { scalar_unit, packer, unpacker };
  By by = By::scalar_unit;
  std::uint8_t thread = 0;
  std::uint8_t unit = 0;     // which packer or unpacker
  time::Cycle accepted = 0;  // the cycle in which the instruction passed its gate; 0 if there was none
};
/// Done in the name of somebody, and over: by the mover for a thread's XMOV, by TDMA-RISC for a command of a core, or by
/// the Scalar Unit for a thread's instruction that loads or stores a register outside the coprocessor. The accesses are those
/// of L1 and configuration; what the Scalar Unit reached is at `address`, as BRISC sees it.
struct Moved {
  enum class By : std::uint8_t { mover, tdma, scalar_unit };
  By by = By::mover;
  std::uint8_t who = 0;  // the thread; of tdma: the core, or Released::scalar_unit
  bool is_store = true;  // this and the following: of the Scalar Unit
  std::uint32_t address = 0;
  std::uint32_t value = 0;
};

// ---- where the cycles of cores go ----

/// Cycles of a core, one behind another: those of all its spans are all its cycles, up to where it sleeps for good. One that
/// begins before the end of the last ends that: the core was put into reset while it waited. They are no events: they are told by themselves, those of each core in order, before the events of the same stretch.
struct CoreSpan {
  enum class Kind : std::uint8_t {
    executed,  // `count` instructions entered, a cycle each: the one at `pc` and those behind it
    held,      // for `count` cycles none did; the instruction at `pc` was next, or had just been executed
    rounds,    // the `count` rounds that were left out are each as the `spans` behind this one, which tell of the first
  };
  time::Cycle from = 0;
  std::uint64_t count = 0;
  std::uint32_t pc = 0;
  std::uint16_t spans = 0;
  std::uint8_t core = 0;
  Kind kind = Kind::executed;
  CoreStall stall = CoreStall::none;
};

using What = std::variant<Issued, Held, WaitOver, Left, BankFilled, BanksReturned, ConfigWritten, SemaphoreStored,
                          Stored, Landed, Loaded, Used, Updated, Fenced, Released, Touched, Moved>;

struct Event {
  time::Key when = 0;
  What what;
  std::span<const Access> accesses = {};

  time::Cycle cycle() const { return time::cycle_of(when); }
};

class Listener {
 public:
  explicit Listener(std::uint8_t wanted) : wanted_(wanted) {}
  Listener(const Listener&) = default;
  Listener& operator=(const Listener&) = default;
  virtual ~Listener() = default;

  std::uint8_t wanted() const { return wanted_; }
  /// In the tile's order, each once, some time after it has happened.
  virtual void happened(const Event& event) = 0;
  /// With wants_time.
  virtual void passed(std::span<const CoreSpan> spans) { static_cast<void>(spans); }

 private:
  std::uint8_t wanted_;
};

/// Tells several.
class Listeners : public Listener {
 public:
  explicit Listeners(std::vector<Listener*> all) : Listener(wanted_by(all)), all_(std::move(all)) {}
  void happened(const Event& event) override {
    for (Listener* const each : all_)
      each->happened(event);
  }
  void passed(std::span<const CoreSpan> spans) override {
    for (Listener* const each : all_)
      each->passed(spans);
  }

 private:
  static std::uint8_t wanted_by(const std::vector<Listener*>& all) {
    unsigned wanted = 0;
    for (const Listener* const each : all)
      wanted |= each->wanted();
    return static_cast<std::uint8_t>(wanted);
  }
  std::vector<Listener*> all_;
};

}  // namespace tensim::event
