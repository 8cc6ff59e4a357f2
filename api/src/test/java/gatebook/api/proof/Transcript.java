package gatebook.api.proof;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SequencedSet;
import org.jspecify.annotations.Nullable;

/**
 * The transcript of a scripted client of the official SDK: its steps and what it saw.
 *
 * @param steps the result of each step, by name
 * @param calls governed calls, as "method target: outcome"
 * @param log what the client, and the server that it started, wrote to standard error
 */
record Transcript(Map<String, JsonNode> steps, List<String> calls, String log) {
  private static final Duration TIMEOUT = Duration.ofMinutes(2);

  /**
   * Runs the client until it has finished.
   *
   * @param script of the client
   * @param folder for its output
   * @param server the address of the server, or the command that starts one
   */
  static Transcript of(String script, Path folder, String... server) {
    try {
      Path out = Files.createDirectories(folder).resolve("transcript.json");
      Path err = folder.resolve("transcript.err");
      NpmPeers.runSuccessfully(
          new ProcessBuilder(NpmPeers.node(script, server))
              .directory(folder.toFile())
              .redirectOutput(out.toFile())
              .redirectError(err.toFile()),
          TIMEOUT,
          err);
      return read(ServerProcess.json(Files.readString(out)), Files.readString(err));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Transcript read(JsonNode document, String log) {
    Map<String, JsonNode> steps = new LinkedHashMap<>();
    for (JsonNode step : document.get("steps")) {
      steps.put(step.get("step").asText(), withoutAddedData(step));
    }
    List<String> calls = new ArrayList<>();
    for (JsonNode call : document.get("calls")) {
      calls.add(call(call.get("method"), call.get("target"), call.get("outcome").asText()));
    }
    return new Transcript(steps, calls.stream().sorted().toList(), log);
  }

  static String call(JsonNode method, JsonNode target, String outcome) {
    return "%s %s: %s".formatted(method.asText(), target.asText(), outcome);
  }

  /**
   * Removes what Gatebook adds to an error: the correlation id, and the mark that it is the
   * source's own. Nothing else may be added.
   */
  private static JsonNode withoutAddedData(JsonNode step) {
    if (step.path("error").path("data") instanceof ObjectNode data
        && data.remove("correlation_id") != null
        && isEmpty(data.remove("upstream"))
        && data.isEmpty()) {
      ((ObjectNode) step.get("error")).remove("data");
    }
    return step;
  }

  private static boolean isEmpty(@Nullable JsonNode upstream) {
    return upstream == null || upstream.isEmpty();
  }

  /** The steps with different results in the two transcripts, by name, each with both results. */
  Map<String, String> differences(Transcript other) {
    Map<String, String> differences = new LinkedHashMap<>();
    SequencedSet<String> names = new LinkedHashSet<>(other.steps.keySet());
    names.addAll(steps.keySet());
    for (String name : names) {
      if (!Objects.equals(steps.get(name), other.steps.get(name))) {
        differences.put(
            name, "%s%ninstead of%n%s".formatted(steps.get(name), other.steps.get(name)));
      }
    }
    return differences;
  }
}
