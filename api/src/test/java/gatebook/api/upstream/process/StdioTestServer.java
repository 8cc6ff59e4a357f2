package gatebook.api.upstream.process;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * An MCP server on standard streams, in a process of its own, whose tools can fail in many ways.
 */
public final class StdioTestServer {

  private static final Pattern MESSAGE =
      Pattern.compile(
          """
          \\{"jsonrpc":"2.0"(?:,"id":(?<id>[^,]+))?,"method":"(?<method>[^"]+)"(?:,"params":(?<params>.*))?}\
          """);
  private static final Pattern NAME = Pattern.compile("\"name\":\"(?<is>[^\"]*)\"");
  private static final Pattern TOKEN =
      Pattern.compile(
          """
          "progressToken":(?<is>"[^"]*"|\\d+)\
          """);
  private static final Pattern BYTES = Pattern.compile("\"bytes\":(?<is>\\d+)");

  private final Mode mode;
  private final PrintStream out;
  private final List<String> notices = new ArrayList<>();

  /** How many calls will get no answer. */
  private int hanging;

  private String openId = "";

  /** How the server reacts to the handshake. */
  public enum Mode {
    /** Supports only sessions. */
    SESSIONS,
    /** Supports no sessions. */
    STATELESS,
    /** Ignores unknown requests. */
    SILENT,
    /** Exits if the first message is not {@code initialize}. */
    TOUCHY,
    /** Never answers. */
    MUTE
  }

  private StdioTestServer(Mode mode, PrintStream out) {
    this.mode = mode;
    this.out = out;
  }

  /** The command that starts the server. */
  public static List<String> command(Mode mode) {
    return List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-XX:TieredStopAtLevel=1",
        "-XX:+UseSerialGC",
        "-Xshare:auto",
        "-Xmx64m",
        "-cp",
        Path.of(StdioTestServer.class.getProtectionDomain().getCodeSource().getLocation().getPath())
            .toString(),
        StdioTestServer.class.getName(),
        mode.name());
  }

  public static void main(String[] args) throws IOException {
    StdioTestServer server =
        new StdioTestServer(Mode.valueOf(args[0]), new PrintStream(System.out, true, UTF_8));
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in, UTF_8));
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      server.take(line);
    }
  }

  private void take(String line) throws IOException {
    Matcher message = MESSAGE.matcher(line);
    if (!message.matches()) {
      result(openId, "{\"reply\":%s}".formatted(line));
    } else if (message.group("id") == null) {
      notices.add(line);
    } else if (mode != Mode.MUTE) {
      answer(
          message.group("id"),
          message.group("method"),
          Optional.ofNullable(message.group("params")).orElse("{}"));
    }
  }

  private void answer(String id, String method, String params) throws IOException {
    switch (method) {
      case "server/discover" -> discover(id);
      case "initialize" -> initialize(id);
      case "tools/list" ->
          result(
              id,
              """
              {"tools":[{"name":"echo"},{"name":"secret_echo"},{"name":"die"}]}\
              """);
      case "tools/call" -> call(id, found(NAME, params), params);
      default -> error(id, -32601, "no such method");
    }
  }

  private void discover(String id) {
    switch (mode) {
      case STATELESS ->
          result(
              id,
              """
              {"supportedVersions":["2099-01-01","2026-07-28"],"capabilities":{}}\
              """);
      case TOUCHY -> System.exit(7);
      case SESSIONS -> error(id, -32602, "not introduced");
      case SILENT, MUTE -> {}
    }
  }

  private void initialize(String id) {
    if (mode == Mode.STATELESS) {
      error(id, -32022, "there are no sessions");
    } else {
      result(
          id,
          """
          {"protocolVersion":"2025-11-25","capabilities":{"tools":{}},\
          "serverInfo":{"name":"played","version":"1"}}\
          """);
    }
  }

  private void call(String id, String tool, String params) throws IOException {
    switch (tool) {
      case "echo", "secret_echo" -> result(id, "{\"said\":%s}".formatted(params));
      case "die" -> System.exit(3);
      case "hang" -> hanging++;
      case "hanging" -> result(id, "{\"hanging\":%d}".formatted(hanging));
      case "fail" -> error(id, -32050, "it failed");
      case "progress" -> progress(id, params);
      case "garbage" -> garbage(id);
      case "huge" -> huge(id, Integer.parseInt(found(BYTES, params)));
      case "surrogate" ->
          result(
              id,
              """
              {"a":"\\ud800"}\
              """);
      case "surrogate_error" ->
          out.println(
              """
              {"error":{"code":-1,"message":"a\\ud800b"},"jsonrpc":"2.0","id":%s}\
              """
                  .formatted(id));
      case "deep" -> result(id, "[".repeat(1_000) + "]".repeat(1_000));
      case "not_a_number" -> result(id, "{\"a\":NaN}");
      case "latin" ->
          out.writeBytes(
              """
              {"result":{"a":"\u00e9"},"jsonrpc":"2.0","id":%s}
              """
                  .formatted(id)
                  .getBytes(ISO_8859_1));
      case "ask" -> {
        openId = id;
        out.println(
            """
            {"jsonrpc":"2.0","id":"srv-1","method":"sampling/createMessage","params":{"x":1}}\
            """);
      }
      case "ask_by_secret" -> {
        openId = id;
        out.println(
            """
            {"jsonrpc":"2.0","id":"AKIAIOSFODNN7EXAMPLE %s","method":"sampling/createMessage"}\
            """
                .formatted("x".repeat(100_000)));
      }
      case "notify" -> {
        out.println(
            """
            {"jsonrpc":"2.0","method":"notifications/tools/list_changed"}\
            """);
        result(id, "{}");
      }
      case "notices" ->
          result(id, notices.stream().collect(Collectors.joining(",", "{\"notices\":[", "]}")));
      case "environment" -> result(id, environment());
      case "complain" -> {
        System.err.println("it hurts: api_key=hunter2hunter2");
        result(id, "{}");
      }
      case "spawn" ->
          result(id, "{\"pid\":%d}".formatted(new ProcessBuilder("sleep", "600").start().pid()));
      default -> error(id, -32602, "no such tool");
    }
  }

  private void progress(String id, String params) {
    for (int i = 1; i <= 2; i++) {
      out.println(
          """
          {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":%s,"progress":%d}}\
          """
              .formatted(found(TOKEN, params), i));
    }
    result(id, "{}");
  }

  private void garbage(String id) {
    out.println("listening on port 1");
    out.println();
    out.println(
        """
        {"jsonrpc":"2.0","id":99999,"result":{}}\
        """);
    out.println("[]");
    out.println("{\"id\":");
    result(id, "{\"clean\":true}");
  }

  private void huge(String id, int bytes) {
    out.println(
        """
        {"result":{"text":"%s"},"jsonrpc":"2.0","id":%s}\
        """
            .formatted("x".repeat(bytes), id));
  }

  private static String environment() {
    return System.getenv().entrySet().stream()
        .sorted(java.util.Map.Entry.comparingByKey())
        .map(entry -> "\"%s\":\"%s\"".formatted(entry.getKey(), entry.getValue()))
        .collect(Collectors.joining(",", "{", "}"));
  }

  private static String found(Pattern pattern, String params) {
    Matcher found = pattern.matcher(params);
    return found.find() ? found.group("is") : "null";
  }

  private void result(String id, String result) {
    out.println(
        """
        {"result":%s,"jsonrpc":"2.0","id":%s}\
        """
            .formatted(result, id));
  }

  private void error(String id, int code, String message) {
    out.println(
        """
        {"jsonrpc":"2.0","id":%s,"error":{"code":%d,"message":"%s"}}\
        """
            .formatted(id, code, message));
  }
}
