// The library that host software loads, driven as host software drives it.
#include <array>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "arch/timing.hpp"
#include "reference/riscv_words.hpp"
#include "tests/library/client.hpp"
#include "tests/places.hpp"
#include "tests/support/command.hpp"

namespace tensim::test {
namespace {

using namespace tensim::literals;

namespace rv = reference::rv;
using reference::Coordinates;

constexpr std::uint32_t soft_reset = 0xFFB121B0;
constexpr std::uint32_t all_held = 0x47800;
constexpr std::uint32_t brisc_free = all_held & ~0x800U;
constexpr std::uint32_t result = 0x20000;
constexpr std::uint32_t niu_register = 0xFFB20300;  // one that is not modelled

std::string ours(Arch arch) {
  return std::string(TENSIM_LIBRARIES) + "/" + std::string(name(arch)) + "/libtensim.so";
}
std::string fake(Arch arch) {
  return std::string(TENSIM_FAKE_REFERENCES) + "/" + std::string(name(arch)) + ".so";
}

/// Adds 1000 to the word at 0x20004 and puts it to 0x20000.
constexpr std::array program{rv::lui(rv::a0, result >> 12U), rv::lw(rv::a1, rv::a0, 4), rv::addi(rv::a1, rv::a1, 1000),
                             rv::sw(rv::a1, rv::a0, 0), rv::jal(rv::zero, 0)};

void load(Client& client, Coordinates tile, std::uint32_t input) {
  client.write_word(tile, soft_reset, all_held);
  client.write(tile, 0, program.data(), sizeof program);
  client.write_word(tile, result, 0);
  client.write_word(tile, result + 4, input);
  client.write_word(tile, soft_reset, brisc_free);
}

struct Loaded {
  std::string file;
  Arch arch;
};
class SameClient : public testing::TestWithParam<Loaded> {};
INSTANTIATE_TEST_SUITE_P(Libraries, SameClient,
                         testing::Values(Loaded{fake(Arch::wormhole), Arch::wormhole},
                                         Loaded{fake(Arch::blackhole), Arch::blackhole},
                                         Loaded{ours(Arch::wormhole), Arch::wormhole},
                                         Loaded{ours(Arch::blackhole), Arch::blackhole}));

TEST_P(SameClient, LoadsAProgramRunsItAndReadsItsResultTwice) {
  Client client(GetParam().file, GetParam().arch);
  for (const std::uint32_t input : {5U, 7U}) {
    client.start();
    load(client, client.map().first_tensix, input);
    EXPECT_TRUE(client.wait_for(client.map().first_tensix, result, input + 1000));
    client.calls.exit();
  }
}

class Library : public testing::TestWithParam<Arch> {
 protected:
  /// Translated, or the same on both NoCs.
  std::vector<Coordinates> some_tiles() const {
    return GetParam() == Arch::wormhole ? std::vector<Coordinates>{{18, 18}, {25, 27}, {22, 20}, {3, 4}}
                                        : std::vector<Coordinates>{{1, 2}, {16, 11}, {10, 5}, {7, 7}};
  }
};
INSTANTIATE_TEST_SUITE_P(Archs, Library, testing::ValuesIn(all_archs),
                         [](const auto& chip) { return std::string(name(chip.param)); });

TEST_P(Library, TilesRunAProgramEachThroughOneWindow) {
  Client client(ours(GetParam()), GetParam());
  client.start();
  std::uint32_t input = 1;
  for (const Coordinates tile : some_tiles())
    load(client, tile, input++);
  input = 1;
  for (const Coordinates tile : some_tiles())
    EXPECT_TRUE(client.wait_for(tile, result, 1000 + input++));
  client.calls.exit();
}

TEST_P(Library, ShowsTheInterfaceAndNothingElse) {
  const std::string command = "nm -D --defined-only " + ours(GetParam());
  std::FILE* pipe = popen(command.c_str(), "r");
  ASSERT_NE(pipe, nullptr);
  std::set<std::string> found;
  std::array<char, 512> line{};
  while (std::fgets(line.data(), line.size(), pipe) != nullptr) {
    std::istringstream words(line.data());
    std::string address;
    std::string kind;
    std::string symbol;
    words >> address >> kind >> symbol;
    EXPECT_NE(kind, "u") << symbol << " is unique in the process and would keep the library in it";
    found.insert(symbol);
  }
  ASSERT_EQ(pclose(pipe), 0);
  const std::set<std::string> expected{"libttsim_init",
                                       "libttsim_exit",
                                       "libttsim_clock",
                                       "libttsim_pci_config_rd32",
                                       "libttsim_pci_config_wr32",
                                       "libttsim_pci_mem_rd_bytes",
                                       "libttsim_pci_mem_wr_bytes",
                                       "libttsim_tile_rd_bytes",
                                       "libttsim_tile_wr_bytes",
                                       "libttsim_set_pci_dma_mem_callbacks"};
  EXPECT_EQ(found, expected);
}

bool is_mapped(const std::string& file) {
  std::ifstream maps("/proc/self/maps");
  std::string line;
  while (std::getline(maps, line))
    if (line.find(file) != std::string::npos) return true;
  return false;
}

TEST_P(Library, GoesWhenItIsClosedAndComesBackAsNew) {
  const Coordinates tile = some_tiles().front();
  for (int round = 0; round < 3; ++round) {
    {
      Client client(ours(GetParam()), GetParam());
      client.start();
      EXPECT_EQ(client.read_word(tile, 0x100), 0U);
      client.write_word(tile, 0x100, 1);
      EXPECT_EQ(client.read_word(tile, 0x100), 1U);
      EXPECT_TRUE(is_mapped(ours(GetParam())));
      if (round != 1) client.calls.exit();  // some forget
    }
    EXPECT_FALSE(is_mapped(ours(GetParam())));
  }
}

TEST_P(Library, MultiChipInterfaceIsNotPromised) {
  Client client(ours(GetParam()), GetParam());
  EXPECT_EQ(client.symbol("libttsim_create_device_by_id"), nullptr);
  EXPECT_EQ(client.symbol("libttsim_select_device_by_id"), nullptr);
}

TEST_P(Library, DescriptionOfTheChipLiesBesideIt) {
  std::ifstream file(std::string(TENSIM_LIBRARIES) + "/" + std::string(name(GetParam())) + "/soc_descriptor.yaml");
  std::stringstream text;
  text << file.rdbuf();
  EXPECT_TRUE(contains(text.str(), GetParam() == Arch::wormhole ? "arch_name: WORMHOLE_B0" : "arch_name: BLACKHOLE"));
  EXPECT_TRUE(contains(text.str(), "dram_views:"));
}

TEST_P(Library, CallsInTheWrongOrderAreSurvived) {
  Client client(ours(GetParam()), GetParam());
  testing::internal::CaptureStderr();
  client.calls.clock(5);
  EXPECT_EQ(client.calls.config_read(0, 0), 0xFFFFFFFFU);
  client.calls.exit();
  client.start();
  client.calls.init();
  client.calls.exit();
  const std::string said = testing::internal::GetCapturedStderr();
  EXPECT_TRUE(contains(said, "libttsim_clock before libttsim_init")) << said;
  EXPECT_TRUE(contains(said, "the device is there already")) << said;
}

/// An environment variable for the length of a test.
class Variable {
 public:
  Variable(const char* name, const std::string& value) : name_(name) { setenv(name, value.c_str(), 1); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;
  ~Variable() { unsetenv(name_); }

 private:
  const char* name_;
};

TEST(LibraryPlan, IsChosenByTheEnvironment) {
  const Variable plan("TENSIM_FLOOR_PLAN", "n300");  // rows 3 and 11 are off
  Client client(ours(Arch::wormhole), Arch::wormhole);
  client.start();
  client.write_word({18, 20}, result, 7);
  EXPECT_EQ(client.read_word({1, 4}, result), 7U);
  testing::internal::CaptureStderr();
  EXPECT_EQ(client.read_word({1, 3}, result), 0xFFFFFFFFU);
  const std::string said = testing::internal::GetCapturedStderr();
  EXPECT_TRUE(contains(said, "it is off (harvested)")) << said;
  client.calls.exit();
}

TEST(LibraryPlan, ThatIsWrongIsSaidAndEveryTileWorks) {
  for (const auto& [plan, why] : {std::pair("n400", "no product is called n400"), {"p150", "another chip"}}) {
    const Variable variable("TENSIM_FLOOR_PLAN", plan);
    Client client(ours(Arch::wormhole), Arch::wormhole);
    testing::internal::CaptureStderr();
    client.start();
    const std::string said = testing::internal::GetCapturedStderr();
    EXPECT_TRUE(contains(said, why)) << said;
    client.write_word({1, 3}, result, 7);
    EXPECT_EQ(client.read_word({18, 20}, result), 7U);
    client.calls.exit();
  }
}

TEST_P(Library, FaultIsPrintedAndStopsTheDevice) {
  Client client(ours(GetParam()), GetParam());
  client.start();
  const Coordinates tile = some_tiles().front();
  testing::internal::CaptureStderr();
  EXPECT_EQ(client.read_word(tile, niu_register), 0xFFFFFFFFU);
  const std::string said = testing::internal::GetCapturedStderr();
  EXPECT_TRUE(contains(said, "the host reads from 0xffb20300, NoC 0 NIU: not modelled yet")) << said;
  EXPECT_TRUE(contains(said, "the device has stopped")) << said;
  client.calls.exit();
}

TEST_P(Library, FaultsCanBeGoneOver) {
  const Variable go_on("TENSIM_ON_FAULT", "continue");
  Client client(ours(GetParam()), GetParam());
  client.start();
  testing::internal::CaptureStderr();
  client.read_word(some_tiles()[1], niu_register);
  EXPECT_FALSE(contains(testing::internal::GetCapturedStderr(), "has stopped"));
  load(client, some_tiles().front(), 3);
  EXPECT_TRUE(client.wait_for(some_tiles().front(), result, 1003));
  client.calls.exit();
}

TEST_P(Library, FaultAbortsIfAsked) {
  const Variable aborts("TENSIM_ON_FAULT", "abort");
  const auto faulty = [&] {
    Client client(ours(GetParam()), GetParam());
    client.start();
    client.read_word(some_tiles().front(), niu_register);
  };
  EXPECT_DEATH(faulty(), "not modelled yet");
}

TEST_P(Library, BatchMakesAPollWorthMoreCycles) {
  const Variable batch("TENSIM_CLOCK_BATCH", "1000");
  const Variable latency("TENSIM_READ_CYCLES", "0");
  Client client(ours(GetParam()), GetParam());
  client.start();
  constexpr std::uint32_t wall_clock = 0xFFB121F0;
  EXPECT_EQ(client.read_word(some_tiles().front(), wall_clock), 0U);
  EXPECT_EQ(client.read_word(some_tiles().front(), wall_clock), 1000U);
  client.calls.clock(5000);
  EXPECT_EQ(client.read_word(some_tiles().front(), wall_clock), 7000U);
  client.calls.exit();
}

TEST_P(Library, ThreadsAreThereOnlyIfTheyAreAskedFor) {
  const auto threads = [] { return std::distance(std::filesystem::directory_iterator("/proc/self/task"), {}); };
  const auto before = threads();
  for (const char* const asked : {"", "3", "many"}) {
    const Variable variable("TENSIM_THREADS", asked);
    Client client(ours(GetParam()), GetParam());
    testing::internal::CaptureStderr();
    client.start();
    for (unsigned i = 0; i < some_tiles().size(); ++i)
      load(client, some_tiles()[i], i);
    for (unsigned i = 0; i < some_tiles().size(); ++i)
      EXPECT_TRUE(client.wait_for(some_tiles()[i], result, 1000 + i));
    const std::string said = testing::internal::GetCapturedStderr();
    EXPECT_EQ(contains(said, "TENSIM_THREADS=many: expected a number up to 256, or auto; 1 it is"),
              std::string_view(asked) == "many")
        << said;
    EXPECT_TRUE(std::string_view(asked) == "3" || threads() == before);
    client.calls.exit();
    EXPECT_EQ(threads(), before) << "they are gone with the device";
  }
}

TEST_P(Library, ReadTakesAMicrosecond) {
  Client client(ours(GetParam()), GetParam());
  client.start();
  constexpr std::uint32_t wall_clock = 0xFFB121F0;
  const auto latency = Timing(GetParam()).whole<std::uint32_t>("pcie_read_latency"_cycles);
  EXPECT_EQ(client.read_word(some_tiles().front(), wall_clock), latency);
  client.calls.exit();
}

TEST_P(Library, ReadTakesAsMuchTimeAsItIsAsked) {
  const Variable latency("TENSIM_READ_CYCLES", "300");
  Client client(ours(GetParam()), GetParam());
  client.start();
  load(client, some_tiles().front(), 6);
  EXPECT_EQ(client.read_word(some_tiles().front(), result), 1006U) << "no poll, no clock before it";
  client.calls.exit();
}

/// The host's memory, as the library asks for it.
std::array<std::uint8_t, 64> host_bytes;
void read_host(std::uint64_t address, void* to, std::uint32_t bytes) {
  std::memcpy(to, host_bytes.data() + address, bytes);
}
void write_host(std::uint64_t address, const void* from, std::uint32_t bytes) {
  std::memcpy(host_bytes.data() + address, from, bytes);
}

TEST_P(Library, PcieTileLeadsBackToTheHost) {
  Client client(ours(GetParam()), GetParam());
  client.calls.set_dma_callbacks(read_host, write_host);
  client.calls.init();
  const Coordinates pcie = GetParam() == Arch::wormhole ? Coordinates{0, 3} : Coordinates{2, 0};
  const std::uint64_t base = GetParam() == Arch::wormhole ? 0x8'0000'0000 : std::uint64_t{4} << 58U;
  host_bytes = {};
  host_bytes[8] = 77;
  std::uint32_t word = 0;
  client.calls.tile_read(pcie.x, pcie.y, base + 8, &word, sizeof word);
  EXPECT_EQ(word, 77U);
  word = 0x55;
  client.calls.tile_write(pcie.x, pcie.y, base + 16, &word, sizeof word);
  EXPECT_EQ(host_bytes[16], 0x55);
  client.calls.exit();
}

TEST_P(Library, WhatItRecordsCanBeReplayed) {
  const TemporaryFile recording("library_recording");
  {
    const Variable record("TENSIM_RECORD", recording.path());
    Client client(ours(GetParam()), GetParam());
    client.start();
    std::uint32_t input = 1;
    for (const Coordinates tile : some_tiles())
      load(client, tile, input++);
    EXPECT_TRUE(client.wait_for(some_tiles().back(), result, 1000 + input - 1));
    client.calls.exit();
  }
  std::ifstream file(recording.path());
  std::stringstream text;
  text << file.rdbuf();
  EXPECT_TRUE(contains(text.str(), "release ")) << text.str();
  const Outcome replayed = run("replay " + recording.path());
  EXPECT_EQ(replayed.exit_code, 0) << replayed.output << text.str();
  // The last reply is 1004: a recording that says 1005 is not what happens.
  std::string altered = text.str();
  const std::size_t reply = altered.rfind(" ec030000");
  ASSERT_NE(reply, std::string::npos) << altered;
  altered[reply + 2] = 'd';
  const TemporaryFile wrong("library_recording_altered", altered);
  const Outcome differs = run("replay " + wrong.path());
  EXPECT_EQ(differs.exit_code, 1) << differs.output;
  EXPECT_TRUE(contains(differs.output, "is 0xec, not 0xed")) << differs.output;
}

TEST(ReplayCommand, BadInputNamesTheLine) {
  const TemporaryFile file("bad_replay", "tensim-replay 1\narch bh\n@5 write 1,2 0x0 0g\n");
  const Outcome outcome = run("replay " + file.path());
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_TRUE(contains(outcome.output, "line 3: expected bytes")) << outcome.output;
}

}  // namespace
}  // namespace tensim::test
