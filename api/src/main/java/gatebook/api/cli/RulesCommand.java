package gatebook.api.cli;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import gatebook.api.cli.option.JsonOption;
import gatebook.api.rules.MistakeLines;
import gatebook.api.rules.RulesCheck;
import gatebook.api.rules.RulesFiles;
import java.nio.file.Path;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The command {@code gatebook rules}: checks a rules file. */
@Command(
    name = "rules",
    description = "Checks a rules file.",
    synopsisSubcommandLabel = "COMMAND",
    footer = {"", "Example: gatebook rules check gatebook.yaml"})
public final class RulesCommand implements Runnable {

  private final Map<String, String> environment;

  @Spec private CommandSpec spec = CommandSpec.create(); // picocli puts the command's own here

  public RulesCommand() {
    this(System.getenv());
  }

  RulesCommand(Map<String, String> environment) {
    this.environment = environment;
  }

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "missing required subcommand: check");
  }

  @Command(
      name = "check",
      description = {
        "Reads a rules file as a server does, and reports every mistake with its line and column.",
        "Uses the environment variables of this process; no rules take effect."
      },
      footer = {
        "",
        "Exit code: 0 no mistake (there may be warnings), 1 mistakes, 2 usage.",
        "Example: gatebook rules check gatebook.yaml"
      })
  int check(
      @Parameters(paramLabel = "FILE", description = "The rules file.") Path file,
      @Mixin JsonOption jsonOption) {
    RulesCheck rulesCheck = RulesCheck.of(RulesFiles.at(file, environment));
    var out = spec.commandLine().getOut();
    if (jsonOption.isGiven()) {
      out.println(JsonOption.text(document(rulesCheck)));
    } else {
      MistakeLines.of(rulesCheck).forEach(out::println);
    }
    out.flush();
    return rulesCheck.isFlawless() ? ExitCode.OK : ExitCode.SOFTWARE;
  }

  private static ObjectNode document(RulesCheck rulesCheck) {
    JsonMapper mapper = new JsonMapper();
    ObjectNode document = mapper.createObjectNode().put("file", rulesCheck.file());
    document.put("ok", rulesCheck.isFlawless());
    document.set("mistakes", mapper.valueToTree(rulesCheck.mistakes()));
    document.set("warnings", mapper.valueToTree(rulesCheck.warnings()));
    return document;
  }
}
