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
 * What a scripted client of the official SDK did, and what it saw.
 *
 * @param steps by name, what came of each
 * @param calls to what belongs to somebody, as "method target: outcome"
 */
record Transcript(Map<String, JsonNode> steps, List<String> calls) {
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  /**
   * Returns when the client has done all it can.
   *
   * @param script of the client
   * @param folder where its output goes
   * @param server where it finds the server, or the command that starts one
   */
  static Transcript of(String script, Path folder, String... server) {
    try {
      Path out = Files.createDirectories(folder).resolve("transcript.json");
      Path err = folder.resolve("transcript.err");
      Peers.ended(
          new ProcessBuilder(Peers.node(script, server))
              .directory(folder.toFile())
              .redirectOutput(out.toFile())
              .redirectError(err.toFile()),
          PATIENCE,
          err);
      return read(Server.json(Files.readString(out)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Transcript read(JsonNode document) {
    Map<String, JsonNode> steps = new LinkedHashMap<>();
    for (JsonNode step : document.get("steps")) {
      steps.put(step.get("step").asText(), withoutOurs(step));
    }
    List<String> calls = new ArrayList<>();
    for (JsonNode call : document.get("calls")) {
      calls.add(call(call.get("method"), call.get("target"), call.get("outcome").asText()));
    }
    return new Transcript(steps, calls.stream().sorted().toList());
  }

  static String call(JsonNode method, JsonNode target, String outcome) {
    return "%s %s: %s".formatted(method.asText(), target.asText(), outcome);
  }

  /**
   * Every error carries the id by which operators find it, and that it is the source's own; that is
   * all that is added to one.
   */
  private static JsonNode withoutOurs(JsonNode step) {
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

  /** By name, the steps that came to something else than in another transcript, with both of it. */
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
