// tensim arch: what a chip is, and how we know.
#include <memory>

#include "commands.hpp"
#include "handle.hpp"

namespace tensim::command {
namespace {

struct ArchOptions {
  tensim_arch arch = TENSIM_BLACKHOLE;
  bool timing = false;
};

}  // namespace

void add_arch_command(Context context) {
  auto options = std::make_shared<ArchOptions>();
  CLI::App* command =
      context.app.add_subcommand("arch", "print an architecture: sizes, address map, timing, with sources");
  add_arch(*command, "ARCH", options->arch)->required();
  command->add_flag("--timing", options->timing, "the timing rows too");
  command->callback([context, options] {
    Text text;
    checked(tensim_describe_arch(options->arch, options->timing ? 1 : 0, context.options.format(), text.place()));
    print(view(text));
  });
}

}  // namespace tensim::command
