#include "debug/packet.hpp"

#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace tensim::debug {
namespace {

using Kind = PacketReader::Item::Kind;

std::vector<PacketReader::Item> items_of(std::string_view bytes) {
  PacketReader reader;
  std::vector<PacketReader::Item> items;
  for (const char byte : bytes)
    if (auto item = reader.take(byte)) items.push_back(std::move(*item));
  return items;
}

TEST(Packet, HasTheSumOfItsBytesBehindIt) {
  EXPECT_EQ(framed("OK"), "$OK#9a");
  EXPECT_EQ(framed(""), "$#00");
}

TEST(Packet, EscapesWhatHasAMeaning) {
  EXPECT_EQ(framed("#"), "$}\x03#80");
  EXPECT_EQ(framed("}$*").substr(0, 7), "$}]}\x04}\n");
}

TEST(Packet, AnyBytesComeBackAsTheyWere) {
  std::mt19937 random(7);
  for (unsigned round = 0; round < 200; ++round) {
    std::string payload(random() % 300, '\0');
    for (char& byte : payload)
      byte = static_cast<char>(random());
    const auto items = items_of("noise" + framed(payload));
    ASSERT_EQ(items.size(), 1U);
    EXPECT_EQ(items[0].kind, Kind::packet);
    EXPECT_EQ(items[0].payload, payload);
  }
}

TEST(Packet, AcknowledgementsAndTheInterruptStandAlone) {
  const auto items = items_of("+-\x03x");
  ASSERT_EQ(items.size(), 3U);
  EXPECT_EQ(items[0].kind, Kind::acknowledged);
  EXPECT_EQ(items[1].kind, Kind::asked_again);
  EXPECT_EQ(items[2].kind, Kind::interrupt);
}

TEST(Packet, AWrongOrMissingChecksumIsABadPacketAndTheNextIsFine) {
  const auto items = items_of("$OK#9b$OK#zz$OK}#17$OK#9a");
  ASSERT_EQ(items.size(), 4U);
  for (unsigned i = 0; i < 3; ++i)
    EXPECT_EQ(items[i].kind, Kind::bad_packet) << i;
  EXPECT_EQ(items[3].payload, "OK");
}

TEST(Packet, ANewStartForgetsWhatWasBegun) {
  const auto items = items_of("$garbage$OK#9a");
  ASSERT_EQ(items.size(), 1U);
  EXPECT_EQ(items[0].payload, "OK");
}

TEST(Packet, OneThatIsTooLongIsRefusedAtItsEnd) {
  EXPECT_EQ(items_of(framed(std::string(most_payload_bytes, 'a')))[0].kind, Kind::packet);
  EXPECT_EQ(items_of(framed(std::string(most_payload_bytes + 1, 'a')))[0].kind, Kind::bad_packet);
}

TEST(Packet, HexadecimalIsPairsOfDigits) {
  EXPECT_EQ(to_hex("\x01\xFF"), "01ff");
  EXPECT_EQ(from_hex("01fF"), "\x01\xFF");
  EXPECT_EQ(from_hex("0"), std::nullopt);
  EXPECT_EQ(from_hex("0g"), std::nullopt);
}

TEST(Packet, ANumberHasOneToEightDigits) {
  std::string_view text = "ffb00000,4";
  EXPECT_EQ(take_number(text), 0xFFB00000U);
  EXPECT_EQ(text, ",4");
  EXPECT_EQ(take_number(text), std::nullopt);
  EXPECT_EQ(whole_number("123456789"), std::nullopt);
  EXPECT_EQ(whole_number("12,"), std::nullopt);
  EXPECT_EQ(whole_number(""), std::nullopt);
}

}  // namespace
}  // namespace tensim::debug
