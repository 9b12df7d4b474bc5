// The device as a library with the C interface of libttsim, for host software that loads such a library: docs/library.md.
// One device per library that is loaded; the chip is fixed when it is built (TENSIM_LIBRARY_ARCH). Nothing here ends the
// process unless TENSIM_ON_FAULT=abort asks for it, and no exception leaves a function.
#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <new>
#include <span>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "arch/timing.hpp"
#include "device/device.hpp"
#include "device/pcie.hpp"
#include "device/replay.hpp"
#include "noc/floor_plan.hpp"
#include "report/device_faults.hpp"

#define TENSIM_EXPORT extern "C" __attribute__((visibility("default")))

namespace {

using namespace tensim;
using namespace tensim::literals;

constexpr Arch library_arch = Arch::TENSIM_LIBRARY_ARCH;

enum class OnFault : std::uint8_t { stop, go_on, abort };

void say(std::string_view text) {
  static_cast<void>(std::fwrite(text.data(), 1, text.size(), stderr));
  static_cast<void>(std::fflush(stderr));
}

std::string_view variable(const char* name) {
  const char* const value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): callers serialise
  return value == nullptr ? std::string_view() : value;
}

OnFault on_fault_asked_for() {
  const std::string_view text = variable("TENSIM_ON_FAULT");
  if (text == "continue") return OnFault::go_on;
  if (text == "abort") return OnFault::abort;
  if (!text.empty() && text != "stop")
    say(fmt::format("tensim: TENSIM_ON_FAULT={}: expected continue, stop or abort; stop it is\n", text));
  return OnFault::stop;
}

std::uint32_t cycles_asked_for(const char* name, std::uint32_t otherwise, std::uint32_t least) {
  const std::string_view text = variable(name);
  std::uint32_t cycles = otherwise;
  if (text.empty()) return cycles;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), cycles);
  if (error == std::errc() && end == text.data() + text.size() && cycles >= least) return cycles;
  say(fmt::format("tensim: {}={}: expected a number of cycles; {} it is\n", name, text, otherwise));
  return otherwise;
}

unsigned threads_asked_for() {
  const std::string_view text = variable("TENSIM_THREADS");
  if (text.empty()) return 1;
  if (const auto count = chip::read_threads(text)) return *count;
  say(fmt::format("tensim: TENSIM_THREADS={}: expected a number up to 256, or auto; 1 it is\n", text));
  return 1;
}

noc::FloorPlan plan_asked_for() {
  const std::string_view text = variable("TENSIM_FLOOR_PLAN");
  if (text.empty()) return noc::FloorPlan(library_arch);
  noc::ReadPlan read = noc::read_floor_plan(text);
  if (read.plan && read.plan->arch() == library_arch) return *read.plan;
  say(fmt::format("tensim: TENSIM_FLOOR_PLAN={}: {}; it is a chip of which every tile works\n", text,
                  read.plan ? "another chip" : read.error));
  return noc::FloorPlan(library_arch);
}

device::HostMemory host_memory;  // clients give it before there is a device, and not again

/// From libttsim_init to libttsim_exit.
class Session {
 public:
  Session()
      : on_fault_(on_fault_asked_for()),
        batch_(cycles_asked_for("TENSIM_CLOCK_BATCH", 1, 1)),
        read_cycles_(cycles_asked_for("TENSIM_READ_CYCLES",
                                      Timing(library_arch).whole<std::uint32_t>("pcie_read_latency"_cycles), 0)),
        device_(plan_asked_for(), on_fault_ == OnFault::go_on ? device::OnFault::go_on : device::OnFault::stop),
        pcie_(device_) {
    pcie_.set_host_memory(host_memory);
    device_.run_with_threads(threads_asked_for());
    const std::string file(variable("TENSIM_RECORD"));
    if (file.empty()) return;
    file_.open(file, std::ios::binary);
    if (!file_) {
      say(fmt::format("tensim: TENSIM_RECORD: cannot write '{}'\n", file));
      return;
    }
    recorder_ = std::make_unique<device::TextRecorder>(file_, device_.plan());
    device_.recorder = recorder_.get();
  }

  device::Device& device() { return device_; }
  device::Pcie& pcie() { return pcie_; }

  void clock(std::uint32_t cycles) { device_.clock(std::max(cycles, batch_)); }
  /// A read is on its way.
  void wait_for_read() {
    if (read_cycles_ != 0) device_.clock(read_cycles_);
  }

  void tell_faults() {
    for (const device::Fault& fault : device_.take_faults()) {
      say(fmt::format("tensim: {}, {}: {}\n", name(library_arch), name(fault.kind), report::text_of(fault)));
      if (on_fault_ == OnFault::abort) {
        file_.flush();
        std::abort();
      }
      if (on_fault_ == OnFault::stop) say("tensim: the device has stopped (TENSIM_ON_FAULT=continue goes on)\n");
    }
  }

 private:
  OnFault on_fault_;
  std::uint32_t batch_;
  std::uint32_t read_cycles_;
  device::Device device_;
  device::Pcie pcie_;
  std::ofstream file_;
  std::unique_ptr<device::TextRecorder> recorder_;
};

std::unique_ptr<Session> session;  // goes with the library if its host forgets libttsim_exit
unsigned clients = 0;              // that have called libttsim_init, and share the device

/// Runs `what` on the session; says so if there is none, or if the host's memory is used up.
template <class What>
void with_session(const char* function, What what) {
  if (session == nullptr) return say(fmt::format("tensim: {} before libttsim_init\n", function));
  try {
    what(*session);
    if (session->device().has_faults()) session->tell_faults();
  } catch (const std::exception& error) {
    say(fmt::format("tensim: {}: {}\n", function, error.what()));
  }
}

}  // namespace

TENSIM_EXPORT void libttsim_init() {
  if (session != nullptr) {
    ++clients;
    return say("tensim: libttsim_init: the device is there already\n");
  }
  try {
    session = std::make_unique<Session>();
    clients = 1;
  } catch (const std::exception& error) {
    say(fmt::format("tensim: libttsim_init: {}\n", error.what()));
  }
}

TENSIM_EXPORT void libttsim_exit() {
  with_session("libttsim_exit", [](Session& here) { here.device().settle(); });
  if (clients == 0) return;
  --clients;
  if (clients == 0) session.reset();  // clusters of one process share the device: the last one ends it
}

TENSIM_EXPORT void libttsim_clock(std::uint32_t clocks) {
  with_session("libttsim_clock", [&](Session& here) { here.clock(clocks); });
}

TENSIM_EXPORT std::uint32_t libttsim_pci_config_rd32(std::uint32_t bus_device_function, std::uint32_t offset) {
  std::uint32_t value = UINT32_MAX;
  with_session("libttsim_pci_config_rd32",
               [&](Session& here) { value = here.pcie().read_config(bus_device_function, offset); });
  return value;
}

TENSIM_EXPORT void libttsim_pci_config_wr32(std::uint32_t bus_device_function, std::uint32_t offset,
                                            std::uint32_t /*data*/) {
  with_session("libttsim_pci_config_wr32",
               [&](Session& here) { here.pcie().write_config(bus_device_function, offset); });
}

TENSIM_EXPORT void libttsim_pci_mem_rd_bytes(std::uint64_t address, void* to, std::uint32_t bytes) {
  with_session("libttsim_pci_mem_rd_bytes", [&](Session& here) {
    here.wait_for_read();
    here.pcie().read(address, {static_cast<std::uint8_t*>(to), bytes});
  });
}

TENSIM_EXPORT void libttsim_pci_mem_wr_bytes(std::uint64_t address, const void* from, std::uint32_t bytes) {
  with_session("libttsim_pci_mem_wr_bytes",
               [&](Session& here) { here.pcie().write(address, {static_cast<const std::uint8_t*>(from), bytes}); });
}

TENSIM_EXPORT void libttsim_tile_rd_bytes(std::uint32_t x, std::uint32_t y, std::uint64_t address, void* to,
                                          std::uint32_t bytes) {
  with_session("libttsim_tile_rd_bytes", [&](Session& here) {
    here.wait_for_read();
    here.device().read({x, y}, address, {static_cast<std::uint8_t*>(to), bytes});
  });
}

TENSIM_EXPORT void libttsim_tile_wr_bytes(std::uint32_t x, std::uint32_t y, std::uint64_t address, const void* from,
                                          std::uint32_t bytes) {
  with_session("libttsim_tile_wr_bytes", [&](Session& here) {
    here.device().write({x, y}, address, {static_cast<const std::uint8_t*>(from), bytes});
  });
}

TENSIM_EXPORT void libttsim_set_pci_dma_mem_callbacks(void (*read)(std::uint64_t, void*, std::uint32_t),
                                                      void (*write)(std::uint64_t, const void*, std::uint32_t)) {
  host_memory = {.read = read, .write = write};
  if (session != nullptr) session->pcie().set_host_memory(host_memory);
}
