#include "debug/gdb_session.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/support/guest_tile.hpp"

namespace tensim::debug {
namespace {

using namespace rv;
using test::GuestTile;
using tile::CoreId;
using End = GdbSession::End;

constexpr tile::Cycle budget = 100'000;

/// A client's side of a session.
class Client {
 public:
  explicit Client(const GuestTile& guest) : session(scenario_of(guest), guest.tile, budget) {}

  /// What comes back to a packet, the payloads of all packets joined by '|'; the tile runs until it stops.
  std::string ask(std::string_view payload) {
    session.receive(framed(payload));
    while (session.is_running())
      session.advance();
    return answers();
  }
  /// The text of console packets, and what follows it.
  std::string ask_monitor(std::string_view command) {
    const std::string all = ask("qRcmd," + to_hex(command));
    std::string text;
    std::size_t from = 0;
    while (from < all.size() && all[from] == 'O' && all.compare(from, 2, "OK") != 0) {
      const std::size_t end = all.find('|', from);
      text += from_hex(std::string_view(all).substr(from + 1, end - from - 1)).value_or("?");
      from = end + 1;
    }
    return text + all.substr(from);
  }
  std::string answers() {
    PacketReader reader;
    std::string all;
    for (const char byte : session.take_output())
      if (const auto item = reader.take(byte); item && item->kind == PacketReader::Item::Kind::packet)
        all += (all.empty() ? "" : "|") + item->payload;
    return all;
  }

 private:
  static const scenario::Scenario& scenario_of(const GuestTile& guest) {
    static const scenario::Scenario wormhole = [] {
      scenario::Scenario scenario;
      scenario.arch = Arch::wormhole;
      return scenario;
    }();
    static const scenario::Scenario blackhole;
    return guest.tile.arch == Arch::wormhole ? wormhole : blackhole;
  }

 public:
  GdbSession session;
};

const std::vector<Word> count_down{addi(t0, zero, 5), addi(t0, t0, -1), bne(t0, zero, -4), addi(a0, zero, 7), here};

GuestTile counting(Arch arch = Arch::blackhole) {
  GuestTile guest(arch);
  guest.start(CoreId::brisc, 0x1000, count_down);
  return guest;
}

TEST(GdbSession, SaysWhatItCanAndAnswersTheUnknownWithNothing) {
  Client client(counting());
  EXPECT_NE(client.ask("qSupported:swbreak+").find("PacketSize=4000;"), std::string::npos);
  client.ask("vMustReplyEmpty");
  client.session.receive(framed("vMustReplyEmpty"));
  EXPECT_EQ(client.session.take_output(), "+$#00");
  client.session.receive(framed("!"));
  EXPECT_EQ(client.session.take_output(), "+$#00");
  EXPECT_EQ(client.ask("qAttached"), "1");
  EXPECT_EQ(client.ask("?"), "T05thread:1;");
}

TEST(GdbSession, AcknowledgesUntilItIsAskedNotTo) {
  Client client(counting());
  client.session.receive("$?#00");
  EXPECT_EQ(client.session.take_output(), "-");
  client.session.receive(framed("qC"));
  EXPECT_EQ(client.session.take_output(), "+" + framed("QC1"));
  client.session.receive("-");
  EXPECT_EQ(client.session.take_output(), framed("QC1"));
  client.session.receive(framed("QStartNoAckMode"));
  EXPECT_EQ(client.session.take_output(), "+" + framed("OK"));
  client.session.receive("+" + framed("qC") + "$?#00");
  EXPECT_EQ(client.session.take_output(), framed("QC1"));
}

TEST(GdbSession, HasAThreadForEveryCore) {
  Client client(counting());
  EXPECT_EQ(client.ask("qfThreadInfo"), "m1,2,3,4,5");
  EXPECT_EQ(client.ask("qsThreadInfo"), "l");
  EXPECT_EQ(from_hex(client.ask("qThreadExtraInfo,5")), "NCRISC held in reset");
  EXPECT_EQ(from_hex(client.ask("qThreadExtraInfo,1")), "BRISC at 0x1000");
  const std::string list = client.ask("qXfer:threads:read::0,1000");
  EXPECT_NE(list.find("<thread id=\"2\" name=\"T0\">TRISC0 held in reset</thread>"), std::string::npos) << list;
  EXPECT_EQ(client.ask("T5"), "OK");
  EXPECT_EQ(client.ask("T6"), "E01");
  EXPECT_EQ(client.ask("Hg5"), "OK");
  EXPECT_EQ(client.ask("Hg7"), "E01");
  EXPECT_EQ(client.ask("qC"), "QC5");
  EXPECT_EQ(client.ask("Hc-1"), "OK");
  EXPECT_EQ(client.ask("Hx1"), "E01");
}

TEST(GdbSession, TheTargetDescriptionComesInParts) {
  Client client(counting());
  std::string text;
  std::string part = "m";
  while (part.front() == 'm') {
    part = client.ask("qXfer:features:read:target.xml:" + fmt::format("{:x}", text.size()) + ",100");
    text += part.substr(1);
  }
  EXPECT_NE(text.find("riscv:rv32"), std::string::npos);
  EXPECT_NE(text.find("<osabi>none</osabi>"), std::string::npos);  // Linux would step by breakpoints
  EXPECT_NE(text.find("name=\"ft0\""), std::string::npos);
  EXPECT_NE(text.find("name=\"cfg0\""), std::string::npos);
  EXPECT_EQ(client.ask("qXfer:features:read:target.xml:ffffff,10"), "l");
  EXPECT_EQ(client.ask("qXfer:features:read:target.xml:0"), "E01");
  Client wormhole(counting(Arch::wormhole));
  EXPECT_EQ(wormhole.ask("qXfer:features:read:target.xml:0,4000").find("ft0"), std::string::npos);
}

TEST(GdbSession, ReadsAndWritesRegisters) {
  Client client(counting());
  EXPECT_EQ(client.ask("p20"), "00100000");  // pc
  EXPECT_EQ(client.ask("Pa=78563412"), "OK");
  EXPECT_EQ(client.ask("pa"), "78563412");
  EXPECT_EQ(client.ask("P0=01000000"), "OK");
  EXPECT_EQ(client.ask("p0"), "00000000");
  EXPECT_EQ(client.ask("P21=0000803f"), "OK");  // f0
  EXPECT_EQ(client.ask("p21"), "0000803f");
  EXPECT_EQ(client.ask("pff"), "E01");
  EXPECT_EQ(client.ask("Pff=00000000"), "E01");
  EXPECT_EQ(client.ask("Pa=1234"), "E01");
  std::string all = client.ask("g");
  EXPECT_EQ(all.substr(80, 8), "78563412");
  all.replace(88, 8, "01000000");
  EXPECT_EQ(client.ask("G" + all), "OK");
  EXPECT_EQ(client.ask("pb"), "01000000");
  EXPECT_EQ(client.ask("G123"), "E01");
  EXPECT_EQ(client.ask("G" + all + "00000000"), "E01");
}

TEST(GdbSession, ARegisterThatACoreDoesNotHaveIsUnavailable) {
  // tt_cfg_sstatus0 is scratch on B, and an overlay stream on T cores.
  Client client(counting());
  const std::string on_b = client.ask("g");
  client.ask("Hg2");
  const std::string on_t = client.ask("g");
  EXPECT_EQ(on_b.find('x'), std::string::npos);
  EXPECT_NE(on_t.find("xxxxxxxx"), std::string::npos);
  EXPECT_EQ(client.ask("G" + on_t), "OK");
}

TEST(GdbSession, ReadsAndWritesMemory) {
  Client client(counting());
  EXPECT_EQ(client.ask("M4000,4:01020304"), "OK");
  EXPECT_EQ(client.ask("m4001,2"), "0203");
  EXPECT_EQ(client.ask("X4000,3:a#c"), "OK");  // '#' is escaped on its way
  EXPECT_EQ(client.ask("m4000,4"), "61236304");
  EXPECT_EQ(client.ask("X4000,0:"), "OK");
  EXPECT_EQ(client.ask("mffb00000,4"), "00000000");
  EXPECT_EQ(client.ask("Mffb00000,2:abcd"), "OK");
  EXPECT_EQ(client.ask("mffb00000,4"), "abcd0000");
  client.ask("Hg2");
  EXPECT_EQ(client.ask("mffb00000,4"), "00000000");  // T0's own
  EXPECT_EQ(client.ask("m1000,4"), "93025000");      // code
}

TEST(GdbSession, RefusesWhatIsNotMemory) {
  Client client(counting());
  EXPECT_EQ(client.ask("m50000000,4"), "E01");  // nothing there
  EXPECT_EQ(client.ask("mffe40000,4"), "E01");  // can only be written
  EXPECT_EQ(client.ask("mffec1000,4"), "E01");  // an empty mailbox: a load would wait
  EXPECT_EQ(client.ask("M50000000,4:00000000"), "E01");
  EXPECT_EQ(client.ask("Mffb121b0,4:00000000"), "E01");  // SOFT_RESET_0
  EXPECT_EQ(client.ask("M4000,3:0102"), "E01");
  EXPECT_EQ(client.ask("M4000,ffffffff:01"), "E01");
  EXPECT_EQ(client.ask("m4000"), "E01");
  EXPECT_EQ(client.ask("m,"), "E01");
  EXPECT_EQ(client.ask("m4000,ffffffff").size(), most_payload_bytes);
  EXPECT_EQ(client.ask("m17fffe,100"), "0000");  // the end of L1
}

TEST(GdbSession, AMailboxKeepsTheWordThatIsReadFromIt) {
  GuestTile guest = counting();
  guest.tile.devices.mailboxes.push(CoreId::trisc0, CoreId::brisc, 0x1234);
  Client client(guest);
  EXPECT_EQ(client.ask("mffec1000,4"), "34120000");
  EXPECT_EQ(client.ask("mffec1000,4"), "34120000");
}

TEST(GdbSession, StopsAtBreakpointsAndSteps) {
  Client client(counting());
  EXPECT_EQ(client.ask("Z0,100c,4"), "OK");
  EXPECT_EQ(client.ask("vCont;c"), "T05thread:1;");
  EXPECT_EQ(client.ask("p20"), "0c100000");
  EXPECT_EQ(client.ask("z0,100c,4"), "OK");
  EXPECT_EQ(client.ask("vCont;s:1;c"), "T05thread:1;");
  EXPECT_EQ(client.ask("p20"), "10100000");
  EXPECT_EQ(client.ask("s1004"), "T05thread:1;");
  EXPECT_EQ(client.ask("p20"), "08100000");
  EXPECT_EQ(client.ask("Z1,100c,4"), "OK");
  EXPECT_EQ(client.ask("C05;1000"), "T05thread:1;");
  EXPECT_EQ(client.ask("pa"), "07000000");
  EXPECT_EQ(client.ask("vCont?"), "vCont;c;C;s;S;t");
  EXPECT_EQ(client.ask("vCont;t"), "T02thread:1;");
  EXPECT_EQ(client.ask("vCont;q"), "E01");
  EXPECT_EQ(client.ask("vCont;s:9"), "E01");
  EXPECT_EQ(client.ask("cxyz"), "E01");
  EXPECT_EQ(client.ask("Z9,100c,4"), "E01");
  EXPECT_EQ(client.ask("Z0,100c"), "E01");
  EXPECT_EQ(client.ask("z2,100c,4"), "OK");
}

TEST(GdbSession, ReportsWatchpointsByTheirKind) {
  GuestTile guest(Arch::blackhole);
  guest.start(CoreId::ncrisc, 0x1000, {lui(t1, 4), sw(t1, t1, 4), lw(t2, t1, 8), amoadd(t3, t1, t1), here});
  Client client(guest);
  EXPECT_EQ(client.ask("Z2,4004,4"), "OK");
  EXPECT_EQ(client.ask("Z3,4008,4"), "OK");
  EXPECT_EQ(client.ask("Z4,4000,4"), "OK");
  EXPECT_EQ(client.ask("c"), "T05watch:4004;thread:5;");
  EXPECT_EQ(client.ask("c"), "T05rwatch:4008;thread:5;");
  EXPECT_EQ(client.ask("c"), "T05awatch:4000;thread:5;");
  EXPECT_EQ(client.ask("Z2,4004,0"), "E01");
  EXPECT_EQ(client.ask("Z2,4004,ffffffff"), "E01");
}

TEST(GdbSession, TheEndOfTheRunIsAnExit) {
  Client client(counting());
  const std::string answer = client.ask("c");
  EXPECT_EQ(from_hex(answer.substr(1, answer.find('|') - 1)).value_or("").substr(0, 14), "finished after");
  EXPECT_EQ(answer.substr(answer.find('|')), "|W00");
  EXPECT_EQ(client.session.end(), End::exited);
  EXPECT_EQ(client.ask("g"), "");  // nobody is there any more
}

TEST(GdbSession, ADeadlockIsAStopWithItsExplanation) {
  GuestTile guest(Arch::blackhole);
  guest.start(CoreId::trisc0, 0x1000, {lui(t1, 0xFFEC0), lw(t0, t1, 0), addi(a0, t0, 1), here});
  Client client(guest);
  const std::string answer = client.ask("c");
  EXPECT_EQ(answer.substr(answer.find('|')), "|T11thread:2;");
  const std::string text = from_hex(answer.substr(1, answer.find('|') - 1)).value_or("");
  EXPECT_NE(text.find("deadlocked after"), std::string::npos) << text;
  EXPECT_NE(text.find("TRISC0 waits at 0x1004"), std::string::npos) << text;
  EXPECT_EQ(client.ask("?"), "T11thread:2;");
  EXPECT_EQ(client.session.end(), End::not_yet);
  EXPECT_NE(client.ask_monitor("explain").find("TRISC0 waits at 0x1004"), std::string::npos);
}

TEST(GdbSession, WhatStopsACoreIsASignal) {
  for (const auto& [word, signal] :
       {std::pair(ebreak, "T05"), std::pair(Word{0x7F}, "T04"), std::pair(lw(t0, t1, 0), "T0b")}) {
    GuestTile guest(Arch::blackhole);
    guest.start(CoreId::brisc, 0x1000, {lui(t1, 0x50000), word, here});
    Client client(guest);
    const std::string answer = client.ask("c");
    EXPECT_EQ(answer.substr(answer.find('|')), std::string("|") + signal + "thread:1;");
    const std::string text = from_hex(answer.substr(1, answer.find('|') - 1)).value_or("");
    EXPECT_NE(text.find("BRISC stopped in cycle"), std::string::npos) << text;
  }
}

TEST(GdbSession, AnInterruptStopsARunThatHasNoEnd) {
  GuestTile guest(Arch::blackhole);
  guest.start(CoreId::brisc, 0x1000, {addi(t0, t0, 1), jal(zero, -4)});
  Client client(guest);
  client.ask("Z0,2000,4");  // walked, so that the budget is not spent at once
  client.session.receive(framed("c"));
  client.session.advance();
  EXPECT_TRUE(client.session.is_running());
  client.session.receive(framed("g"));  // no time for that
  client.session.receive("\x03");
  EXPECT_FALSE(client.session.is_running());
  EXPECT_EQ(client.answers(), "T02thread:1;");
  client.session.receive("\x03");  // again: it stands already
  EXPECT_EQ(client.answers(), "");
}

TEST(GdbSession, DetachingAndKillingEndIt) {
  Client detached(counting());
  EXPECT_EQ(detached.ask("D"), "OK");
  EXPECT_EQ(detached.session.end(), End::detached);
  Client killed(counting());
  EXPECT_EQ(killed.ask("k"), "");
  EXPECT_EQ(killed.session.end(), End::killed);
  Client also_killed(counting());
  EXPECT_EQ(also_killed.ask("vKill;1"), "OK");
  EXPECT_EQ(also_killed.session.end(), End::killed);
}

TEST(GdbSession, MonitorAnswersEveryCommandItNames) {
  Client client(counting());
  const std::string help = client.ask_monitor("help");
  for (const std::string command : {"cycle", "threads", "semaphores", "mutexes", "units", "explain", "account"}) {
    EXPECT_NE(help.find("monitor " + command), std::string::npos);
    const std::string answer = client.ask_monitor(command);
    EXPECT_TRUE(answer.ends_with("\nOK")) << answer;
    EXPECT_EQ(answer.find("no such command"), std::string::npos) << answer;
  }
  EXPECT_EQ(client.ask_monitor("cycle"), "cycle 0 is to come\nOK");
  EXPECT_NE(client.ask_monitor("semaphores").find("semaphore 1 (MATH_PACK): Value 0, Max 0"), std::string::npos);
  EXPECT_NE(client.ask_monitor("mutexes").find("mutex 2 (UNPACK0): free"), std::string::npos);
  EXPECT_EQ(client.ask_monitor("nonsense").substr(0, 15), "no such command");
  EXPECT_EQ(client.ask("qRcmd,zz"), "E01");
}

TEST(GdbSession, MonitorShowsThreadsThatAreHeld) {
  constexpr Word semwait_zero_sem1 = 0xA6010009;  // SEMWAIT block=STALL_SYNC, sem=MATH_PACK, cond=STALL_ON_ZERO
  constexpr Word semget_sem1 = 0xA5000008;
  GuestTile guest(Arch::blackhole);
  guest.start(CoreId::trisc1, 0x1000, {ttinsn(semwait_zero_sem1), ttinsn(semget_sem1), ttinsn(semget_sem1), here});
  Client client(guest);
  client.ask("c");
  const std::string threads = client.ask_monitor("threads");
  EXPECT_NE(threads.find("T1: held at SEMGET sem=MATH_PACK"), std::string::npos) << threads;
  EXPECT_NE(threads.find("latched: SEMWAIT"), std::string::npos) << threads;
  EXPECT_NE(threads.find("then SEMGET sem=MATH_PACK"), std::string::npos) << threads;
}

}  // namespace
}  // namespace tensim::debug
