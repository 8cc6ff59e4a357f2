package gatebook.api;

import static java.nio.charset.StandardCharsets.UTF_8;

import gatebook.api.log.OriginalStdout;
import gatebook.api.rpc.MessageWriter;
import gatebook.api.upstream.mcp.McpMethod;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.Writer;
import java.net.HttpURLConnection;
import java.net.URI;
import java.util.List;
import java.util.stream.Stream;
import picocli.CommandLine;

/**
 * Runs the training for the JVM's class caches. The launcher starts it with a JVM that records the
 * classes it loads.
 *
 * <p>{@code CacheTraining commands DATA} calls each gate of the server that has this data directory
 * and prints its addresses into standard input, loads the console, and runs each operator command.
 * {@code CacheTraining local DATA TRACE} runs a daemon on the frames from standard input, one of
 * which has this trace, and then reads its whole journal.
 */
final class CacheTraining {

  private static final String CORRELATION = "cache-training";
  private static final int ADDRESS_OFFSET = "callers ".length();

  /** One call for each outcome: answered, denied by gate 1, 2 and 3. */
  private static final List<String> CALLS =
      List.of(
          "\"echo\",\"arguments\":{\"hello\":\"world\"}",
          "\"process\",\"arguments\":{}",
          "\"delete_all\",\"arguments\":{}",
          "\"transfer\",\"arguments\":{\"to\":\"alice\",\"amount\":500}");

  private static final List<List<String>> COMMANDS =
      List.of(
          List.of("lookup", CORRELATION),
          List.of("lookup", "nothing"),
          List.of("tree", "nothing"),
          List.of("calls", "--status", "denied", "--since", "1h"),
          List.of("denials", "--since", "24h", "--by", "gate,tool"),
          List.of("errors"),
          List.of("approvals"),
          List.of("approve", "nothing"),
          List.of("reject", "nothing", "--reason", "none"),
          List.of("projections"),
          List.of("parked", "--projection", "calls"),
          List.of("console", "--print"),
          List.of("token", "rotate"));

  private CacheTraining() {}

  public static void main(String[] args) throws IOException {
    String data = args[1];
    if (args[0].equals("commands")) {
      call(new BufferedReader(new InputStreamReader(System.in, UTF_8)));
      executeEach(COMMANDS, data);
      execute(List.of("--help"));
    } else {
      OriginalStdout.keepForProtocol();
      execute(List.of("stdio"), "--data", data);
      executeEach(fullReads(args[2]), data);
    }
    System.exit(CommandLine.ExitCode.OK);
  }

  private static List<List<String>> fullReads(String trace) {
    return List.of(
        List.of("replay", trace),
        List.of("replay", "--projection", "approvals"),
        List.of("verify"));
  }

  /** Waits until the server prints its addresses, then calls it and loads the console. */
  private static void call(BufferedReader output) throws IOException {
    URI callers = URI.create(output.readLine().substring(ADDRESS_OFFSET)).resolve("/mcp");
    URI console = URI.create(output.readLine().substring(ADDRESS_OFFSET)).resolve("/");
    Thread.ofPlatform().daemon().name("drain").start(() -> output.lines().forEach(_ -> {}));
    for (String call : CALLS) {
      HttpURLConnection connection = (HttpURLConnection) callers.toURL().openConnection();
      connection.setDoOutput(true);
      connection.setRequestProperty("Content-Type", "application/json");
      connection.setRequestProperty("X-Correlation-Id", CORRELATION);
      try (OutputStream body = connection.getOutputStream()) {
        body.write(
            MessageWriter.request("1", McpMethod.TOOLS_CALL, "{\"name\":%s}".formatted(call)));
      }
      connection.getResponseCode();
      connection.disconnect();
    }
    try (InputStream page = console.toURL().openStream()) {
      page.readAllBytes();
    }
  }

  private static void executeEach(List<List<String>> commands, String data) {
    for (List<String> command : commands) {
      execute(command, "--data", data);
      execute(command, "--data", data, "--json");
      execute(command, "--help");
    }
  }

  private static void execute(List<String> command, String... moreArgs) {
    String[] args = Stream.concat(command.stream(), Stream.of(moreArgs)).toArray(String[]::new);
    PrintWriter nowhere = new PrintWriter(Writer.nullWriter());
    Gatebook.commandLine(args).setOut(nowhere).setErr(nowhere).execute(args);
  }
}
