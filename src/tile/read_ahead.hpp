// Which pages of L1 a core may read ahead of others. A core that keeps reading a page which nobody else writes need not
// wait, every time, until nobody can write before it any more: the page is taken for its own. If somebody writes to it
// after all, in a cycle that the core has passed, the run is repeated from its checkpoint, and the page is never again
// taken for anybody's. So results do not depend on any of this.
#pragma once

#include <cstdint>
#include <vector>

namespace tensim::tile {

class ReadAhead {
 public:
  static constexpr std::uint32_t page_bytes = 4096;

  explicit ReadAhead(std::size_t bytes) : pages_(bytes / page_bytes + 1) {}

  bool is_own(unsigned core, std::uint32_t address) const {
    return pages_[address / page_bytes] == Page{static_cast<std::uint8_t>(core), own};
  }
  /// The core had to wait for its turn to read at `address`. Often enough, and nobody else there: the page is its own.
  void has_waited(unsigned core, std::uint32_t address) {
    Page& page = pages_[address / page_bytes];
    if (page.waits >= own) return;
    if (page.core != core) page = {static_cast<std::uint8_t>(core), 0};
    ++page.waits;
  }
  /// An agent writes to the page. The core whose own the page is, if that is somebody else; otherwise `nobody`.
  int write(unsigned agent, std::uint32_t page_number) {
    Page& page = pages_[page_number];
    if (page.core == agent || page.waits == shared) return nobody;
    if (page.waits == own) return page.core;
    page.waits = 0;
    return nobody;
  }
  /// Whether write() by this agent would change nothing and concern nobody.
  bool leaves_as_is(unsigned agent, std::uint32_t page_number) const {
    const Page& page = pages_[page_number];
    return page.core == agent || page.waits == shared || page.waits == 0;
  }
  void share(std::uint32_t page_number) { pages_[page_number].waits = shared; }

  static constexpr int nobody = -1;

 private:
  static constexpr std::uint8_t own = 64;  // waits in a row
  static constexpr std::uint8_t shared = 255;
  struct Page {
    std::uint8_t core = 0;
    std::uint8_t waits = 0;
    bool operator==(const Page&) const = default;
  };
  std::vector<Page> pages_;
};

}  // namespace tensim::tile
