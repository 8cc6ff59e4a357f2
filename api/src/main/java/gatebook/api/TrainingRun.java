package gatebook.api;

import gatebook.api.log.OriginalStdout;
import gatebook.api.rpc.MessageWriter;
import gatebook.api.stdio.FrameWriter;
import gatebook.api.upstream.mcp.McpMethod;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.Writer;
import java.net.HttpURLConnection;
import java.net.URI;
import java.util.List;
import java.util.stream.Stream;
import picocli.CommandLine;

/**
 * What a JVM does while it records the classes that it loads, for {@link CacheTraining}.
 *
 * <p>{@code TrainingRun commands DATA CALLERS CONSOLE} calls each gate of the server that has this
 * data directory and these addresses, loads the console, and runs each operator command. {@code
 * TrainingRun local DATA} runs a daemon on the frames from standard input, and then reads its whole
 * journal.
 */
final class TrainingRun {

  private static final String CORRELATION = "cache-training";
  private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";

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

  private static final List<List<String>> FULL_READS =
      List.of(
          List.of("replay", TRACE),
          List.of("replay", "--projection", "approvals"),
          List.of("verify"));

  private TrainingRun() {}

  public static void main(String[] args) throws IOException {
    String data = args[1];
    if (args[0].equals("commands")) {
      call(URI.create(args[2]).resolve("/mcp"));
      load(URI.create(args[3]).resolve("/"));
      executeEach(COMMANDS, data);
      execute(List.of("--help"));
    } else {
      OriginalStdout.keepForProtocol();
      execute(List.of("stdio"), "--data", data);
      executeEach(FULL_READS, data);
    }
    System.exit(CommandLine.ExitCode.OK);
  }

  /** The frames for a daemon; the third call has the trace by which its journal is read. */
  static byte[] frames() throws IOException {
    String trace = "\"_meta\":{\"traceparent\":\"00-%s-00f067aa0ba902b7-01\"}".formatted(TRACE);
    ByteArrayOutputStream frames = new ByteArrayOutputStream();
    FrameWriter writer = new FrameWriter(frames);
    writer.write(MessageWriter.request("1", McpMethod.INITIALIZE, null));
    writer.write(MessageWriter.request("2", McpMethod.TOOLS_LIST, null));
    writer.write(toolCall("3", "\"echo\",\"arguments\":{\"a\":1}," + trace));
    writer.write(toolCall("4", "\"delete_all\",\"arguments\":{}"));
    writer.write(toolCall("5", "\"transfer\",\"arguments\":{\"amount\":500}"));
    writer.write(MessageWriter.request("6", "no/such", null));
    return frames.toByteArray();
  }

  private static byte[] toolCall(String id, String nameAndArguments) {
    return MessageWriter.request(
        id, McpMethod.TOOLS_CALL, "{\"name\":%s}".formatted(nameAndArguments));
  }

  private static void call(URI callers) throws IOException {
    for (String call : CALLS) {
      HttpURLConnection connection = (HttpURLConnection) callers.toURL().openConnection();
      connection.setDoOutput(true);
      connection.setRequestProperty("Content-Type", "application/json");
      connection.setRequestProperty("X-Correlation-Id", CORRELATION);
      try (OutputStream body = connection.getOutputStream()) {
        body.write(toolCall("1", call));
      }
      connection.getResponseCode();
      connection.disconnect();
    }
  }

  private static void load(URI console) throws IOException {
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
