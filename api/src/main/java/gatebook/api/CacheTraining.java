package gatebook.api;

import gatebook.api.stdio.Stdout;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PipedReader;
import java.io.PipedWriter;
import java.io.PrintWriter;
import java.io.Writer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import picocli.CommandLine;

/**
 * The training run for the JVM's cache of loaded classes. In one process it starts a server with
 * the sample rules, calls each gate, runs each command of an operator, and holds a daemon's session
 * with the frames on standard input. The launcher has the JVM record what this loads.
 *
 * <p>Usage: {@code CacheTraining DIRECTORY}, which is empty.
 */
final class CacheTraining {

  private static final String CORRELATION = "cache-training";
  private static final int ADDRESS_AT = "callers ".length();

  /** A call for each outcome: answered, denied by gate 1, 2 and 3. */
  private static final List<String> CALLS =
      List.of(
          "\"echo\",\"arguments\":{\"hello\":\"world\"}",
          "\"process\",\"arguments\":{}",
          "\"delete_all\",\"arguments\":{}",
          "\"transfer\",\"arguments\":{\"to\":\"alice\",\"amount\":500}");

  /** Those that end by themselves. */
  private static final List<List<String>> COMMANDS =
      List.of(
          List.of("lookup", CORRELATION),
          List.of("lookup", "nothing"),
          List.of("calls", "--status", "denied", "--since", "1h"),
          List.of("denials", "--since", "24h", "--by", "gate,tool"),
          List.of("errors"),
          List.of("approvals"),
          List.of("approve", "nothing"),
          List.of("reject", "nothing", "--reason", "none"),
          List.of("replay", CORRELATION),
          List.of("replay", "--projection", "approvals"),
          List.of("projections"),
          List.of("parked", "--projection", "calls"),
          List.of("token", "rotate"),
          List.of("verify"));

  private CacheTraining() {}

  public static void main(String[] args) throws IOException, InterruptedException {
    Stdout.takeAway();
    Path directory = Path.of(args[0]);
    String served = directory.resolve("served").toString();
    URI callers = serve(served);
    try (HttpClient client = HttpClient.newHttpClient()) {
      for (String call : CALLS) {
        client.send(request(callers, call), BodyHandlers.discarding());
      }
    }
    for (List<String> command : COMMANDS) {
      execute(command, "--data", served);
      execute(command, "--data", served, "--json");
      execute(command, "--help");
    }
    execute(List.of("--help"));
    execute(List.of("stdio"), "--data", directory.resolve("daemon").toString());
    System.exit(CommandLine.ExitCode.OK); // stops the server
  }

  /** Returns where it listens for callers, once it does. */
  private static URI serve(String data) throws IOException {
    PipedReader said = new PipedReader();
    PrintWriter out = new PrintWriter(new PipedWriter(said), true);
    String[] args = {"serve", "--data", data, "--port", "0", "--admin-port", "0"};
    Thread.ofPlatform()
        .daemon()
        .name("serve")
        .start(() -> Gatebook.commandLine(args).setOut(out).execute(args));
    BufferedReader lines = new BufferedReader(said);
    String callers = lines.readLine();
    Thread.ofPlatform().daemon().name("drain").start(() -> lines.lines().forEach(_ -> {}));
    return URI.create(callers.substring(ADDRESS_AT)).resolve("/mcp");
  }

  private static HttpRequest request(URI callers, String call) {
    return HttpRequest.newBuilder(callers)
        .header("Content-Type", "application/json")
        .header("X-Correlation-Id", CORRELATION)
        .POST(
            BodyPublishers.ofString(
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":%s}}"
                    .formatted(call)))
        .build();
  }

  private static void execute(List<String> command, String... more) {
    String[] args = Stream.concat(command.stream(), Stream.of(more)).toArray(String[]::new);
    PrintWriter nowhere = new PrintWriter(Writer.nullWriter());
    Gatebook.commandLine(args).setOut(nowhere).setErr(nowhere).execute(args);
  }
}
