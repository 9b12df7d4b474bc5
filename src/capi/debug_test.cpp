#include "tensim/debug.h"

#include <gtest/gtest.h>

#include "debug/packet.hpp"
#include "tests/support/c_scenario.hpp"

namespace tensim::test {
namespace {

class Session {
 public:
  explicit Session(const Parsed& parsed) { EXPECT_EQ(tensim_gdb_create(parsed.scenario.get(), &session_), TENSIM_OK); }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
  ~Session() { tensim_gdb_free(session_); }

  /// What comes back to a packet; the programs run until they stop.
  std::string ask(const std::string& payload) {
    const std::string packet = debug::framed(payload);
    EXPECT_EQ(tensim_gdb_receive(session_, packet.data(), packet.size()), TENSIM_OK);
    while (tensim_gdb_is_running(session_) != 0)
      EXPECT_EQ(tensim_gdb_advance(session_), TENSIM_OK);
    CText output;
    EXPECT_EQ(tensim_gdb_take_output(session_, output.place()), TENSIM_OK);
    return output.str();
  }
  tensim_gdb_end end() const { return tensim_gdb_how_ended(session_); }
  CResult result() {
    tensim_result* result = nullptr;
    EXPECT_EQ(tensim_gdb_result(session_, &result), TENSIM_OK);
    return {result, tensim_result_free};
  }

 private:
  tensim_gdb_session* session_ = nullptr;
};

TEST(CApiGdb, ARunToItsEndHasTheResultOfOneWithoutGdb) {
  const Parsed parsed = small_scenario();
  Session session(parsed);
  EXPECT_EQ(session.end(), TENSIM_GDB_NOT_YET);
  EXPECT_NE(session.ask("?").find("T05"), std::string::npos);
  EXPECT_NE(session.ask("c").find("$W00"), std::string::npos);
  EXPECT_EQ(session.end(), TENSIM_GDB_EXITED);
  const CResult result = session.result();
  EXPECT_EQ(report_of(result), report_of(run(parsed.scenario)));
  std::uint32_t word = 0;
  EXPECT_EQ(tensim_result_read(result.get(), 0x20004, &word, sizeof word), TENSIM_OK);
  EXPECT_EQ(word, 7U);
}

TEST(CApiGdb, ADetachedRunGoesOnToItsEnd) {
  Parsed parsed = small_scenario();
  Session session(parsed);
  const std::string expected = report_of(run(parsed.scenario));
  parsed.scenario.reset();  // the session keeps what it needs
  EXPECT_NE(session.ask("D").find("$OK"), std::string::npos);
  EXPECT_EQ(session.end(), TENSIM_GDB_DETACHED);
  EXPECT_EQ(report_of(session.result()), expected);
}

TEST(CApiGdb, AKilledRunAndOneThatNobodyCameForAreInterrupted) {
  const Parsed parsed = small_scenario();
  Session killed(parsed);
  killed.ask("k");
  EXPECT_EQ(killed.end(), TENSIM_GDB_KILLED);
  EXPECT_EQ(tensim_result_outcome(killed.result().get()), TENSIM_INTERRUPTED);
  Session lonely(parsed);
  EXPECT_EQ(tensim_result_outcome(lonely.result().get()), TENSIM_INTERRUPTED);
}

TEST(CApiGdb, OnlyCoresCanBeDebugged) {
  const Parsed threads = parse_scenario("[T0]\nprogram = \"ttnop\"\n");
  tensim_gdb_session* session = nullptr;
  EXPECT_EQ(tensim_gdb_create(threads.scenario.get(), &session), TENSIM_BAD_ARGUMENT);
  EXPECT_EQ(tensim_gdb_create(nullptr, &session), TENSIM_BAD_ARGUMENT);
  EXPECT_EQ(session, nullptr);
  EXPECT_EQ(tensim_gdb_receive(nullptr, "", 0), TENSIM_BAD_ARGUMENT);
  EXPECT_EQ(tensim_gdb_advance(nullptr), TENSIM_BAD_ARGUMENT);
  EXPECT_EQ(tensim_gdb_is_running(nullptr), 0);
  EXPECT_EQ(tensim_gdb_how_ended(nullptr), TENSIM_GDB_EXITED);
  tensim_gdb_free(nullptr);
}

}  // namespace
}  // namespace tensim::test
