package gatebook.api;

import gatebook.api.node.Version;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** The manual page of the command line, in the language of {@code man}. */
final class ManualPage {
  private final List<String> lines = new ArrayList<>();

  private ManualPage() {}

  static String of(CommandLine gatebook) {
    ManualPage page = new ManualPage();
    page.add(gatebook);
    return String.join("\n", page.lines) + "\n";
  }

  private void add(CommandLine gatebook) {
    CommandSpec spec = gatebook.getCommandSpec();
    macro("TH", "GATEBOOK", "1", "", "gatebook " + Version.text());
    macro("SH", "NAME");
    lines.add("gatebook \\- " + text(lowerCase(sentences(spec).getFirst().replaceAll("\\.$", ""))));
    macro("SH", "SYNOPSIS");
    lines.add("\\fBgatebook\\fR \\fICOMMAND\\fR [\\fIOPTIONS\\fR]");
    macro("SH", "OPTIONS");
    addArguments(spec);
    macro("SH", "COMMANDS");
    gatebook.getSubcommands().values().forEach(this::addCommand);
  }

  private void addCommand(CommandLine command) {
    CommandSpec spec = command.getCommandSpec();
    macro("SS", synopsis(spec));
    sentences(spec).forEach(sentence -> lines.add(text(sentence)));
    addArguments(spec);
    macro("PP");
    for (String line : spec.usageMessage().footer()) {
      if (!line.isEmpty()) {
        lines.add(text(line.formatted()));
        macro("br");
      }
    }
    command.getSubcommands().values().forEach(this::addCommand);
  }

  /** The command with its arguments, as in {@code gatebook verify [OPTIONS]}. */
  private static String synopsis(CommandSpec spec) {
    return Stream.concat(
            Stream.of(spec.qualifiedName(), "[OPTIONS]"),
            spec.positionalParameters().stream().map(ArgSpec::paramLabel))
        .collect(Collectors.joining(" "));
  }

  private void addArguments(CommandSpec spec) {
    for (PositionalParamSpec parameter : spec.positionalParameters()) {
      addArgument(parameter, parameter.paramLabel());
    }
    spec.options().stream()
        .filter(option -> !option.hidden() && !option.inherited())
        .sorted(Comparator.comparing(OptionSpec::longestName))
        .forEach(option -> addArgument(option, names(option)));
  }

  private void addArgument(ArgSpec argument, String name) {
    macro("TP");
    lines.add("\\fB" + text(name) + "\\fR");
    lines.add(text(String.join(" ", argument.description())));
  }

  private static String names(OptionSpec option) {
    String names = String.join(", ", option.names());
    return option.arity().max() == 0 ? names : names + "=" + option.paramLabel();
  }

  private static List<String> sentences(CommandSpec spec) {
    return Arrays.stream(spec.usageMessage().description())
        .map(line -> Ansi.OFF.string(line.formatted()))
        .toList();
  }

  private static String lowerCase(String sentence) {
    return sentence.substring(0, 1).toLowerCase(Locale.ROOT) + sentence.substring(1);
  }

  private void macro(String name, String... arguments) {
    lines.add(
        "."
            + name
            + Arrays.stream(arguments)
                .map(argument -> " \"" + text(argument).replace("\"", "\\(dq") + "\"")
                .collect(Collectors.joining()));
  }

  /** Text in which no character is a command. */
  private static String text(String plain) {
    String escaped = plain.replace("\\", "\\e").replace("-", "\\-");
    return escaped.startsWith(".") || escaped.startsWith("'") ? "\\&" + escaped : escaped;
  }
}
