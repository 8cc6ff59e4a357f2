package gatebook.api.cli;

import com.fasterxml.jackson.databind.JsonNode;
import gatebook.api.cli.option.JsonOption;
import gatebook.api.cli.text.TextCells;
import gatebook.api.operator.methods.KeyMethods;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The command {@code gatebook keys rotate}: has the server replace one of its keys. */
@Command(
    name = "rotate",
    description = {
      "Replaces a key of the node; what the old one signed or sealed stays readable.",
      "checkpoint: the key that signs checkpoints."
    },
    footer = {
      "",
      "Exit code: 0 done, 1 not done, 2 usage.",
      "Example: gatebook keys rotate checkpoint --data ./gatebook-data"
    })
final class RotateKeyCommand implements Callable<Integer> {

  /** A key that can be rotated, as the command and the method name it. */
  private enum Key {
    CHECKPOINT;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  @Spec private CommandSpec spec = CommandSpec.create(); // picocli puts the command's own here
  @Mixin private final ServerOptions server = new ServerOptions(System.getenv());
  @Mixin private final JsonOption jsonOption = new JsonOption();

  @Parameters(paramLabel = "KEY", description = "${COMPLETION-CANDIDATES}")
  private Key key = Key.CHECKPOINT;

  @Override
  public Integer call() throws InterruptedException {
    return new ServerQuery(spec, server, jsonOption)
        .call(
            KeyMethods.ROTATE,
            ServerQuery.params().put("key", key.toString()),
            _ -> true,
            RotateKeyCommand::lines);
  }

  private static List<String> lines(JsonNode result) {
    String newKey = TextCells.of(result.path("newKey"));
    return result.path("state").asText().equals("prepared")
        ? List.of(
            "the new key %s is in %s and does not sign yet"
                .formatted(newKey, TextCells.of(result.path("file"))),
            "copy that file beside the key file of each node that shares the journal, then run this"
                + " again")
        : List.of(
            "checkpoints are signed by %s from event %s on"
                .formatted(newKey, TextCells.of(result.path("position"))),
            "the old key was %s".formatted(TextCells.of(result.path("oldKey"))));
  }
}
