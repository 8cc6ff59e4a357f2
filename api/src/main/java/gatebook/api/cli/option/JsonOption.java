package gatebook.api.cli.option;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import gatebook.api.log.VisibleText;
import java.util.List;
import java.util.function.Function;
import picocli.CommandLine;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;

/** The option {@code --json}, with which a command prints JSON instead of text. */
public final class JsonOption {

  public static final String NAME = "--json";

  @Option(names = NAME, description = "Prints one JSON document.")
  private boolean json;

  public boolean isGiven() {
    return json;
  }

  /** The text of a document, in which characters that would control a terminal are escaped. */
  public static String text(JsonNode document) {
    return VisibleText.json(document.toPrettyString());
  }

  /** Prints a document, or its text. */
  public void show(CommandLine command, JsonNode document, Function<JsonNode, List<String>> lines) {
    (json ? List.of(text(document)) : lines.apply(document)).forEach(command.getOut()::println);
  }

  /** Prints why a command did nothing, and returns its exit code. */
  public int failed(CommandLine command, String sentence) {
    printError(command, json, sentence);
    return ExitCode.SOFTWARE;
  }

  /** Prints an error: as a line to stderr, or as the document to stdout that a program reads. */
  public static void printError(CommandLine command, boolean asJson, String sentence) {
    if (asJson) {
      JsonMapper mapper = new JsonMapper();
      var document = mapper.createObjectNode();
      document.putObject("error").put("message", sentence);
      command.getOut().println(VisibleText.json(document.toString()));
    } else {
      command.getErr().println(sentence);
    }
  }
}
