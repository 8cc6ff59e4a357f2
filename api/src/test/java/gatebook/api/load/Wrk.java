package gatebook.api.load;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.joining;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Generates the load with {@code wrk} on one thread; each connection sends its next request after a
 * response.
 *
 * <p>In a body, {@code %n} stands for a number that differs in each request.
 */
public record Wrk(Path directory) {
  private static final String MARK = "counted: ";

  private static final String SCRIPT =
      """
      wrk.method = "POST"
      local callers = {@callers@}
      wrk.headers = callers[1]
      local before, after = [==[@before@]==], [==[@after@]==]
      local varies = @varies@
      -- runs of one after another must not repeat each other's numbers
      local n = os.time() % 1000000 * 10000000
      wrk.body = before
      if varies then
        request = function()
          n = n + 1
          local body = string.format("%s%d%s", before, n, after)
          return wrk.format(nil, nil, callers[n % #callers + 1], body)
        end
      end
      done = function(summary, latency)
        local e = summary.errors
        io.write(string.format("counted: %d %d %d %d %d %d\\n", summary.requests,
          summary.duration, latency:percentile(50), latency:percentile(99), e.status,
          e.connect + e.read + e.write + e.timeout))
      end
      """;

  /** Sends requests without headers of their own. */
  public Sample run(URI url, String body, int connections, int seconds)
      throws IOException, InterruptedException {
    return load(url, script(body, List.of(Map.of())), connections, seconds);
  }

  /** Loads a subject, with at most one of its callers for each connection. */
  public Sample run(Subject subject, int connections, int seconds)
      throws IOException, InterruptedException {
    Subject called = subject.withCallers(connections);
    return load(called.url(), script(called.body(), called.callers()), connections, seconds);
  }

  private Sample load(URI url, String script, int connections, int seconds)
      throws IOException, InterruptedException {
    Path file = Files.writeString(directory.resolve("load.lua"), script);
    return run(url, file, connections, seconds, List.of());
  }

  /** Runs a script, which prints what it counted as {@link Sample} reads it. */
  public Sample run(URI url, Path script, int connections, int seconds, List<String> arguments)
      throws IOException, InterruptedException {
    List<String> command =
        new ArrayList<>(
            List.of(
                "wrk",
                "-t1",
                "-c" + connections,
                "-d" + seconds + "s",
                "--timeout",
                "30s",
                "-s",
                script.toString(),
                url.toString()));
    if (!arguments.isEmpty()) {
      command.add("--");
      command.addAll(arguments);
    }
    Process wrk = new ProcessBuilder(command).redirectErrorStream(true).start();
    List<String> lines = new String(wrk.getInputStream().readAllBytes(), UTF_8).lines().toList();
    if (wrk.waitFor() != 0) {
      throw new IOException("wrk ended with %d: %s".formatted(wrk.exitValue(), lines));
    }
    return lines.stream()
        .filter(line -> line.startsWith(MARK))
        .map(line -> Sample.parse(line.substring(MARK.length())))
        .findFirst()
        .orElseThrow(() -> new IOException("wrk counted nothing: " + lines));
  }

  private static String script(String body, List<Map<String, String>> callers) {
    int at = body.indexOf("%n");
    return SCRIPT
        .replace("@callers@", callers.stream().map(Wrk::table).collect(joining(", ")))
        .replace("@before@", at < 0 ? body : body.substring(0, at))
        .replace("@after@", at < 0 ? "" : body.substring(at + 2))
        .replace("@varies@", Boolean.toString(at >= 0));
  }

  /** The headers of a caller, as Lua writes them. */
  private static String table(Map<String, String> headers) {
    return Stream.concat(
            Stream.of("[\"Content-Type\"]=\"application/json\""),
            headers.entrySet().stream()
                .map(header -> "[\"%s\"]=\"%s\"".formatted(header.getKey(), header.getValue())))
        .collect(joining(",", "{", "}"));
  }
}
