package gatebook.api.cli.replay;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import gatebook.api.cli.ServerQuery;
import gatebook.api.cli.TextCells;
import gatebook.api.operator.client.OperatorClient.Answer;
import java.time.Duration;
import java.util.List;
import java.util.stream.StreamSupport;
import picocli.CommandLine.ExitCode;

/** A view made anew at a server, followed until that has ended. */
final class RebuildWatch {

  /** So that a short one is not waited for as long as the next report of a long one. */
  private static final Duration FIRST_LOOK = Duration.ofMillis(200);

  private final ServerQuery serverQuery;
  private final String projection;
  private final ProgressOutput progressOutput;

  RebuildWatch(ServerQuery serverQuery, String projection, ProgressOutput progressOutput) {
    this.serverQuery = serverQuery;
    this.projection = projection;
    this.progressOutput = progressOutput;
  }

  /** Starts it and follows it; the exit code. */
  int run(ObjectNode params) throws InterruptedException {
    return switch (serverQuery.ask("audit.replay", params)) {
      case Answer.Failed(var sentence) -> serverQuery.failed(sentence);
      case Answer.Result(var result) -> {
        Thread told = new Thread(this::goesOn, "goes-on");
        Runtime.getRuntime().addShutdownHook(told);
        try {
          yield follow(result.path("replay"));
        } finally {
          forget(told);
        }
      }
    };
  }

  /** Said when this process is told to stop meanwhile. */
  private void goesOn() {
    progressOutput.end();
    progressOutput
        .to()
        .printf(
            "the replay of %1$s goes on at the server: gatebook projections shows it, gatebook"
                + " replay --projection %1$s --cancel ends it%n",
            projection)
        .flush();
  }

  private static void forget(Thread told) {
    try {
      Runtime.getRuntime().removeShutdownHook(told);
    } catch (IllegalStateException _) {
      // the process is stopping, and it has been said
    }
  }

  private int follow(JsonNode started) throws InterruptedException {
    JsonNode replay = started;
    Duration pause =
        FIRST_LOOK.compareTo(progressOutput.pause()) < 0 ? FIRST_LOOK : progressOutput.pause();
    while (true) {
      progressOutput.tell(ProgressBar.of(projection, replay));
      Thread.sleep(pause);
      pause = progressOutput.pause();
      switch (serverQuery.ask("audit.projections", ServerQuery.params())) {
        case Answer.Failed(var sentence) -> {
          progressOutput.end();
          return serverQuery.failed(sentence + "; the replay may go on without this command");
        }
        case Answer.Result(var result) -> {
          JsonNode standing = standing(result);
          replay = standing.path("replay");
          if (!replay.isObject()) {
            progressOutput.end();
            return ended(standing);
          }
        }
      }
    }
  }

  private JsonNode standing(JsonNode result) {
    return StreamSupport.stream(result.path("projections").spliterator(), false)
        .filter(it -> it.path("name").asText().equals(projection))
        .findFirst()
        .orElse(MissingNode.getInstance());
  }

  private int ended(JsonNode standing) {
    if (!standing.isObject()) {
      return serverQuery.failed("the server has no projection %s any more".formatted(projection));
    }
    serverQuery.show(standing, RebuildWatch::lines);
    return isReplaced(standing) && !standing.path("failure").isTextual()
        ? ExitCode.OK
        : ExitCode.SOFTWARE;
  }

  private static boolean isReplaced(JsonNode standing) {
    return standing.path("lastReplay").path("outcome").asText().equals("replaced");
  }

  private static List<String> lines(JsonNode standing) {
    String name = TextCells.of(standing.path("name"));
    JsonNode ended = standing.path("lastReplay");
    if (!isReplaced(standing)) {
      return List.of(
          "the replay of %s was not finished (%s), the view stays as it was%s"
              .formatted(
                  name,
                  ended.path("outcome").asText("lost"),
                  ended.has("error") ? ": " + TextCells.of(ended.path("error")) : ""));
    }
    return List.of(
        standing.path("failure").isTextual()
            ? "the replay of %s has ended, and the view fails: %s"
                .formatted(name, TextCells.of(standing.path("failure")))
            : "the replay of %s has ended: it answers up to position %s"
                .formatted(name, TextCells.of(standing.path("position"))));
  }
}
