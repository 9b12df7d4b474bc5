// tensim run --gdb as its users meet it: with gdb, and with clients that behave badly. Nothing here waits for a fixed
// time; what hangs is ended by its time-out.
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <string>
#include <vector>

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "debug/packet.hpp"
#include "tests/places.hpp"
#include "tests/support/command.hpp"
#include "tests/support/riscv_words.hpp"

namespace {

using tensim::debug::framed;
using tensim::test::contains;
using tensim::test::Outcome;
using tensim::test::TemporaryFile;

constexpr int bad_input = 2;
constexpr int deadlock = 3;
const std::string gdb = "gdb-multiarch";

bool has_gdb() {
  return std::system((gdb + " --version >/dev/null 2>&1").c_str()) == 0;
}

std::string content_of(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

/// The command, waiting for its client.
class Server {
 public:
  explicit Server(const std::string& arguments, const std::string& port = "0") {
    const std::string command =
        "timeout 120 " TENSIM_COMMAND " run " + arguments + " --gdb " + port + " 2>&1 >" + output_.path();
    pipe_ = popen(command.c_str(), "r");
    std::array<char, 256> line{};
    if (std::fgets(line.data(), line.size(), pipe_) != nullptr) said_ = line.data();
    std::smatch match;
    if (std::regex_search(said_, match, std::regex("127\\.0\\.0\\.1:([0-9]+)"))) port_ = std::stoi(match[1]);
  }
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;
  ~Server() {
    if (pipe_ != nullptr) pclose(pipe_);
  }
  int port() const { return port_; }
  const std::string& said() const { return said_; }

  /// What it prints and how it ends, when it does.
  Outcome finish() {
    const int status = pclose(std::exchange(pipe_, nullptr));
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, content_of(output_.path())};
  }

 private:
  TemporaryFile output_{"tensim_gdb_output"};
  std::FILE* pipe_ = nullptr;
  std::string said_;
  int port_ = 0;
};

/// What gdb says to a script.
std::string run_gdb(const Server& server, const std::string& script) {
  const TemporaryFile file(
      "tensim_gdb_script",
      "set pagination off\nset confirm off\nset remotetimeout 60\nset architecture riscv:rv32\n" + script);
  const std::string with_port =
      std::regex_replace(content_of(file.path()), std::regex("PORT"), std::to_string(server.port()));
  std::ofstream(file.path(), std::ios::binary) << with_port;
  std::FILE* pipe = popen(("timeout 60 " + gdb + " -nx -batch -x " + file.path() + " 2>&1").c_str(), "r");
  std::string text;
  std::array<char, 4096> buffer{};
  while (const std::size_t got = std::fread(buffer.data(), 1, buffer.size(), pipe))
    text.append(buffer.data(), got);
  pclose(pipe);
  return text;
}

/// A client that is no gdb.
class Client {
 public:
  explicit Client(int port) : socket_(socket(AF_INET, SOCK_STREAM, 0)) {
    const timeval limit{.tv_sec = 60, .tv_usec = 0};
    setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    connected_ = connect(socket_, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0;
  }
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;
  ~Client() { hang_up(); }
  void hang_up() {
    if (socket_ >= 0) close(std::exchange(socket_, -1));
  }
  bool connected() const { return connected_; }
  void send(std::string_view bytes) const { ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL); }
  /// Reads until `text` has come, or nothing more does.
  std::string read_until(const std::string& text) const {
    std::string all;
    std::array<char, 4096> buffer{};
    while (!contains(all, text)) {
      const ssize_t got = recv(socket_, buffer.data(), buffer.size(), 0);
      if (got <= 0) break;
      all.append(buffer.data(), static_cast<std::size_t>(got));
    }
    return all;
  }

 private:
  int socket_;
  bool connected_ = false;
};

std::string programs(const std::string& example) {
  const std::string path = TENSIM_GUEST_EXAMPLES "/blackhole/" + example;
  std::string arguments = "--held trisc0 trisc1 trisc2";
  for (const std::string core : {"brisc", "trisc0", "trisc1", "trisc2"})
    arguments += " --" + core + " " + path + "/" + core + ".elf";
  return arguments;
}

std::string elf(const std::string& example, const std::string& core) {
  return TENSIM_GUEST_EXAMPLES "/blackhole/" + example + "/" + core + ".elf";
}

class Gdb : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!TENSIM_HAS_GUEST_COMPILER) GTEST_SKIP() << "no compiler for guests";
  }
};

TEST(GdbItself, IsThere) {
  ASSERT_TRUE(has_gdb()) << "gdb-multiarch is missing: make test installs it";
}

TEST_F(Gdb, DebugsTheHandshakeAndTheRunIsTheSame) {
  if (!has_gdb()) GTEST_SKIP() << "no gdb-multiarch";
  Server server(programs("handshake"));
  ASSERT_NE(server.port(), 0) << server.said();
  const std::string text =
      run_gdb(server, "file " + elf("handshake", "brisc") + "\nadd-symbol-file " + elf("handshake", "trisc0") + R"(
target remote 127.0.0.1:PORT
info threads
break *&'brisc.c'::main
continue
echo --- at main\n
info registers pc
stepi
echo --- stepped\n
x/i $pc
info threads
delete
break trisc0.c:9
continue
echo --- in unpack\n
bt
tbreak trisc0.c:13
continue
set $before = $pc
stepi
printf "pushed words: %d\n", ($pc - $before) / 4
monitor cycle
monitor threads
monitor semaphores
delete
watch shared.done[0]
continue
echo --- watched\n
printf "count: %d\n", shared.count[0]
monitor account
delete
thread 1
stepi
monitor explain
continue
)");
  EXPECT_TRUE(contains(text, "Thread 1 \"B\" (BRISC at _start")) << text;
  EXPECT_TRUE(contains(text, "Thread 2 \"T0\" (TRISC0 held in reset)")) << text;
  EXPECT_TRUE(contains(text, "Thread 1 \"B\" hit Breakpoint 1,")) << text;
  EXPECT_TRUE(std::regex_search(text, std::regex("--- at main\npc +0x[0-9a-f]+\t0x[0-9a-f]+ <main>"))) << text;
  EXPECT_TRUE(std::regex_search(text, std::regex("--- stepped\n=> 0x[0-9a-f]+ <main\\+4>:"))) << text;
  EXPECT_TRUE(contains(text, "Thread 2 \"T0\" hit Breakpoint 2, main () at")) << text;
  EXPECT_TRUE(contains(text, "trisc0.c:9")) << text;
  EXPECT_TRUE(contains(text, "semaphore 4 (PACK_DONE): Value 2, Max 2")) << text;
  EXPECT_TRUE(contains(text, "Thread 2 \"T0\" hit Hardware watchpoint 4: shared.done[0]")) << text;
  EXPECT_TRUE(contains(text, "Old value = 0\nNew value = 1")) << text;
  EXPECT_TRUE(contains(text, "pushed words: 3")) << text;  // what stands together enters together
  EXPECT_TRUE(contains(text, "count: 20")) << text;
  EXPECT_TRUE(contains(text, "cores may still push what threads wait for\nBRISC at")) << text;
  EXPECT_TRUE(contains(text, "exited normally")) << text;
  const Outcome plain = tensim::test::run("run " + programs("handshake"));
  const Outcome debugged = server.finish();
  EXPECT_EQ(debugged.exit_code, 0);
  EXPECT_EQ(debugged.output, plain.output);  // cycles, counts, accounts: all of it
  EXPECT_TRUE(contains(debugged.output, "finished after"));
}

TEST_F(Gdb, ExplainsADeadlockAndLeavesItsReport) {
  if (!has_gdb()) GTEST_SKIP() << "no gdb-multiarch";
  Server server(programs("broken"));
  const std::string text = run_gdb(server, "file " + elf("broken", "brisc") + "\ntarget remote 127.0.0.1:PORT\n" + R"(
continue
echo --- again\n
stepi
detach
)");
  EXPECT_TRUE(contains(text, "no SEMPOST or SEMINIT of semaphore 4 is left, queued or ahead in the cores' code"))
      << text;
  EXPECT_TRUE(contains(text, "received signal SIGSTOP")) << text;
  EXPECT_TRUE(contains(text.substr(text.find("--- again")), "received signal SIGSTOP")) << text;
  const Outcome plain = tensim::test::run("run " + programs("broken"));
  const Outcome debugged = server.finish();
  EXPECT_EQ(debugged.exit_code, deadlock);
  EXPECT_EQ(debugged.output, plain.output);
}

TEST_F(Gdb, ADetachedRunGoesOnToItsEnd) {
  Server server(programs("handshake"));
  Client client(server.port());
  client.send(framed("Z0,3dc,4") + framed("c"));
  client.read_until("T05thread:1;");
  client.send(framed("D"));
  client.read_until("OK");
  client.hang_up();
  const Outcome debugged = server.finish();
  EXPECT_EQ(debugged.output, tensim::test::run("run " + programs("handshake")).output);
  EXPECT_EQ(debugged.exit_code, 0);
}

TEST_F(Gdb, AKilledRunStopsWhereItIs) {
  Server server(programs("handshake"));
  Client client(server.port());
  client.send(framed("Z0,3dc,4") + framed("c"));
  client.read_until("T05thread:1;");
  client.send(framed("k"));
  client.hang_up();
  const Outcome debugged = server.finish();
  EXPECT_EQ(debugged.exit_code, 0);
  EXPECT_TRUE(contains(debugged.output, "interrupted after")) << debugged.output;
}

TEST_F(Gdb, AClientThatTalksNonsenseAndHangsUpEndsTheRun) {
  for (const std::string nonsense : {"", "$", "$m0,4#", "\x03\x03$$$}}}###", "GET / HTTP/1.1\r\n\r\n"}) {
    Server server(programs("handshake"));
    {
      const Client client(server.port());
      ASSERT_TRUE(client.connected());
      client.send(nonsense);
      client.send("$" + std::string(100'000, 'A') + "#00");
      client.send(framed("mffffffff,ffffffff") + framed("Xffffffff,ffffffff:a") + framed("vCont;c:zz"));
      client.send("$m0,1");
    }
    const Outcome outcome = server.finish();
    EXPECT_EQ(outcome.exit_code, 0) << outcome.output;
    EXPECT_TRUE(contains(outcome.output, "interrupted after 0 cycles")) << outcome.output;
  }
}

TEST(GdbServer, AnInterruptStopsAnEndlessRun) {
  using namespace tensim::rv;
  const std::vector<Word> loop{addi(t0, t0, 1), jal(zero, -4)};
  const TemporaryFile code("tensim_gdb_code", std::string(reinterpret_cast<const char*>(loop.data()), 4 * loop.size()));
  const TemporaryFile scenario("tensim_gdb_scenario", "[cores]\nbrisc = { raw = \"" +
                                                          std::filesystem::path(code.path()).filename().string() +
                                                          "\", address = 0x1000 }\n");
  Server server(scenario.path() + " --budget 1000000000000");
  ASSERT_NE(server.port(), 0) << server.said();
  Client client(server.port());
  client.send(framed("c"));
  EXPECT_EQ(client.read_until("+"), "+");  // it runs
  client.send("\x03");
  EXPECT_TRUE(contains(client.read_until("T02"), "T02thread:1;"));
  client.send(framed("p20"));
  EXPECT_TRUE(contains(client.read_until("10000"), "10000"));  // in the loop at 0x1000
  client.send(framed("vKill;1"));
  client.hang_up();
  const Outcome outcome = server.finish();
  EXPECT_EQ(outcome.exit_code, 0) << outcome.output;
  EXPECT_TRUE(contains(outcome.output, "interrupted after")) << outcome.output;
}

TEST_F(Gdb, APortThatIsTakenIsBadInput) {
  Server server(programs("handshake"));
  const Outcome second = tensim::test::run("run " + programs("handshake") + " --gdb " + std::to_string(server.port()));
  EXPECT_EQ(second.exit_code, bad_input);
  EXPECT_TRUE(contains(second.output, "cannot listen on 127.0.0.1:")) << second.output;
  const Client client(server.port());  // lets the first one end
}

TEST_F(Gdb, DoesNotGoWithScenariosOfThreadsOrTraces) {
  const Outcome threads = tensim::test::run("run " TENSIM_SCENARIOS "/math_pack_handshake.toml --gdb 0");
  EXPECT_EQ(threads.exit_code, bad_input);
  EXPECT_TRUE(contains(threads.output, "only programs on cores")) << threads.output;
  EXPECT_EQ(tensim::test::run("run " + programs("handshake") + " --gdb 0 --trace").exit_code, bad_input);
  EXPECT_EQ(tensim::test::run("run " + programs("handshake") + " --gdb 0 --lockstep").exit_code, bad_input);
}

}  // namespace
