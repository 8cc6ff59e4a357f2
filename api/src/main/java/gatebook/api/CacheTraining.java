package gatebook.api;

import static java.nio.charset.StandardCharsets.UTF_8;

import gatebook.api.rpc.MessageWriter;
import gatebook.api.stdio.FrameOutput;
import gatebook.api.upstream.mcp.McpMethod;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PipedReader;
import java.io.PipedWriter;
import java.io.PrintWriter;
import java.io.Writer;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import picocli.CommandLine;

/**
 * Runs the training for the JVM's class caches. The launcher starts it with a JVM that records the
 * classes it loads.
 *
 * <p>{@code CacheTraining servers DIRECTORY} starts a server with the sample rules, calls each
 * gate, loads the console, reads the whole journal, and runs a daemon on the frames from standard
 * input. {@code CacheTraining commands DIRECTORY} starts a server in another process and runs each
 * operator command. The directory must be empty.
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

  private static final List<List<String>> FULL_READS =
      List.of(
          List.of("replay", CORRELATION),
          List.of("replay", "--projection", "approvals"),
          List.of("verify"));

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
    Path directory = Path.of(args[1]);
    String served = directory.resolve("served").toString();
    String[] serve = {"serve", "--data", served, "--port", "0", "--admin-port", "0"};
    if (args[0].equals("servers")) {
      FrameOutput.redirectSystemOut();
      call(startHere(serve));
      executeEach(FULL_READS, served);
      execute(List.of("stdio"), "--data", directory.resolve("daemon").toString());
    } else {
      Process server = startProcess(serve);
      call(server.inputReader(UTF_8));
      executeEach(COMMANDS, served);
      execute(List.of("--help"));
    }
    System.exit(CommandLine.ExitCode.OK); // stops the server, in this process or the other
  }

  /** Starts a server in this process and returns its standard output. */
  private static BufferedReader startHere(String... serve) throws IOException {
    PipedReader output = new PipedReader();
    PrintWriter out = new PrintWriter(new PipedWriter(output), true);
    Thread.ofPlatform()
        .daemon()
        .name("serve")
        .start(() -> Gatebook.commandLine(serve).setOut(out).execute(serve));
    return new BufferedReader(output);
  }

  private static Process startProcess(String... serve) throws IOException {
    Stream<String> java =
        Stream.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "--enable-native-access=ALL-UNNAMED",
            "-cp",
            System.getProperty("java.class.path"),
            Gatebook.class.getName());
    Process server =
        new ProcessBuilder(Stream.concat(java, Stream.of(serve)).toList())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    Runtime.getRuntime().addShutdownHook(new Thread(server::destroy));
    return server;
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
