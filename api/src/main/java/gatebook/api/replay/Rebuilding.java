package gatebook.api.replay;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import gatebook.api.ask.Asking;
import gatebook.api.ask.Cells;
import gatebook.api.operator.OperatorClient.Answer;
import java.time.Duration;
import java.util.List;
import java.util.stream.StreamSupport;
import picocli.CommandLine.ExitCode;

/** A view made anew at a server, followed until that has ended. */
final class Rebuilding {

  /** So that a short one is not waited for as long as the next report of a long one. */
  private static final Duration FIRST_LOOK = Duration.ofMillis(200);

  private final Asking asking;
  private final String projection;
  private final Progress progress;

  Rebuilding(Asking asking, String projection, Progress progress) {
    this.asking = asking;
    this.projection = projection;
    this.progress = progress;
  }

  /** Starts it and follows it; the exit code. */
  int run(ObjectNode params) throws InterruptedException {
    return switch (asking.ask("audit.replay", params)) {
      case Answer.Failed(var sentence) -> asking.failed(sentence);
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
    progress.end();
    progress
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
    Duration pause = FIRST_LOOK.compareTo(progress.pause()) < 0 ? FIRST_LOOK : progress.pause();
    while (true) {
      progress.tell(Bar.of(projection, replay));
      Thread.sleep(pause);
      pause = progress.pause();
      switch (asking.ask("audit.projections", Asking.params())) {
        case Answer.Failed(var sentence) -> {
          progress.end();
          return asking.failed(sentence + "; the replay may go on without this command");
        }
        case Answer.Result(var result) -> {
          JsonNode standing = standing(result);
          replay = standing.path("replay");
          if (!replay.isObject()) {
            progress.end();
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
      return asking.failed("the server has no projection %s any more".formatted(projection));
    }
    asking.show(standing, Rebuilding::lines);
    return isReplaced(standing) && !standing.path("failure").isTextual()
        ? ExitCode.OK
        : ExitCode.SOFTWARE;
  }

  private static boolean isReplaced(JsonNode standing) {
    return standing.path("lastReplay").path("outcome").asText().equals("replaced");
  }

  private static List<String> lines(JsonNode standing) {
    String name = Cells.of(standing.path("name"));
    JsonNode ended = standing.path("lastReplay");
    if (!isReplaced(standing)) {
      return List.of(
          "the replay of %s was not finished (%s), the view stays as it was%s"
              .formatted(
                  name,
                  ended.path("outcome").asText("lost"),
                  ended.has("error") ? ": " + Cells.of(ended.path("error")) : ""));
    }
    return List.of(
        standing.path("failure").isTextual()
            ? "the replay of %s has ended, and the view fails: %s"
                .formatted(name, Cells.of(standing.path("failure")))
            : "the replay of %s has ended: it answers up to position %s"
                .formatted(name, Cells.of(standing.path("position"))));
  }
}
