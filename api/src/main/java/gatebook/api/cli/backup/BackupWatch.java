package gatebook.api.cli.backup;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import gatebook.api.cli.ServerQuery;
import gatebook.api.cli.text.ProgressOutput;
import gatebook.api.cli.text.TextCells;
import gatebook.api.operator.client.OperatorClient.Answer;
import gatebook.api.operator.methods.BackupMethods;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.ExitCode;

/** Starts a backup at a server and watches it until it ends. */
final class BackupWatch {

  /** Short, so that a short backup ends the command soon. */
  private static final Duration FIRST_PAUSE = Duration.ofMillis(200);

  private final ServerQuery serverQuery;
  private final ProgressOutput progressOutput;

  BackupWatch(ServerQuery serverQuery, ProgressOutput progressOutput) {
    this.serverQuery = serverQuery;
    this.progressOutput = progressOutput;
  }

  /** Starts the backup, watches it and returns the exit code. */
  int run(ObjectNode params) throws InterruptedException {
    return switch (serverQuery.call(BackupMethods.START, params)) {
      case Answer.Failed(var sentence) -> serverQuery.failed(sentence);
      case Answer.Result(var status) -> follow(status.path("startedAt").asText());
    };
  }

  private int follow(String startedAt) throws InterruptedException {
    Duration pause =
        FIRST_PAUSE.compareTo(progressOutput.pause()) < 0 ? FIRST_PAUSE : progressOutput.pause();
    boolean isShown = false;
    while (true) {
      Thread.sleep(pause);
      pause = progressOutput.pause();
      switch (serverQuery.call(BackupMethods.STATUS, ServerQuery.params())) {
        case Answer.Failed(var sentence) -> {
          return serverQuery.failed(sentence + "; the backup may continue without this command");
        }
        case Answer.Result(var status) -> {
          if (!status.path("startedAt").asText().equals(startedAt)) {
            return serverQuery.failed(
                "the server does not make this backup any longer: start it again");
          }
          if (!status.path("state").asText().equals("running")) {
            if (isShown) {
              progressOutput.endLine();
            }
            return report(status, serverQuery);
          }
          progressOutput.show(progress(status));
          isShown = true;
        }
      }
    }
  }

  private static String progress(JsonNode status) {
    return String.format(
        Locale.ROOT,
        "backup: %,d of %,d files, %,d bytes copied",
        status.path("files").asLong(),
        status.path("ofFiles").asLong(),
        status.path("copiedBytes").asLong());
  }

  /** Prints how a backup ended and returns the exit code. */
  static int report(JsonNode status, ServerQuery serverQuery) {
    if (status.path("state").asText().equals("made")) {
      serverQuery.show(status, BackupWatch::lines);
      return ExitCode.OK;
    }
    return serverQuery.failed(TextCells.of(status.path("error")));
  }

  private static List<String> lines(JsonNode status) {
    List<String> lines = new ArrayList<>();
    lines.add(
        "backup    %s in %s"
            .formatted(TextCells.of(status.path("backup")), TextCells.of(status.path("target"))));
    lines.add(
        String.format(
            Locale.ROOT,
            "events    %,d of the log %s, up to a signed checkpoint",
            status.path("size").asLong(),
            TextCells.of(status.path("origin"))));
    lines.add(
        String.format(
            Locale.ROOT,
            "files     %,d, of which %,d were copied (%,d bytes)",
            status.path("ofFiles").asLong(),
            status.path("copied").asLong(),
            status.path("copiedBytes").asLong()));
    lines.add("keys      none are in it: gatebook backup keys backs up those of content");
    if (status.path("keys").isTextual()) {
      lines.add("warning   " + TextCells.of(status.path("keys")));
    }
    if (status.path("unkept").isTextual()) {
      lines.add("warning   " + TextCells.of(status.path("unkept")));
    }
    return lines;
  }
}
