package gatebook.api.load;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

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
      wrk.headers["Content-Type"] = "application/json"
      local before, after = [==[@before@]==], [==[@after@]==]
      local varies = @varies@
      -- runs of one after another must not repeat each other's numbers
      local n = os.time() % 1000000 * 10000000
      wrk.body = before
      if varies then
        request = function()
          n = n + 1
          return wrk.format(nil, nil, nil, string.format("%s%d%s", before, n, after))
        end
      end
      done = function(summary, latency)
        local e = summary.errors
        io.write(string.format("counted: %d %d %d %d %d %d\\n", summary.requests,
          summary.duration, latency:percentile(50), latency:percentile(99), e.status,
          e.connect + e.read + e.write + e.timeout))
      end
      """;

  public Sample run(URI url, String body, int connections, int seconds)
      throws IOException, InterruptedException {
    Path script = Files.writeString(directory.resolve("load.lua"), script(body));
    return run(url, script, connections, seconds, List.of());
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

  private static String script(String body) {
    int at = body.indexOf("%n");
    return SCRIPT
        .replace("@before@", at < 0 ? body : body.substring(0, at))
        .replace("@after@", at < 0 ? "" : body.substring(at + 2))
        .replace("@varies@", Boolean.toString(at >= 0));
  }
}
