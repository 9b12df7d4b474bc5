// tensim header: the instruction set as a C header for guest programs.
#include <memory>

#include "commands.hpp"
#include "handle.hpp"

namespace tensim::command {

void add_header_command(Context context) {
  auto arch = std::make_shared<tensim_arch>(TENSIM_BLACKHOLE);
  auto of_noc = std::make_shared<bool>(false);
  CLI::App* command = context.app.add_subcommand("header",
                                                 "Print tensim/tensix_instructions.h, the C header of an "
                                                 "architecture's instructions");
  add_arch_option(*command, *arch);
  command->add_flag("--noc", *of_noc, "print tensim/noc_registers.h instead, the C header of its NoC");
  command->callback([arch, of_noc, options = &context.options] {
    Text text;
    checked((*of_noc ? tensim_noc_header : tensim_instruction_header)(*arch, text.place()));
    if (options->json)
      print_json(
          nlohmann::json{{"schema", "tensim.header/1"}, {"arch", tensim_arch_name(*arch)}, {"text", view(text)}});
    else
      print(view(text));
  });
}

}  // namespace tensim::command
