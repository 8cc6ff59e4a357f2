package gatebook.api.node;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import gatebook.api.cli.ApproveCommand;
import gatebook.api.cli.CommandRun;
import gatebook.api.cli.DenialsCommand;
import gatebook.api.cli.ErrorsCommand;
import gatebook.api.cli.RejectCommand;
import gatebook.api.cli.lookup.CallsCommand;
import gatebook.api.cli.lookup.LookupCommand;
import gatebook.api.http.Port;
import gatebook.api.http.RawHttp;
import gatebook.api.rpc.JsonStrings;
import gatebook.api.upstream.source.StubServer;
import gatebook.events.journal.JournalSettings;
import gatebook.events.journal.crash.PostgresServer;
import gatebook.events.journal.h2.EmbeddedLocation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Plants secrets in every text that a caller, an upstream, an operator or the rules can set. None
 * may occur in any error, header, log line, event, file, metric or answer to an operator with the
 * role {@code view}. Ids are returned by contract, and results pass unchanged.
 */
final class PlantedSecretsTest {

  private static final long SEED = 20_260_102;
  private static final int ROUNDS = 2;
  private static final String[] PATHS = {"/mcp", "/rpc", "/flow", "/a2a"};
  private static final String ALNUM =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
  private static final String JSON = "Content-Type: application/json";

  /** The token of an operator with the role {@code view} only. */
  private static final String BOB = "operator-bob-0123456789";

  private static final List<String> METHODS =
      List.of(
          "initialize",
          "ping",
          "server/discover",
          "tools/list",
          "tools/call",
          "resources/list",
          "resources/templates/list",
          "resources/read",
          "resources/subscribe",
          "resources/unsubscribe",
          "prompts/list",
          "prompts/get",
          "completion/complete",
          "logging/setLevel",
          "tasks/get",
          "tasks/result",
          "tasks/list",
          "tasks/update",
          "tasks/cancel",
          "notifications/cancelled",
          "notifications/progress",
          "notifications/no-such");

  private final Random random = new Random(SEED);
  private final List<String> hidden = new ArrayList<>();
  private final List<String> answers = new ArrayList<>();
  private String upstreamsError = "{}";
  private String upstreamsResult = "";

  @TempDir private Path folder;

  @Test
  void noSecretIsReturnedOrStored() throws IOException {
    Path data = folder.resolve("data");
    expectNoneOf(new EmbeddedLocation(data.resolve("journal")), data);
    assertThat(filesOf(data)).filteredOn(it -> it.contains("[token]")).hasSize(2);
  }

  @Test
  void noSecretIsReturnedOrStoredOnPostgres() throws IOException {
    try (PostgresServer server = PostgresServer.start(folder.resolve("postgres"))) {
      Path files = folder.resolve("postgres");
      expectNoneOf(server.location(), folder.resolve("data"), files);
      assertThat(filesOf(files)).anyMatch(it -> it.contains("[token]"));
    }
  }

  private void expectNoneOf(JournalSettings.Location database, Path... stored) throws IOException {
    try (StubServer stubServer = new StubServer(this::fail);
        WatchedNode node = WatchedNode.start(folder, rules(stubServer), database)) {
      for (int round = 0; round < ROUNDS; round++) {
        plantInNames(node);
        plantInHeaders(node);
        plantInWhatIsNoCall(node);
        plantInArguments(node);
        plantInMethodsOfMcp(node);
        plantInAddresses(node);
        plantInErrorsOfSources(node);
        plantInResultsOfSources(node);
        plantInReasons(node, round);
        plantInParamsOfOperators(node);
        plantInCommands(node);
      }
      node.changeToInvalid(rules(stubServer) + "\n%s: 1".formatted(credential()));

      expectNone("an answer", answers);
      expectNone("a line of the log", node.allLines());
      expectNone("the journal", node.stored());
      assertThat(node.stored()).anyMatch(event -> event.contains("[token]"));
      expectNone("the metrics", List.of(node.get("/metrics").body()));
      List<String> shown = shownTo(BOB, node);
      expectNone("an answer to an operator who may look", shown);
      assertThat(shown).anyMatch(answer -> answer.contains("[token]"));
      for (Path directory : stored) {
        expectNone("a file in " + directory, filesOf(directory));
      }
    }
  }

  private String rules(StubServer stubServer) {
    return """
    schema: 1
    sources:
      - {id: demo, kind: demo, expose: {mode: blocklist, tools: ["gone*"]}}
      - {id: passing, kind: mcp, prefix: passing_, url: "%1$s", headers: {X-Api-Key: "%2$s"}}
      - {id: wrapping, kind: mcp, prefix: wrapping_, url: "%1$s", errors: wrap}
    governance:
      defaults: {action: forward}
      rules:
        - {match: "denied*", action: deny}
        - {match: "asked*", action: policy, policy_id: none}
        - {match: "held*", action: approve, approval: ops}
    approval: {ops: {timeout: 1h, on_timeout: deny}}
    record: {results: redacted}
    operators:
      - {name: alice, token_hash: "%3$s", roles: [view, arguments, approve, admin]}
      - {name: bob, token_hash: "%4$s", roles: [view]}
    """
        .formatted(
            stubServer.url("/mcp"),
            credential(),
            WatchedNode.hash(WatchedNode.ALICE),
            WatchedNode.hash(BOB));
  }

  private void plantInNames(WatchedNode node) throws IOException {
    for (String path : PATHS) {
      send(node, path, "1", "no/such/" + credential(), "{}");
      send(node, path, JsonStrings.quoted(credential()), "no/such", "{}");
    }
    for (String tool : List.of("gone ", "denied ", "asked ", "")) {
      send(node, "/mcp", "1", "tools/call", "{\"name\":%s}".formatted(quotedWith(tool)));
    }
    send(
        node, "/mcp", "1", "resources/read", "{\"uri\":%s}".formatted(quotedWith("https://user:")));
  }

  private void plantInHeaders(WatchedNode node) throws IOException {
    byte[] call = message("1", "no/such", "{}");
    for (String name :
        List.of(
            "X-Correlation-Id",
            "traceparent",
            "Mcp-Protocol-Version",
            "A2A-Version",
            "User-Agent",
            "X-Anything",
            "Cookie",
            "Accept")) {
      String path = PATHS[random.nextInt(PATHS.length)];
      keep(node.send(Port.CALLERS, path, call, JSON, name + ": " + credential()));
    }
    keep(node.post("/mcp", "c", call, "Authorization: Bearer " + hide(chars(24, ALNUM))));
    keep(node.send(Port.CALLERS, "/mcp", call, "Content-Type: text/plain; x=" + credential()));
    keep(
        node.send(
            Port.CALLERS, "/mcp", call, "Content-Type: application/json; charset=" + credential()));
  }

  private void plantInWhatIsNoCall(WatchedNode node) throws IOException {
    for (String path : PATHS) {
      for (String body :
          List.of(
              "%s",
              """
              {"jsonrpc":"2.0","id":1,"method":"%s\
              """,
              """
              {"jsonrpc":"%s","id":1,"method":"m","params":{}}\
              """,
              """
              {"jsonrpc":"2.0","id":["%s"],"method":"m","params":{}}\
              """,
              """
              {"jsonrpc":"2.0","id":1,"method":"m","params":"%s"}\
              """,
              "[\"%s\"]",
              "{\"%s\":1}",
              """
              {"jsonrpc":"2.0","id":1,"method":{"m":"%s"},"params":{}}\
              """)) {
        keep(node.post(path, "c", body.formatted(credential()).getBytes(UTF_8)));
      }
    }
  }

  private void plantInArguments(WatchedNode node) throws IOException {
    for (String tool : List.of("gone", "denied", "asked", "passing_x", "wrapping_x")) {
      upstreamsError =
          """
          {"code":-1,"message":"no"}\
          """;
      send(
          node,
          "/mcp",
          "1",
          "tools/call",
          """
          {"name":"%s","arguments":{%s:%s,"list":[%s],"password":"%s"},"_meta":{"traceparent":%s}}\
          """
              .formatted(
                  tool,
                  quotedWith(""),
                  quoted(text()),
                  quoted(text()),
                  hide(chars(12, ALNUM)),
                  quoted(text())));
    }
    send(
        node,
        "/mcp",
        "1",
        "tools/call",
        """
        {"name":[%s],"arguments":{}}\
        """
            .formatted(quoted(text())));
    send(
        node,
        "/mcp",
        "1",
        "tools/call",
        """
        {"name":"echo","arguments":%s}\
        """
            .formatted(quoted(text())));
  }

  private void plantInMethodsOfMcp(WatchedNode node) throws IOException {
    upstreamsError =
        """
        {"code":-1,"message":"no"}\
        """;
    for (String method : METHODS) {
      for (String version : List.of("", "2025-06-18", "2025-11-25")) {
        String params =
            """
            {"uri":%s,"name":%s,"cursor":%s,"taskId":%s,"level":%s,"protocolVersion":%s,%s:%s,
            "clientInfo":{"name":%s,"version":%s},"capabilities":{%s:{}},"requestId":%s,"reason":%s,
            "ref":{"type":"ref/resource","uri":%s},"argument":{"name":%s,"value":%s},
            "requestState":%s,"_meta":{"io.modelcontextprotocol/related-task":{"taskId":%s}}}
            """;
        byte[] body = message("1", method, filled(params));
        keep(
            version.isEmpty()
                ? node.post("/mcp", "c", body)
                : node.post("/mcp", "c", body, "Mcp-Protocol-Version: " + version));
      }
      keep(
          node.post(
              "/mcp",
              "c",
              message("1", method, "{}"),
              "Mcp-Session-Id: " + credential(),
              "Last-Event-Id: " + credential(),
              "Mcp-Method: " + credential(),
              "Mcp-Name: " + credential()));
    }
    for (String method : List.of("initialize", "describeMethods", "setLogLevel", "tools/call")) {
      keep(
          node.post(
              "/rpc",
              "c",
              message(
                  "1",
                  method,
                  filled(
                      """
                      {"level":%s,"name":%s,"arguments":%s,%s:1}\
                      """))));
    }
  }

  private void plantInAddresses(WatchedNode node) throws IOException {
    for (String form :
        List.of(
            "https://example.org/x?token=%s",
            "https://example.org/%s",
            "file:///srv/x#key=%s",
            "https://user:%s@example.org/",
            "db://host/x?password=%s&y=1")) {
      String uri = quoted(form.formatted(hide(chars(24, ALNUM) + "Q7")));
      send(node, "/mcp", "1", "resources/read", "{\"uri\":%s}".formatted(uri));
      send(node, "/mcp", "1", "resources/subscribe", "{\"uri\":%s}".formatted(uri));
    }
    for (String path : List.of("/no/such/%s", "/mcp?key=%s", "/mcp/%s")) {
      keep(node.send(Port.CALLERS, path.formatted(webToken()), new byte[0], JSON));
      keep(node.send(Port.ADMIN, path.formatted(webToken()), new byte[0], JSON));
    }
  }

  /** A result passes unchanged; what is recorded of it must not contain the secret. */
  private void plantInResultsOfSources(WatchedNode node) throws IOException {
    upstreamsResult =
        filled(
            """
            {"content":[{"type":"text","text":%s}],%s:{"x":%s}}\
            """);
    var _ = node.post("/mcp", "c", message("1", "tools/call", "{\"name\":\"passing_x\"}"));
    upstreamsResult = "";
  }

  private void plantInReasons(WatchedNode node, int round) throws IOException {
    for (boolean approved : new boolean[] {true, false}) {
      String held = "held-%d-%s".formatted(round, approved);
      String params =
          filled(
              """
              {"name":"held","arguments":{"text":%s,%s:1}}\
              """);
      var answer = node.hold(held, new String(message("1", "tools/call", params), UTF_8));
      answers.add(node.operator(BOB, "approvals.list", "{}").toString());
      node.decide(held, approved, "they said " + credential());
      RawHttp.Answer released = answer.join();
      if (!approved) {
        keep(released);
      }
    }
  }

  /** Alice has every role, so her answers may contain secrets; what is recorded may not. */
  private void plantInParamsOfOperators(WatchedNode node) throws IOException {
    for (JsonNode method :
        node.operator(WatchedNode.ALICE, "rpc.discover", "{}").at("/result/methods")) {
      String name = method.path("name").asText();
      for (JsonNode param : method.path("params")) {
        for (String value : List.of("%s", "[%s]", "{%s:1}")) {
          String params = quoted(param.path("name").asText()) + ":" + filled(value);
          answers.add(node.operator(BOB, name, "{" + params + "}").toString());
          var _ = node.operator(WatchedNode.ALICE, name, "{" + params + "}");
        }
      }
      answers.add(node.operator(BOB, name, filled("{%s:%s}")).toString());
      answers.add(node.operator(BOB, name + credential(), "{}").toString());
    }
    for (String header : List.of("X-Correlation-Id", "traceparent", "User-Agent")) {
      String line = header + ": " + credential();
      keep(node.send(Port.ADMIN, "/operator", message("1", "no/such", "{}"), JSON, line));
    }
    keep(
        node.send(
            Port.ADMIN,
            "/operator",
            message("1", "rules.show", "{}"),
            JSON,
            "Authorization: Bearer " + hide(chars(24, ALNUM))));
  }

  private void plantInCommands(WatchedNode node) {
    List<String> server =
        List.of(
            "--url", "http://127.0.0.1:%d".formatted(node.at(Port.ADMIN).port()), "--token", BOB);
    for (Object command :
        List.of(
            new LookupCommand(),
            new ApproveCommand(),
            new RejectCommand(),
            new CallsCommand(),
            new DenialsCommand(),
            new ErrorsCommand())) {
      CommandRun.of(command, server, credential());
    }
    for (String option :
        List.of("--target", "--principal", "--method", "--correlation", "--fault", "--cursor")) {
      CommandRun.of(new CallsCommand(), server, option, credential());
    }
    CommandRun.of(
        new RejectCommand(), server, UUID.randomUUID().toString(), "--reason", credential());
  }

  /** The answers to an operator who calls every method. */
  private List<String> shownTo(String token, WatchedNode node) throws IOException {
    List<String> shown = new ArrayList<>();
    for (String question :
        List.of(
            """
            audit.denials {"by":["gate","tool","principal","reason","code"]}\
            """,
            "audit.errors {\"limit\":1000}",
            "approvals.list {}",
            "approvals.list {\"decided\":true}",
            "rules.show {}",
            "audit.parked {}",
            "audit.projections {}")) {
      String[] words = question.split(" ", 2);
      shown.add(node.operator(token, words[0], words[1]).toString());
    }
    JsonNode calls = node.operator(token, "audit.calls", "{\"limit\":1000}").path("result");
    shown.add(calls.toString());
    assertThat(calls.path("calls")).isNotEmpty();
    for (JsonNode call : calls.path("calls")) {
      String id = call.path("callId").asText();
      shown.add(node.operator(token, "audit.lookup", "{\"id\":\"%s\"}".formatted(id)).toString());
    }
    return shown;
  }

  private static List<String> filesOf(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      List<String> texts = new ArrayList<>();
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        texts.add(Files.readString(file, ISO_8859_1));
      }
      assertThat(texts).hasSizeGreaterThan(3);
      return texts;
    }
  }

  /** Fills each placeholder with a text that contains a secret. */
  private String filled(String form) {
    StringBuilder filled = new StringBuilder();
    int from = 0;
    for (int at = form.indexOf("%s"); at >= 0; at = form.indexOf("%s", from)) {
      filled.append(form, from, at).append(quotedWith(""));
      from = at + 2;
    }
    return filled.append(form.substring(from)).toString();
  }

  private void plantInErrorsOfSources(WatchedNode node) throws IOException {
    for (String tool : List.of("passing_x", "wrapping_x")) {
      upstreamsError =
          """
          {"code":-32042,"message":%s,"data":{"why":%s,%s:[%s],"password":"%s"}}\
          """
              .formatted(
                  quoted("failed: " + text()),
                  quoted(text()),
                  quotedWith(""),
                  quoted(text()),
                  hide(chars(12, ALNUM)));
      send(node, "/mcp", "1", "tools/call", "{\"name\":\"%s\"}".formatted(tool));
      upstreamsError = quoted(text());
      send(node, "/mcp", "1", "tools/call", "{\"name\":\"%s\"}".formatted(tool));
    }
  }

  private void fail(StubServer.Peer peer) throws IOException {
    String id = peer.request().id();
    String answer =
        upstreamsResult.isEmpty() ? "\"error\":" + upstreamsError : "\"result\":" + upstreamsResult;
    peer.answer(
        200,
        StubServer.JSON,
        """
        {"jsonrpc":"2.0","id":%s,%s}\
        """
            .formatted(id, answer));
  }

  private void send(WatchedNode node, String path, String id, String method, String params)
      throws IOException {
    RawHttp.Answer answer = node.post(path, "c", message(id, method, params));
    keep(
        new RawHttp.Answer(
            answer.status(), answer.headers(), answer.body().replace("\"id\":" + id, "\"id\":1")));
  }

  private static byte[] message(String id, String method, String params) {
    return """
    {"jsonrpc":"2.0","id":%s,"method":%s,"params":%s}\
    """
        .formatted(id, quoted(method), params)
        .getBytes(UTF_8);
  }

  /** Keeps an answer; header lines are compared in lower case. */
  private void keep(RawHttp.Answer answer) {
    answers.add(answer.body());
    answer.headers().forEach(answers::add);
  }

  private void expectNone(String where, List<String> texts) {
    TextSearch search = new TextSearch(hidden);
    assertThat(texts.stream().flatMap(text -> search.foundIn(text).stream())).as(where).isEmpty();
  }

  /** A credential recognisable by its form, on one line. */
  private String credential() {
    return switch (random.nextInt(6)) {
      case 0 -> hide("sk-proj-" + chars(40, ALNUM));
      case 1 -> hide("AKIA" + chars(16, "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"));
      case 2 -> hide("ghp_" + chars(36, ALNUM));
      case 3 -> hide(webToken());
      case 4 -> "https://user:" + hide(chars(10, ALNUM)) + "@example.org/x";
      default -> "Bearer " + hide(chars(24, ALNUM));
    };
  }

  /** A text that has to be redacted. */
  private String text() {
    return switch (random.nextInt(4)) {
      case 0 -> "see /home/" + hide(chars(9, ALNUM)) + "/" + chars(6, ALNUM) + "/id_rsa there";
      case 1 ->
          "-----BEGIN PRIVATE KEY-----\n"
              + hide(Base64.getEncoder().encodeToString(bytes(48)))
              + "\n-----END PRIVATE KEY-----";
      case 2 -> "retry with api_key=" + hide(chars(12, ALNUM)) + " set";
      default -> "with " + credential() + " in it";
    };
  }

  private String quotedWith(String before) {
    return quoted(before + credential());
  }

  private static String quoted(String text) {
    return JsonStrings.quoted(text);
  }

  private String hide(String secret) {
    hidden.add(secret);
    return secret;
  }

  private String webToken() {
    Base64.Encoder url = Base64.getUrlEncoder().withoutPadding();
    return url.encodeToString("{\"alg\":\"HS256\"}".getBytes(ISO_8859_1))
        + "."
        + url.encodeToString("{\"sub\":\"%d\"}".formatted(random.nextLong()).getBytes(ISO_8859_1))
        + "."
        + url.encodeToString(bytes(32));
  }

  private String chars(int count, String alphabet) {
    StringBuilder chars = new StringBuilder();
    for (int i = 0; i < count; i++) {
      chars.append(alphabet.charAt(random.nextInt(alphabet.length())));
    }
    return chars.toString();
  }

  private byte[] bytes(int count) {
    byte[] bytes = new byte[count];
    random.nextBytes(bytes);
    return bytes;
  }
}
