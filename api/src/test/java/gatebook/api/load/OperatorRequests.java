package gatebook.api.load;

import static java.nio.charset.StandardCharsets.UTF_8;

import gatebook.events.bench.Times;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Requests of an operator to a measured process, with the token of its data directory. */
public final class OperatorRequests {
  private static final Pattern FORCES = Pattern.compile("\"forcedWrites\":(\\d+)");

  private final URI url;
  private final String token;

  public OperatorRequests(GatebookProcess gatebook, Path data) throws IOException {
    this.url = gatebook.admin("/operator");
    this.token = Files.readString(data.resolve("operator.token"), UTF_8).strip();
  }

  public String token() {
    return token;
  }

  /** The response to a JSON-RPC request. */
  public String send(String request) {
    return BenchRequests.post(url, Map.of("Authorization", "Bearer " + token), request).body();
  }

  /** The median and the 99th percentile of so many requests that find something. */
  public String millis(int requests, String method, Supplier<String> params) throws Exception {
    Times times =
        Times.measure(
            0,
            requests,
            () -> {
              String response = call(method, params.get());
              if (response.contains("\"calls\":[]") || response.contains("\"total\":0,")) {
                throw new IOException("nothing was found: " + response);
              }
            });
    return "%.2f / %.2f".formatted(times.millis(0.5), times.millis(0.99));
  }

  /** The result of a method, as JSON text. */
  public String call(String method, String params) throws IOException {
    String response =
        send(
            """
            {"jsonrpc":"2.0","id":1,"method":"%s","params":%s}\
            """
                .formatted(method, params));
    if (!response.contains("\"result\"")) {
      throw new IOException("%s is answered with %.500s".formatted(method, response));
    }
    return response;
  }

  /** How often the journal was forced to the disk since the node started. */
  public long forces() throws IOException {
    Matcher forces = FORCES.matcher(call("node.status", "{}"));
    if (!forces.find()) {
      throw new IOException("the status of the node has no forced writes");
    }
    return Long.parseLong(forces.group(1));
  }
}
