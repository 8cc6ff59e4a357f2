package gatebook.api.cli.replay;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import gatebook.api.cli.ServerQuery;
import gatebook.api.cli.text.ProgressOutput;
import gatebook.api.cli.text.TextCells;
import gatebook.api.operator.client.OperatorClient.Answer;
import java.time.Duration;
import java.util.List;
import java.util.stream.StreamSupport;
import picocli.CommandLine.ExitCode;

/** Starts the rebuild of a view at a server and watches it until it ends. */
final class RebuildWatch {

  /** Short, so that a short rebuild ends the command soon. */
  private static final Duration FIRST_PAUSE = Duration.ofMillis(200);

  private final ServerQuery serverQuery;
  private final String projection;
  private final ProgressOutput progressOutput;

  RebuildWatch(ServerQuery serverQuery, String projection, ProgressOutput progressOutput) {
    this.serverQuery = serverQuery;
    this.projection = projection;
    this.progressOutput = progressOutput;
  }

  /** Starts the rebuild, watches it and returns the exit code. */
  int run(ObjectNode params) throws InterruptedException {
    return switch (serverQuery.call("audit.replay", params)) {
      case Answer.Failed(var sentence) -> serverQuery.failed(sentence);
      case Answer.Result(var result) -> {
        Thread hook = new Thread(this::printGoesOn, "goes-on");
        Runtime.getRuntime().addShutdownHook(hook);
        try {
          yield follow(result.path("replay"));
        } finally {
          removeHook(hook);
        }
      }
    };
  }

  /** Printed when this process is stopped during the rebuild. */
  private void printGoesOn() {
    progressOutput.endLine();
    progressOutput
        .to()
        .printf(
            "the rebuild of %1$s continues at the server: gatebook projections shows it, gatebook"
                + " replay --projection %1$s --cancel cancels it%n",
            projection)
        .flush();
  }

  private static void removeHook(Thread hook) {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException _) {
      // the process is stopping, and the hook has printed
    }
  }

  private int follow(JsonNode started) throws InterruptedException {
    JsonNode replay = started;
    Duration pause =
        FIRST_PAUSE.compareTo(progressOutput.pause()) < 0 ? FIRST_PAUSE : progressOutput.pause();
    while (true) {
      progressOutput.show(ProgressBar.of(projection, replay));
      Thread.sleep(pause);
      pause = progressOutput.pause();
      switch (serverQuery.call("audit.projections", ServerQuery.params())) {
        case Answer.Failed(var sentence) -> {
          progressOutput.endLine();
          return serverQuery.failed(sentence + "; the rebuild may continue without this command");
        }
        case Answer.Result(var result) -> {
          JsonNode viewStatus = viewStatus(result);
          replay = viewStatus.path("replay");
          if (!replay.isObject()) {
            progressOutput.endLine();
            return report(viewStatus);
          }
        }
      }
    }
  }

  private JsonNode viewStatus(JsonNode result) {
    return StreamSupport.stream(result.path("projections").spliterator(), false)
        .filter(it -> it.path("name").asText().equals(projection))
        .findFirst()
        .orElse(MissingNode.getInstance());
  }

  private int report(JsonNode viewStatus) {
    if (!viewStatus.isObject()) {
      return serverQuery.failed("the server no longer has the projection %s".formatted(projection));
    }
    serverQuery.show(viewStatus, RebuildWatch::lines);
    return isReplaced(viewStatus) && !viewStatus.path("failure").isTextual()
        ? ExitCode.OK
        : ExitCode.SOFTWARE;
  }

  private static boolean isReplaced(JsonNode viewStatus) {
    return viewStatus.path("lastReplay").path("outcome").asText().equals("replaced");
  }

  private static List<String> lines(JsonNode viewStatus) {
    String name = TextCells.of(viewStatus.path("name"));
    JsonNode ended = viewStatus.path("lastReplay");
    if (!isReplaced(viewStatus)) {
      return List.of(
          "the rebuild of %s was not finished (%s), the view stays as it was%s"
              .formatted(
                  name,
                  ended.path("outcome").asText("lost"),
                  ended.has("error") ? ": " + TextCells.of(ended.path("error")) : ""));
    }
    return List.of(
        viewStatus.path("failure").isTextual()
            ? "the rebuild of %s has ended, and the view fails: %s"
                .formatted(name, TextCells.of(viewStatus.path("failure")))
            : "the rebuild of %s has ended: the view is at position %s"
                .formatted(name, TextCells.of(viewStatus.path("position"))));
  }
}
