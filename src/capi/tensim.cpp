// The C interface over device::Device. Every function catches what is thrown below it: nothing crosses into C.
#include "tensim/tensim.h"

#include <algorithm>
#include <exception>
#include <memory>
#include <new>
#include <optional>
#include <string>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "capi/boundary.hpp"
#include "capi/outcomes.hpp"
#include "device/device.hpp"
#include "report/device_faults.hpp"
#include "report/outcome_json.hpp"
#include "tile/tile_control.hpp"

using namespace tensim;

struct tensim_device {
  explicit tensim_device(Arch arch) : device(arch) {}
  device::Device device;
  std::string error;
  std::string json;
};

struct tensim_snapshot {
  device::Device device;
};

namespace {

using capi::core_of;
using device::Coordinates;

tensim_status fail(tensim_device& handle, tensim_status status, std::string text) {
  handle.error = std::move(text);
  return status;
}

/// TENSIM_OK, or the faults that have come up since the last call.
tensim_status faults_of(tensim_device& handle, tensim_status otherwise = TENSIM_OK) {
  const auto faults = handle.device.take_faults();
  if (faults.empty()) return otherwise;
  handle.error.clear();
  for (const device::Fault& fault : faults)
    handle.error += fmt::format("{}{}: {}", handle.error.empty() ? "" : "\n", name(fault.kind), report::text_of(fault));
  return TENSIM_FAULT;
}

/// Runs `what` on the device and turns what is thrown into a status.
template <class What>
tensim_status with(tensim_device* handle, What what) {
  if (handle == nullptr) return TENSIM_BAD_ARGUMENT;
  try {
    return what(*handle);
  } catch (const std::bad_alloc&) {
    handle->error.clear();  // no words: they would need memory too
    return TENSIM_OUT_OF_MEMORY;
  } catch (const std::exception& error) {
    return fail(*handle, TENSIM_INTERNAL_ERROR, error.what());
  }
}

tensim_status no_tensix(tensim_device& handle, Coordinates tile) {
  return fail(handle, TENSIM_BAD_ARGUMENT, fmt::format("{},{} is not a Tensix tile", tile.x, tile.y));
}

bool is_tensix(const device::Device& device, Coordinates tile) {
  const auto raw = device.plan().tile(tile);
  return raw && device.plan().has_tensix(*raw);
}

/// The outcome of a tile that nobody has touched yet is that of a new one.
explain::Outcome outcome_of(device::Device& device, Coordinates tile) {
  if (auto outcome = device.outcome(tile)) return std::move(*outcome);
  explain::Outcome outcome;
  outcome.cycles = outcome.ended_at = device.now();
  return outcome;
}

}  // namespace

extern "C" {

TENSIM_EXPORT tensim_status tensim_create(tensim_arch arch, tensim_device** device) {
  if (device == nullptr) return TENSIM_BAD_ARGUMENT;
  *device = nullptr;
  const auto chip = capi::arch_of(arch);
  if (!chip) return TENSIM_BAD_ARGUMENT;
  try {
    *device = new tensim_device(*chip);
  } catch (const std::exception&) {
    return TENSIM_OUT_OF_MEMORY;
  }
  return TENSIM_OK;
}

TENSIM_EXPORT void tensim_destroy(tensim_device* device) {
  delete device;
}

TENSIM_EXPORT const char* tensim_error(const tensim_device* device) {
  return device == nullptr ? "there is no device" : device->error.c_str();
}

TENSIM_EXPORT tensim_status tensim_set_on_fault(tensim_device* device, tensim_on_fault what) {
  return with(device, [&](tensim_device& handle) {
    if (what != TENSIM_STOP && what != TENSIM_CONTINUE)
      return fail(handle, TENSIM_BAD_ARGUMENT, "expected TENSIM_STOP or TENSIM_CONTINUE");
    handle.device.set_on_fault(what == TENSIM_STOP ? device::OnFault::stop : device::OnFault::go_on);
    return TENSIM_OK;
  });
}

TENSIM_EXPORT uint64_t tensim_cycle(const tensim_device* device) {
  return device == nullptr ? 0 : device->device.now();
}

TENSIM_EXPORT int tensim_is_stopped(const tensim_device* device) {
  return device != nullptr && device->device.is_stopped() ? 1 : 0;
}

// ---- memory and registers ----

TENSIM_EXPORT tensim_status tensim_read(tensim_device* device, uint32_t x, uint32_t y, uint64_t address, void* to,
                                        size_t bytes) {
  return with(device, [&](tensim_device& handle) {
    if (bytes == 0) return TENSIM_OK;
    if (to == nullptr) return fail(handle, TENSIM_BAD_ARGUMENT, "nowhere to read to");
    handle.device.read({x, y}, address, {static_cast<std::uint8_t*>(to), bytes});
    return faults_of(handle);
  });
}

TENSIM_EXPORT tensim_status tensim_write(tensim_device* device, uint32_t x, uint32_t y, uint64_t address,
                                         const void* from, size_t bytes) {
  return with(device, [&](tensim_device& handle) {
    if (bytes == 0) return TENSIM_OK;
    if (from == nullptr) return fail(handle, TENSIM_BAD_ARGUMENT, "nothing to write");
    handle.device.write({x, y}, address, {static_cast<const std::uint8_t*>(from), bytes});
    return faults_of(handle);
  });
}

TENSIM_EXPORT tensim_status tensim_multicast(tensim_device* device, uint32_t start_x, uint32_t start_y, uint32_t end_x,
                                             uint32_t end_y, uint64_t address, const void* from, size_t bytes) {
  return with(device, [&](tensim_device& handle) {
    if (bytes == 0) return TENSIM_OK;
    if (from == nullptr) return fail(handle, TENSIM_BAD_ARGUMENT, "nothing to write");
    handle.device.multicast({.start = {start_x, start_y}, .end = {end_x, end_y}}, address,
                            {static_cast<const std::uint8_t*>(from), bytes});
    return faults_of(handle);
  });
}

// ---- programs ----

TENSIM_EXPORT tensim_status tensim_load_elf(tensim_device* device, uint32_t x, uint32_t y, tensim_core core,
                                            const void* elf, size_t bytes, const char* name, uint32_t* entry) {
  return with(device, [&](tensim_device& handle) {
    const auto id = core_of(core);
    if (!id || elf == nullptr) return fail(handle, TENSIM_BAD_ARGUMENT, "expected a core and a program");
    if (!is_tensix(handle.device, {x, y})) return no_tensix(handle, {x, y});
    auto image =
        program::read_elf_image({static_cast<const std::uint8_t*>(elf), bytes}, name == nullptr ? "ELF" : name);
    if (auto* problem = std::get_if<std::string>(&image)) return fail(handle, TENSIM_BAD_ELF, std::move(*problem));
    const std::uint32_t start = std::get<program::Image>(image).entry;
    if (auto problem = handle.device.load({x, y}, *id, std::move(std::get<program::Image>(image))))
      return fail(handle, TENSIM_BAD_ELF, std::move(*problem));
    if (entry != nullptr) *entry = start;
    return faults_of(handle);
  });
}

TENSIM_EXPORT tensim_status tensim_release(tensim_device* device, uint32_t x, uint32_t y, tensim_core core,
                                           uint32_t pc) {
  return with(device, [&](tensim_device& handle) {
    const auto id = core_of(core);
    if (!id) return fail(handle, TENSIM_BAD_ARGUMENT, "expected a core");
    if (!handle.device.release({x, y}, *id, pc)) return no_tensix(handle, {x, y});
    return faults_of(handle);
  });
}

TENSIM_EXPORT tensim_status tensim_hold(tensim_device* device, uint32_t x, uint32_t y, tensim_core core) {
  return with(device, [&](tensim_device& handle) {
    const auto id = core_of(core);
    if (!id) return fail(handle, TENSIM_BAD_ARGUMENT, "expected a core");
    if (!is_tensix(handle.device, {x, y})) return no_tensix(handle, {x, y});
    std::uint32_t held = 0;
    const std::span word(reinterpret_cast<std::uint8_t*>(&held), sizeof held);
    handle.device.read({x, y}, tile::TileControl::soft_reset_address, word);
    held |= tile::reset_bit(*id);
    handle.device.write({x, y}, tile::TileControl::soft_reset_address, word);
    return faults_of(handle);
  });
}

// ---- time ----

TENSIM_EXPORT tensim_status tensim_run(tensim_device* device, uint64_t cycles) {
  return with(device, [&](tensim_device& handle) {
    if (handle.device.is_stopped()) return fail(handle, TENSIM_FAULT, "a fault has stopped the device");
    handle.device.clock(cycles);
    handle.device.settle();
    return faults_of(handle);
  });
}

TENSIM_EXPORT tensim_status tensim_run_until_word(tensim_device* device, uint32_t x, uint32_t y, uint32_t address,
                                                  uint32_t value, uint64_t budget) {
  return with(device, [&](tensim_device& handle) {
    if (!is_tensix(handle.device, {x, y})) return no_tensix(handle, {x, y});
    const auto end = handle.device.run_until_word({x, y}, address, value, budget);
    const tensim_status status = faults_of(handle, end.met ? TENSIM_OK : TENSIM_NOT_REACHED);
    if (status == TENSIM_NOT_REACHED)
      handle.error =
          fmt::format("word {:#x} of tile {},{} is not {:#x} after {} cycles", address, x, y, value, end.cycles);
    return status;
  });
}

TENSIM_EXPORT tensim_status tensim_run_until_idle(tensim_device* device, uint64_t budget) {
  return with(device, [&](tensim_device& handle) {
    const bool is_idle = handle.device.run_until_idle(budget);
    const tensim_status status = faults_of(handle, is_idle ? TENSIM_OK : TENSIM_NOT_REACHED);
    if (status == TENSIM_NOT_REACHED) handle.error = fmt::format("some tile is still busy after {} cycles", budget);
    return status;
  });
}

// ---- what has happened ----

TENSIM_EXPORT tensim_status tensim_outcome_of(tensim_device* device, uint32_t x, uint32_t y, tensim_outcome* outcome) {
  return with(device, [&](tensim_device& handle) {
    if (outcome == nullptr) return fail(handle, TENSIM_BAD_ARGUMENT, "nowhere to put the outcome");
    if (!is_tensix(handle.device, {x, y})) return no_tensix(handle, {x, y});
    *outcome = capi::outcome_of_tile(outcome_of(handle.device, {x, y}).kind);
    return faults_of(handle);
  });
}

TENSIM_EXPORT tensim_status tensim_outcome_json(tensim_device* device, uint32_t x, uint32_t y, const char** json) {
  return with(device, [&](tensim_device& handle) {
    if (json == nullptr) return fail(handle, TENSIM_BAD_ARGUMENT, "nowhere to put the text");
    if (!is_tensix(handle.device, {x, y})) return no_tensix(handle, {x, y});
    const explain::Outcome outcome = outcome_of(handle.device, {x, y});
    const report::TileNames names{
        .programs = [&](noc::Coordinates tile) -> const scenario::Scenario& { return handle.device.programs(tile); }};
    const auto document = report::outcome_json(handle.device.programs({x, y}), outcome, names);
    handle.json = document.dump(2, ' ', false, nlohmann::json::error_handler_t::replace);
    *json = handle.json.c_str();
    return faults_of(handle);
  });
}

// ---- snapshots ----

TENSIM_EXPORT tensim_status tensim_take_snapshot(tensim_device* device, tensim_snapshot** snapshot) {
  return with(device, [&](tensim_device& handle) {
    if (snapshot == nullptr) return fail(handle, TENSIM_BAD_ARGUMENT, "nowhere to put the snapshot");
    *snapshot = nullptr;
    *snapshot = new tensim_snapshot{handle.device};
    return TENSIM_OK;
  });
}

TENSIM_EXPORT tensim_status tensim_restore(tensim_device* device, const tensim_snapshot* snapshot) {
  return with(device, [&](tensim_device& handle) {
    if (snapshot == nullptr) return fail(handle, TENSIM_BAD_ARGUMENT, "expected a snapshot");
    if (snapshot->device.arch() != handle.device.arch())
      return fail(handle, TENSIM_BAD_ARGUMENT, "the snapshot is of another chip");
    handle.device = snapshot->device;
    return TENSIM_OK;
  });
}

TENSIM_EXPORT void tensim_free_snapshot(tensim_snapshot* snapshot) {
  delete snapshot;
}

}  // extern "C"
