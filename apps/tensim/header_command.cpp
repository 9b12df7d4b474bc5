// tensim header: the instruction set as a C header for guest programs.
#include <memory>

#include "commands.hpp"
#include "isa/c_header.hpp"

namespace tensim::command {

void add_header_command(Context context) {
  auto arch = std::make_shared<Arch>(Arch::blackhole);
  CLI::App* command = context.app.add_subcommand("header",
                                                 "Print tensim/tensix_instructions.h, the C header of an "
                                                 "architecture's instructions");
  add_arch_option(*command, *arch);
  command->callback([arch, options = &context.options] {
    const std::string text = isa::c_header(*arch);
    if (options->json)
      print_json(nlohmann::json{{"schema", "tensim.header/1"}, {"arch", name(*arch)}, {"text", text}});
    else
      print(text);
  });
}

}  // namespace tensim::command
