package gatebook.api;

import static java.nio.charset.StandardCharsets.UTF_8;

import gatebook.api.stdio.FrameOutput;
import java.io.BufferedReader;
import java.io.IOException;
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
 * The training runs for the JVM's caches of loaded classes. The launcher has the JVM record what
 * they load.
 *
 * <p>{@code CacheTraining servers DIRECTORY} starts a server with the sample rules, calls each
 * gate, reads the whole journal, and holds a daemon's session with the frames on standard input.
 * {@code CacheTraining commands DIRECTORY} starts a server in another process, and runs each
 * command of an operator. The directory is empty.
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

  private static final List<List<String>> READING_ALL =
      List.of(
          List.of("replay", CORRELATION),
          List.of("replay", "--projection", "approvals"),
          List.of("verify"));

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
          List.of("projections"),
          List.of("parked", "--projection", "calls"),
          List.of("token", "rotate"));

  private CacheTraining() {}

  public static void main(String[] args) throws IOException {
    Path directory = Path.of(args[1]);
    String served = directory.resolve("served").toString();
    String[] serve = {"serve", "--data", served, "--port", "0", "--admin-port", "0"};
    if (args[0].equals("servers")) {
      FrameOutput.takeAway();
      call(besides(serve));
      executeEach(READING_ALL, served);
      execute(List.of("stdio"), "--data", directory.resolve("daemon").toString());
    } else {
      Process server = apart(serve);
      call(server.inputReader(UTF_8));
      executeEach(COMMANDS, served);
      execute(List.of("--help"));
    }
    System.exit(CommandLine.ExitCode.OK); // stops the server, of this process or apart
  }

  /** What a server in this process says. */
  private static BufferedReader besides(String... serve) throws IOException {
    PipedReader said = new PipedReader();
    PrintWriter out = new PrintWriter(new PipedWriter(said), true);
    Thread.ofPlatform()
        .daemon()
        .name("serve")
        .start(() -> Gatebook.commandLine(serve).setOut(out).execute(serve));
    return new BufferedReader(said);
  }

  private static Process apart(String... serve) throws IOException {
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

  /** Waits for a server to say where it listens, and calls it. */
  private static void call(BufferedReader said) throws IOException {
    URI callers = URI.create(said.readLine().substring(ADDRESS_AT)).resolve("/mcp");
    Thread.ofPlatform().daemon().name("drain").start(() -> said.lines().forEach(_ -> {}));
    for (String call : CALLS) {
      HttpURLConnection connection = (HttpURLConnection) callers.toURL().openConnection();
      connection.setDoOutput(true);
      connection.setRequestProperty("Content-Type", "application/json");
      connection.setRequestProperty("X-Correlation-Id", CORRELATION);
      try (OutputStream body = connection.getOutputStream()) {
        body.write(
            "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":%s}}"
                .formatted(call)
                .getBytes(UTF_8));
      }
      connection.getResponseCode();
      connection.disconnect();
    }
  }

  private static void executeEach(List<List<String>> commands, String data) {
    for (List<String> command : commands) {
      execute(command, "--data", data);
      execute(command, "--data", data, "--json");
      execute(command, "--help");
    }
  }

  private static void execute(List<String> command, String... more) {
    String[] args = Stream.concat(command.stream(), Stream.of(more)).toArray(String[]::new);
    PrintWriter nowhere = new PrintWriter(Writer.nullWriter());
    Gatebook.commandLine(args).setOut(nowhere).setErr(nowhere).execute(args);
  }
}
