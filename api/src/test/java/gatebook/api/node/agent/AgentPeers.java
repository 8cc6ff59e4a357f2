package gatebook.api.node.agent;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import gatebook.api.proof.NpmPeers;
import gatebook.events.Requires;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Peers of A2A from npm: a client and agents with the official SDK, in the versions of their lock
 * file. The build installs them before the tests.
 */
final class AgentPeers {
  private static final JsonMapper JSON = new JsonMapper();
  private static final Path FOLDER =
      Path.of(System.getProperty("gatebook.root"), "api/src/test/peers/a2a");
  private static final long TIMEOUT_SECONDS = 60;

  private AgentPeers() {}

  /** An agent of the official SDK, which speaks one version. */
  record PeerAgent(Process process, String url) implements AutoCloseable {

    static PeerAgent start(String version) throws IOException {
      Process process = node(Map.of(), "fixture/agent.mjs", version);
      BufferedReader out = process.inputReader(UTF_8);
      String url = out.readLine();
      if (url == null) {
        throw new AssertionError("the agent does not start");
      }
      return new PeerAgent(process, url);
    }

    @Override
    public void close() {
      process.destroyForcibly();
    }
  }

  /** What came of each step of the client of version 1.0: its result, or its error. */
  static Map<String, JsonNode> calls(Map<String, String> skills, String... arguments)
      throws Exception {
    return steps(
        node(
            Map.of("SKILLS", JSON.writeValueAsString(skills)),
            Stream.concat(Stream.of("client/calls.mjs"), Stream.of(arguments))
                .toArray(String[]::new)));
  }

  /** What the client of version 0.3 reads of errors before the first item of a stream. */
  static Map<String, JsonNode> refusedStreams(String url) throws Exception {
    return steps(node(Map.of(), "client/refused.mjs", url));
  }

  private static Map<String, JsonNode> steps(Process process) throws Exception {
    try {
      Map<String, JsonNode> steps = new LinkedHashMap<>();
      for (JsonNode step : JSON.readTree(process.getInputStream().readAllBytes())) {
        steps.put(step.path("step").asText(), step.path(step.has("error") ? "error" : "result"));
      }
      if (!process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
        throw new AssertionError("the client does not end well");
      }
      return steps;
    } finally {
      process.destroyForcibly();
    }
  }

  private static Process node(Map<String, String> environment, String... arguments)
      throws IOException {
    Requires.packages(FOLDER);
    ProcessBuilder builder =
        new ProcessBuilder(
                Stream.concat(Stream.of(NpmPeers.program()), Stream.of(arguments)).toList())
            .directory(FOLDER.toFile())
            .redirectError(ProcessBuilder.Redirect.INHERIT);
    builder.environment().putAll(environment);
    return builder.start();
  }
}
