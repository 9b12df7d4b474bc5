// The counters of an NIU: NOC_STATUS. Page: NoC/Counters.md of either chip; indices as in noc_parameters.h of tt-metal (noc 3).
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "arch/row_index.hpp"

namespace tensim::noc {

struct CounterRow {
  std::string_view name;
  std::uint8_t index;
  std::uint8_t count;  // one per transaction id
  std::uint8_t width;  // bits; they wrap
  std::string_view moves;
};

inline constexpr unsigned transaction_ids = 16;
inline constexpr unsigned niu_counters = 64;

inline constexpr std::array counter_rows{
    CounterRow{"NIU_MST_ATOMIC_RESP_RECEIVED", 0x0, 1, 32, "the old word has landed in L1"},
    CounterRow{"NIU_MST_WR_ACK_RECEIVED", 0x1, 1, 32,
               "an acknowledgement has arrived; one per receiver of a broadcast"},
    CounterRow{"NIU_MST_RD_RESP_RECEIVED", 0x2, 1, 32, "all data of a read has landed"},
    CounterRow{"NIU_MST_RD_DATA_WORD_RECEIVED", 0x3, 1, 32, "with it: its data flits"},
    CounterRow{"NIU_MST_CMD_ACCEPTED", 0x4, 1, 32, "a request has got its virtual channel"},
    CounterRow{"NIU_MST_RD_REQ_SENT", 0x5, 1, 32, "a read request has left"},
    CounterRow{"NIU_MST_NONPOSTED_ATOMIC_SENT", 0x6, 1, 32, "a marked atomic has left"},
    CounterRow{"NIU_MST_POSTED_ATOMIC_SENT", 0x7, 1, 32, "an atomic without a mark has left"},
    CounterRow{"NIU_MST_NONPOSTED_WR_DATA_WORD_SENT", 0x8, 1, 32, "data flits of a marked write"},
    CounterRow{"NIU_MST_POSTED_WR_DATA_WORD_SENT", 0x9, 1, 32, "data flits of a write without a mark"},
    CounterRow{"NIU_MST_NONPOSTED_WR_REQ_SENT", 0xA, 1, 32, "a marked write is on its way; inline: got its channel"},
    CounterRow{"NIU_MST_POSTED_WR_REQ_SENT", 0xB, 1, 32,
               "a write without a mark is on its way; inline: got its channel"},
    CounterRow{"NIU_MST_NONPOSTED_WR_REQ_STARTED", 0xC, 1, 32, "a marked write has got its channel"},
    CounterRow{"NIU_MST_POSTED_WR_REQ_STARTED", 0xD, 1, 32, "a write without a mark has got its channel"},
    CounterRow{"NIU_MST_RD_REQ_STARTED", 0xE, 1, 32, "a read has got its channel"},
    CounterRow{"NIU_MST_NONPOSTED_ATOMIC_STARTED", 0xF, 1, 32, "a marked atomic has got its channel"},
    CounterRow{"NIU_MST_REQS_OUTSTANDING_ID", 0x10, transaction_ids, 8,
               "up per packet when NOC_CMD_CTRL is stored, of reads and marked requests; down per response"},
    CounterRow{"NIU_MST_WRITE_REQS_OUTGOING_ID", 0x20, transaction_ids, 8,
               "up per packet when NOC_CMD_CTRL is stored, of writes from memory; down when the source has been read"},
    CounterRow{"NIU_SLV_ATOMIC_RESP_SENT", 0x30, 1, 32, "L1 has carried out a marked atomic"},
    CounterRow{"NIU_SLV_WR_ACK_SENT", 0x31, 1, 32, "all data of a marked write is written"},
    CounterRow{"NIU_SLV_RD_RESP_SENT", 0x32, 1, 32, "all data of a read has been read"},
    CounterRow{"NIU_SLV_RD_DATA_WORD_SENT", 0x33, 1, 32, "with it: its data flits"},
    CounterRow{"NIU_SLV_REQ_ACCEPTED", 0x34, 1, 32, "a read or an atomic has arrived"},
    CounterRow{"NIU_SLV_RD_REQ_RECEIVED", 0x35, 1, 32, "a read has arrived"},
    CounterRow{"NIU_SLV_NONPOSTED_ATOMIC_RECEIVED", 0x36, 1, 32, "a marked atomic has arrived"},
    CounterRow{"NIU_SLV_POSTED_ATOMIC_RECEIVED", 0x37, 1, 32, "an atomic without a mark has arrived"},
    CounterRow{"NIU_SLV_NONPOSTED_WR_DATA_WORD_RECEIVED", 0x38, 1, 32, "a data flit of a marked write"},
    CounterRow{"NIU_SLV_POSTED_WR_DATA_WORD_RECEIVED", 0x39, 1, 32, "a data flit of a write without a mark"},
    CounterRow{"NIU_SLV_NONPOSTED_WR_REQ_RECEIVED", 0x3A, 1, 32, "the last data flit of a marked write"},
    CounterRow{"NIU_SLV_POSTED_WR_REQ_RECEIVED", 0x3B, 1, 32, "the last data flit of a write without a mark"},
    CounterRow{"NIU_SLV_NONPOSTED_WR_REQ_STARTED", 0x3C, 1, 32, "a marked write has arrived"},
    CounterRow{"NIU_SLV_POSTED_WR_REQ_STARTED", 0x3D, 1, 32, "a write without a mark has arrived"},
};

/// The index of the first counter of this name, at compile time.
consteval unsigned operator""_counter(const char* name, std::size_t length) {
  return counter_rows[tensim::detail::row_named<counter_rows>({name, length})].index;
}

}  // namespace tensim::noc
