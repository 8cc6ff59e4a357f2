package gatebook.api.node.secret;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import gatebook.api.cli.ApprovalsCommand;
import gatebook.api.cli.ApproveCommand;
import gatebook.api.cli.CommandRun;
import gatebook.api.cli.ConsoleCommand;
import gatebook.api.cli.DenialsCommand;
import gatebook.api.cli.ErrorsCommand;
import gatebook.api.cli.RejectCommand;
import gatebook.api.cli.RulesCommand;
import gatebook.api.cli.TailCommand;
import gatebook.api.cli.TokenCommand;
import gatebook.api.cli.VerifyCommand;
import gatebook.api.cli.lookup.CallsCommand;
import gatebook.api.cli.lookup.DrawTreeCommand;
import gatebook.api.cli.lookup.LookupCommand;
import gatebook.api.cli.replay.ParkedCommand;
import gatebook.api.cli.replay.ProjectionsCommand;
import gatebook.api.cli.replay.ReplayCommand;
import gatebook.api.http.Port;
import gatebook.api.http.RawHttp;
import gatebook.api.mcp.McpServer;
import gatebook.api.node.NodeCaller;
import gatebook.api.node.WatchedNode;
import gatebook.api.rpc.JsonStrings;
import gatebook.api.upstream.source.StubServer;
import gatebook.events.CallerReplied;
import gatebook.events.Proof;
import gatebook.events.journal.PostgresServer;
import gatebook.events.journal.segment.SegmentLocation;
import gatebook.events.journal.storage.JournalSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URLEncoder;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.OptionSpec;

/**
 * Plants secrets in every text that a caller, an upstream, an operator or the rules can set. None
 * may occur in any error, header, log line, event, file, metric or answer to an operator with the
 * role {@code view}. Ids are returned by contract, and results pass unchanged.
 */
@Order(1)
final class PlantedSecretsTest {

  private static final long SEED = 20_260_102;
  private static final int ROUNDS = Proof.LONG ? 4 : 1;

  /** Only some of the texts are cut where the rest of a secret does not look like one. */
  private static final int ATTEMPTS = Proof.LONG ? 4 : 1;

  /** Calls have few forms, and the tail shows the events of every call. */
  private static final int EACH_CALL = Proof.LONG ? 1 : 8;

  private static final String[] PATHS = {"/mcp", "/rpc", "/flow", "/a2a"};
  private static final String JSON = "Content-Type: application/json";
  private static final String STREAM = "application/json, text/event-stream";
  private static final String SESSION = "mcp-session-id: ";
  private static final String LISTEN = "subscriptions/listen";
  private static final Pattern QUESTION_ID = Pattern.compile("\"id\":\"(gatebook-\\d+)\"");

  private static final int FORBIDDEN = 403;

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

  /** What only the process of the command reads; it tells its user which file it means. */
  private static final Set<String> NOT_SENT =
      Set.of("--url", "--token", "--data", "--ca", "--cert", "--cert-key");

  /** Methods, each with a member whose text is recorded. */
  private static final List<String> MEMBERS =
      List.of(
          "tools/call name",
          "tools/list cursor",
          "resources/read uri",
          "tasks/get taskId",
          "initialize protocolVersion",
          LISTEN + " notifications");

  private final PlantedSecrets secrets = new PlantedSecrets(SEED);
  private final List<String> answers = new ArrayList<>();
  private String upstreamsError = "{}";
  private String upstreamsResult = "";
  private StubServer.@Nullable Script upstreamsScript;

  @TempDir private Path folder;

  @Test
  void noSecretIsReturnedOrStored() throws IOException {
    Path data = folder.resolve("data");
    expectNoneOf(new SegmentLocation(data.resolve("journal")), true, data);
    assertThat(filesOf(data)).filteredOn(it -> it.contains("[token]")).hasSize(2);
  }

  /**
   * Texts are cut, and operators answered, in the same way with any database, so only long proofs
   * do that here too.
   */
  @Test
  void noSecretIsReturnedOrStoredOnPostgres() throws IOException {
    try (PostgresServer server = PostgresServer.start()) {
      Path files = server.directory();
      expectNoneOf(server.location(), Proof.LONG, folder.resolve("data"), files);
      assertThat(filesOf(files)).anyMatch(it -> it.contains("[token]"));
    }
  }

  private void expectNoneOf(
      JournalSettings.Location database, boolean withOperators, Path... stored) throws IOException {
    try (StubServer stubServer = new StubServer(this::fail);
        McpServer asking = new McpServer();
        WatchedNode node = WatchedNode.start(folder, rules(stubServer, asking), database)) {
      for (int round = 0; round < ROUNDS; round++) {
        plantInMessages(node, asking, round);
        if (withOperators) {
          plantInWhatOperatorsSend(node);
        }
      }
      for (int attempt = 0; attempt < (withOperators ? ATTEMPTS : 0); attempt++) {
        plantAcrossCuts(node);
      }
      node.changeToInvalid(rules(stubServer, asking) + "\n%s: 1".formatted(secrets.credential()));

      expectNone("an answer", answers);
      expectNone("a line of the log", node.allLines());
      expectNone("the journal", node.stored());
      assertThat(node.stored()).anyMatch(event -> event.contains("[token]"));
      expectNone("the metrics", List.of(node.get("/metrics").body()));
      if (withOperators) {
        List<String> shown = shownTo(BOB, node);
        expectNone("an answer to an operator who may look", shown);
        assertThat(shown).anyMatch(answer -> answer.contains("[token]"));
      }
      for (Path directory : stored) {
        expectNone("a file in " + directory, filesOf(directory));
      }
    }
  }

  /** Whatever of it is recorded is recorded in events. */
  private void plantInMessages(WatchedNode node, McpServer asking, int round) throws IOException {
    plantInNames(node);
    plantInHeaders(node);
    plantInWhatIsNoCall(node);
    plantInArguments(node);
    plantInParamsOfDialects(node);
    plantInMethodsOfMcp(node);
    plantInAddresses(node);
    plantInErrorsOfSources(node);
    plantInHttpOfSources(node);
    plantInResultsOfSources(node);
    plantInQuestions(node, asking);
    plantInStatelessMessages(node);
    plantInReasons(node, round);
    plantInReasonsForOtherCalls(node);
  }

  private void plantInWhatOperatorsSend(WatchedNode node) throws IOException {
    plantInParamsOfOperators(node);
    plantInQueriesOfTheTail(node);
    plantInSignIns(node);
    plantInCommands(node);
    plantInOptions(node);
  }

  private String rules(StubServer stubServer, McpServer asking) {
    return """
    schema: 1
    sources:
      - {id: demo, kind: demo, expose: {mode: blocklist, tools: ["gone*"]}}
      - {id: passing, kind: mcp, prefix: passing_, url: "%1$s", headers: {X-Api-Key: "%2$s"}}
      - {id: wrapping, kind: mcp, prefix: wrapping_, url: "%1$s", errors: wrap}
      - {id: asking, kind: mcp, prefix: asking_, url: "%5$s"}
      - {id: work, kind: jsonrpc, prefix: work., url: "%1$s"}
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
            secrets.credential(),
            WatchedNode.hash(NodeCaller.ALICE),
            WatchedNode.hash(BOB),
            asking.url());
  }

  private void plantInNames(WatchedNode node) throws IOException {
    for (String path : PATHS) {
      send(node, path, "1", "no/such/" + secrets.credential(), "{}");
      send(node, path, JsonStrings.quoted(secrets.credential()), "no/such", "{}");
      send(node, path, secrets.cardNumber(), "no/such", "{}");
    }
    for (String tool : List.of("gone ", "denied ", "asked ", "")) {
      send(node, "/mcp", "1", "tools/call", "{\"name\":%s}".formatted(quotedWith(tool)));
    }
    send(
        node, "/mcp", "1", "resources/read", "{\"uri\":%s}".formatted(quotedWith("https://user:")));
    for (String task :
        List.of(
            "{\"id\":%s,\"name\":\"a\"}",
            "{\"name\":\"a\",\"parent_id\":%s}",
            "{\"name\":\"a\",\"dependencies\":[{\"id\":%s}]}")) {
      send(node, "/flow/tasks", "1", "tasks.create", "[%s]".formatted(secrets.filled(task)));
    }
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
      String path = secrets.oneOf(PATHS);
      keep(node.send(Port.CALLERS, path, call, JSON, name + ": " + secrets.credential()));
    }
    keep(node.post("/mcp", "c", call, "Authorization: " + secrets.bearer()));
    keep(
        node.send(
            Port.CALLERS, "/mcp", call, "Content-Type: text/plain; x=" + secrets.credential()));
    keep(
        node.send(
            Port.CALLERS,
            "/mcp",
            call,
            "Content-Type: application/json; charset=" + secrets.credential()));
    keep(node.post("/mcp", "c", call, "Content-Encoding: " + secrets.credential()));
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
        keep(node.post(path, "c", body.formatted(secrets.credential()).getBytes(UTF_8)));
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
                  quoted(secrets.text()),
                  quoted(secrets.text()),
                  secrets.password(),
                  quoted(secrets.text())));
    }
    send(
        node,
        "/mcp",
        "1",
        "tools/call",
        """
        {"name":[%s],"arguments":{}}\
        """
            .formatted(quoted(secrets.text())));
    send(
        node,
        "/mcp",
        "1",
        "tools/call",
        """
        {"name":"echo","arguments":%s}\
        """
            .formatted(quoted(secrets.text())));
  }

  /** The params of the daemon's method are forwarded to a source, which fails. */
  private void plantInParamsOfDialects(WatchedNode node) throws IOException {
    for (String path : PATHS) {
      for (String method : List.of("work.do", "tasks.create", "message/send", "tools/call")) {
        for (String form : List.of("{\"id\":%s,%s:{\"a\":[%s]},\"name\":%s}", "[%s,{%s:%s}]")) {
          upstreamsError = secrets.filled("{\"code\":-1,\"message\":%s,\"data\":[%s]}");
          String params = secrets.filled(form);
          send(node, path, "1", method, params);
          keep(node.post(path, "c", notification(method, params)));
        }
      }
    }
  }

  private static byte[] notification(String method, String params) {
    return """
    {"jsonrpc":"2.0","method":"%s","params":%s}\
    """
        .formatted(method, params)
        .getBytes(UTF_8);
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
        byte[] body = message("1", method, secrets.filled(params));
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
              "Mcp-Session-Id: " + secrets.credential(),
              "Last-Event-Id: " + secrets.credential(),
              "Mcp-Method: " + secrets.credential(),
              "Mcp-Name: " + secrets.credential()));
    }
    for (String method : List.of("initialize", "describeMethods", "setLogLevel", "tools/call")) {
      keep(
          node.post(
              "/rpc",
              "c",
              message(
                  "1",
                  method,
                  secrets.filled(
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
      String uri = quoted(form.formatted(secrets.key()));
      send(node, "/mcp", "1", "resources/read", "{\"uri\":%s}".formatted(uri));
      send(node, "/mcp", "1", "resources/subscribe", "{\"uri\":%s}".formatted(uri));
    }
    for (String path : List.of("/no/such/%s", "/mcp?key=%s", "/mcp/%s")) {
      keep(node.send(Port.CALLERS, path.formatted(secrets.webToken()), new byte[0], JSON));
      keep(node.send(Port.ADMIN, path.formatted(secrets.webToken()), new byte[0], JSON));
    }
  }

  /** A result passes unchanged; what is recorded of it must not contain the secret. */
  private void plantInResultsOfSources(WatchedNode node) throws IOException {
    upstreamsResult =
        secrets.filled(
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
          secrets.filled(
              """
              {"name":"held","arguments":{"text":%s,%s:1}}\
              """);
      var answer = node.hold(held, new String(message("1", "tools/call", params), UTF_8));
      answers.add(node.operator(BOB, "approvals.list", "{}").toString());
      node.decide(held, approved, "they said " + secrets.credential());
      RawHttp.Answer released = answer.join();
      if (!approved) {
        keep(released);
      }
    }
  }

  /** Alice has every role, so her answers may contain secrets; what is recorded may not. */
  private void plantInParamsOfOperators(WatchedNode node) throws IOException {
    for (JsonNode method :
        node.operator(NodeCaller.ALICE, "rpc.discover", "{}").at("/result/methods")) {
      String name = method.path("name").asText();
      for (JsonNode param : method.path("params")) {
        for (String value : List.of("%s", "[%s]", "{%s:1}")) {
          String params = quoted(param.path("name").asText()) + ":" + secrets.filled(value);
          answers.add(node.operator(BOB, name, "{" + params + "}").toString());
          var _ = node.operator(NodeCaller.ALICE, name, "{" + params + "}");
        }
      }
      answers.add(node.operator(BOB, name, secrets.filled("{%s:%s}")).toString());
      answers.add(node.operator(BOB, name + secrets.credential(), "{}").toString());
    }
    for (String header : List.of("X-Correlation-Id", "traceparent", "User-Agent")) {
      String line = header + ": " + secrets.credential();
      keep(node.send(Port.ADMIN, "/operator", message("1", "no/such", "{}"), JSON, line));
    }
    keep(
        node.send(
            Port.ADMIN,
            "/operator",
            message("1", "rules.show", "{}"),
            JSON,
            "Authorization: " + secrets.bearer()));
  }

  /** A question and its reply pass unchanged; what is recorded of them must not have secrets. */
  private void plantInQuestions(WatchedNode node, McpServer asking) throws IOException {
    String session = session(node);
    for (String reply : List.of("\"result\":{%s:%s}", "\"error\":{\"code\":1,\"message\":%s}")) {
      asking.question =
          secrets.filled(
              """
              {"jsonrpc":"2.0","id":"q","method":"elicitation/create","params":{"message":%s,%s:1}}\
              """);
      ask(node, session, secrets.filled(reply));
    }
    for (int attempt = 0; attempt < 2 * ATTEMPTS; attempt++) {
      asking.question =
          """
          {"jsonrpc":"2.0","id":"q","method":%s,"params":{}}\
          """
              .formatted(acrossCut(256));
      ask(node, session, "\"result\":{}");
    }
  }

  private String session(WatchedNode node) throws IOException {
    RawHttp.Answer opened =
        node.post(
            "/mcp",
            "c",
            message(
                "1",
                "initialize",
                """
                {"protocolVersion":"2025-11-25","capabilities":{"elicitation":{}},
                "clientInfo":{"name":"t","version":"1"}}
                """));
    return opened.headers().stream()
        .filter(header -> header.startsWith(SESSION))
        .findFirst()
        .orElseThrow()
        .substring(SESSION.length());
  }

  /** Calls a tool that asks a question, and replies to it. */
  private void ask(WatchedNode node, String session, String reply) throws IOException {
    long replies = replies(node);
    String _ =
        ResponseBeginning.read(
            node,
            Port.CALLERS,
            "/mcp",
            BodyPublishers.ofByteArray(message("1", "tools/call", "{\"name\":\"asking_ask\"}")),
            line -> {
              Matcher question = QUESTION_ID.matcher(line);
              if (question.find()) {
                reply(node, session, question.group(1), reply);
              }
              return true;
            },
            "Content-Type",
            "application/json",
            "Accept",
            STREAM,
            "Mcp-Session-Id",
            session);
    assertThat(replies(node)).isEqualTo(replies + 1);
  }

  private void reply(WatchedNode node, String session, String id, String reply) {
    String message =
        """
        {"jsonrpc":"2.0","id":"%s",%s}\
        """
            .formatted(id, reply);
    try {
      keep(node.post("/mcp", "c", message.getBytes(UTF_8), "Mcp-Session-Id: " + session));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static long replies(WatchedNode node) {
    return node.events().stream().filter(CallerReplied.class::isInstance).count();
  }

  /** Messages of the stateless revision, each of which says what its sender is. */
  private void plantInStatelessMessages(WatchedNode node) throws IOException {
    upstreamsError =
        """
        {"code":-1,"message":"no"}\
        """;
    for (String method : METHODS) {
      String name = secrets.credential();
      for (String revision : List.of("\"2026-07-28\"", "%s")) {
        String members = "\"name\":%1$s,\"uri\":%1$s,".formatted(quoted(name));
        keep(
            node.post(
                "/mcp",
                "c",
                message("1", method, "{" + members + secrets.filled(meta(revision)) + "}"),
                "MCP-Protocol-Version: 2026-07-28",
                "Mcp-Method: " + method,
                "Mcp-Name: " + name));
      }
    }
    for (String filter :
        List.of("%s", "{%s:true}", "{\"resourceSubscriptions\":[%s]}", "{\"taskIds\":[%s]}")) {
      String params = "{\"notifications\":" + filter + "," + meta("\"2026-07-28\"") + "}";
      answers.add(
          ResponseBeginning.read(
              node,
              Port.CALLERS,
              "/mcp",
              BodyPublishers.ofByteArray(message("1", LISTEN, secrets.filled(params))),
              line -> !line.isEmpty(),
              "Content-Type",
              "application/json",
              "Accept",
              STREAM,
              "MCP-Protocol-Version",
              "2026-07-28",
              "Mcp-Method",
              LISTEN));
    }
  }

  private static String meta(String revision) {
    return """
    "_meta":{"io.modelcontextprotocol/protocolVersion":%s,
    "io.modelcontextprotocol/clientCapabilities":{%%s:{},"extensions":{%%s:{}}},
    "io.modelcontextprotocol/clientInfo":{"name":%%s,"version":%%s},
    "io.modelcontextprotocol/logLevel":%%s,"progressToken":%%s,"traceparent":%%s,%%s:%%s}\
    """
        .formatted(revision);
  }

  /** Reasons for decisions about a call that is not held. */
  private void plantInReasonsForOtherCalls(WatchedNode node) throws IOException {
    String call =
        node.operator(BOB, "audit.calls", "{\"gate\":\"governance\",\"limit\":1}")
            .at("/result/calls/0/callId")
            .asText();
    for (String method : List.of("approvals.approve", "approvals.reject")) {
      for (String token : List.of(BOB, NodeCaller.ALICE)) {
        String params = secrets.filled("{\"callId\":\"" + call + "\",\"reason\":%s}");
        JsonNode answer = node.operator(token, method, params);
        assertThat(answer.has("error")).isTrue();
        answers.add(answer.toString());
      }
    }
  }

  private void plantInQueriesOfTheTail(WatchedNode node) throws IOException {
    for (String name : List.of("principal", "after", "name", "callId")) {
      answers.add(tailed(node, name + "=" + encoded(secrets.credential())));
    }
    answers.add(tailed(node, encoded(secrets.credential()) + "=1"));
    answers.add(tailed(node, "after=0", "Last-Event-ID", secrets.credential()));
  }

  private void plantInSignIns(WatchedNode node) throws IOException {
    String console = "X-Gatebook-Console: 1";
    String origin = "Origin: http://localhost:%d".formatted(node.at(Port.ADMIN).port());
    String cookie = "Cookie: gatebook_session=" + secrets.webToken();
    for (String body : List.of("{\"code\":%s}", "{%s:%s}", "%s", "{\"code\":[%s]}")) {
      byte[] sent = secrets.filled(body).getBytes(UTF_8);
      keep(node.send(Port.ADMIN, "/console/session", sent, JSON, console));
    }
    for (String header :
        List.of("Authorization: Bearer ", "Authorization: ", "X-Gatebook-Console: ", "Origin: ")) {
      String line = header + secrets.credential();
      keep(node.send(Port.ADMIN, "/console/session", new byte[0], line, console));
      keep(node.send(Port.ADMIN, "/console/session", new byte[0], line));
    }
    byte[] message = message("1", "operator.whoami", "{}");
    keep(node.send(Port.ADMIN, "/operator", message, JSON, cookie));
    keep(node.send(Port.ADMIN, "/operator", message, JSON, cookie, console));
    keep(node.send(Port.ADMIN, "/operator", message, JSON, cookie, console, origin));
    for (String method : List.of("DELETE", "GET")) {
      for (String path : List.of("/console/session", "/operator/tail", "/console/call/", "/?q=")) {
        keep(
            RawHttp.request(
                node.at(Port.ADMIN),
                method,
                path.endsWith("/") || path.endsWith("=") ? path + secrets.webToken() : path,
                "Host: localhost:%d".formatted(node.at(Port.ADMIN).port()),
                "Cookie: gatebook_session=" + secrets.webToken(),
                console));
      }
    }
  }

  /** The beginning of an answer of the tail. */
  private static String tailed(WatchedNode node, String query, String... headers)
      throws IOException {
    return tailed(node, query, line -> !line.isEmpty(), headers);
  }

  private static String tailed(
      WatchedNode node, String query, Predicate<String> wantsMore, String... headers)
      throws IOException {
    return ResponseBeginning.read(
        node,
        Port.ADMIN,
        "/operator/tail?" + query,
        BodyPublishers.noBody(),
        wantsMore,
        Stream.concat(Stream.of("Authorization", "Bearer " + BOB), Stream.of(headers))
            .toArray(String[]::new));
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, UTF_8);
  }

  private void plantInCommands(WatchedNode node) throws IOException {
    List<String> server = server(node, BOB);
    for (Object command :
        List.of(
            new LookupCommand(),
            new DrawTreeCommand(),
            new ApproveCommand(),
            new RejectCommand(),
            new CallsCommand(),
            new DenialsCommand(),
            new ErrorsCommand(),
            new ReplayCommand())) {
      run(command, server, secrets.credential());
    }
    for (String option :
        List.of("--target", "--principal", "--method", "--correlation", "--fault", "--cursor")) {
      run(new CallsCommand(), server, option, secrets.credential());
    }
    run(
        new RejectCommand(),
        server,
        UUID.randomUUID().toString(),
        "--reason",
        secrets.credential());
    run(new TailCommand(), server, "--name", secrets.credential());
    run(new TailCommand(), server, "--call", secrets.credential());
    run(new ParkedCommand(), server, "--projection", secrets.credential());
    run(new ReplayCommand(), server, "--projection", secrets.credential());
    run(new ReplayCommand(), server, "--projection", "calls", "--from", secrets.credential());
    for (Object command :
        List.of(
            new ApprovalsCommand(),
            new ConsoleCommand(),
            new VerifyCommand(),
            new ParkedCommand(),
            new ProjectionsCommand(),
            new TailCommand())) {
      run(command, server(node, secrets.webToken()));
    }
    run(new TokenCommand(), server(node, secrets.webToken()), "rotate");
    run(new TokenCommand(), server, "rotate");
    run(new VerifyCommand(), server, "--against", file(secrets.credential()));
    run(
        new RulesCommand(),
        List.of(),
        "check",
        file(
            secrets.filled(
                """
                schema: 1
                sources:
                  - {id: %s, kind: mcp, url: %s, prefix: %s, headers: {X-Api-Key: %s}}
                  - {id: other, kind: %s}
                governance:
                  defaults: {action: %s}
                  rules: [{match: %s, action: policy, policy_id: %s}, {match: x, action: %s}]
                approval: {ops: {timeout: %s, on_timeout: %s}}
                operators: [{name: %s, token_hash: %s, roles: [%s]}]
                """)));
  }

  /** Plants a secret in each option with a value, except those that name the server or a file. */
  private void plantInOptions(WatchedNode node) {
    for (Supplier<Object> command :
        List.<Supplier<Object>>of(
            LookupCommand::new,
            ConsoleCommand::new,
            DrawTreeCommand::new,
            ApprovalsCommand::new,
            ApproveCommand::new,
            RejectCommand::new,
            CallsCommand::new,
            DenialsCommand::new,
            ErrorsCommand::new,
            ParkedCommand::new,
            ReplayCommand::new)) {
      CommandLine.Model.CommandSpec spec = new CommandLine(command.get()).getCommandSpec();
      for (OptionSpec option : spec.options()) {
        if (option.arity().max() > 0 && !NOT_SENT.contains(option.longestName())) {
          String planted = option.longestName() + "=" + secrets.credential();
          String id = UUID.randomUUID().toString();
          run(command.get(), server(node, BOB), planted);
          run(command.get(), server(node, BOB), id, planted);
        }
      }
    }
  }

  private static List<String> server(WatchedNode node, String token) {
    return List.of(
        "--url", "http://127.0.0.1:%d".formatted(node.at(Port.ADMIN).port()), "--token", token);
  }

  private void run(Object command, List<String> server, String... arguments) {
    CommandRun commandRun = CommandRun.of(command, server, arguments);
    if (commandRun.code() != ExitCode.USAGE) { // a usage error repeats what was typed
      answers.add(commandRun.out());
      answers.add(commandRun.err());
    }
  }

  private String file(String text) throws IOException {
    Path file = folder.resolve("planted");
    Files.writeString(file, text);
    return file.toString();
  }

  /** Half a secret is not recognised as one, so a text must be redacted before it is cut. */
  private void plantAcrossCuts(WatchedNode node) throws IOException {
    for (int cut : PlantedSecrets.CUTS) {
      for (String path : PATHS) {
        send(node, path, "1", secrets.acrossCut("no ", cut), "{}");
        send(node, path, quoted(secrets.acrossCut("no ", cut)), "no/such", "{}");
      }
      for (String member : MEMBERS) {
        String[] words = member.split(" ", 2);
        send(node, "/mcp", "1", words[0], "{\"%s\":%s}".formatted(words[1], acrossCut(cut)));
      }
      for (String form : List.of("{\"level\":%s}", "{%s:1}", "%s")) {
        for (String method : List.of("setLogLevel", "describeMethods", "tools/call")) {
          send(node, "/rpc", "1", method, form.formatted(acrossCut(cut)));
        }
      }
      plantAcrossCutsOfHttp(node, cut);
      plantAcrossCutsOfOperators(node, cut);
    }
    plantAcrossCutsOfLargeMessages(node);
  }

  private void plantAcrossCutsOfHttp(WatchedNode node, int cut) throws IOException {
    byte[] call = message("1", "no/such", "{}");
    for (String header :
        List.of(
            "traceparent: ",
            "tracestate: a=",
            "Mcp-Protocol-Version: ",
            "Content-Encoding: ",
            "Origin: http://",
            "X-Correlation-Id: ",
            "Authorization: Bearer ",
            "Mcp-Session-Id: ")) {
      keep(node.post("/mcp", "c", call, header + secrets.acrossCut("ab,", cut)));
      keep(node.send(Port.ADMIN, "/operator", call, JSON, header + secrets.acrossCut("ab,", cut)));
    }
    for (String type : List.of("text/", "application/json; charset=")) {
      keep(
          node.send(
              Port.CALLERS, "/mcp", call, "Content-Type: " + type + secrets.acrossCut("ab,", cut)));
    }
    for (Port port : Port.values()) {
      keep(node.send(port, "/no/such/" + secrets.acrossCut("ab,", cut), new byte[0], JSON));
      keep(
          RawHttp.request(node.at(port), "POST", "/mcp", "Host: " + secrets.acrossCut("ab.", cut)));
    }
  }

  private void plantAcrossCutsOfOperators(WatchedNode node, int cut) throws IOException {
    for (String method : List.of("audit.lookup", "audit.replayCall")) {
      answers.add(node.operator(BOB, method, "{\"id\":%s}".formatted(acrossCut(cut))).toString());
    }
    for (String param : List.of("target", "principal", "method", "correlationId", "fault")) {
      String params = "{\"%s\":%s}".formatted(param, acrossCut(cut));
      answers.add(node.operator(BOB, "audit.calls", params).toString());
    }
    String rejected =
        "{\"callId\":\"%s\",\"reason\":%s}".formatted(UUID.randomUUID(), acrossCut(cut));
    answers.add(node.operator(NodeCaller.ALICE, "approvals.reject", rejected).toString());
    answers.add(node.operator(BOB, secrets.acrossCut("no ", cut), "{}").toString());
    answers.add(tailed(node, "principal=" + encoded(secrets.acrossCut("no ", cut))));
    answers.add(tailed(node, "name=" + encoded(secrets.acrossCut("no ", cut))));
  }

  /** Of messages that are too large, only the beginning is recorded. */
  private void plantAcrossCutsOfLargeMessages(WatchedNode node) throws IOException {
    for (String tool : List.of("passing_x", "wrapping_x")) {
      upstreamsError =
          """
          {"code":-32042,"message":%s,"data":{"a":%s}}\
          """
              .formatted(large(1_024), large(1_024));
      send(node, "/mcp", "1", "tools/call", "{\"name\":\"%s\"}".formatted(tool));
    }
    upstreamsResult =
        """
        {"content":[{"type":"text","text":%s}]}\
        """
            .formatted(large(4_096));
    String call = "{\"name\":\"passing_x\",\"arguments\":{\"text\":%s}}".formatted(large(4_096));
    var _ = node.post("/mcp", "c", message("1", "tools/call", call));
    upstreamsResult = "";
  }

  private String acrossCut(int cut) {
    return quoted(secrets.acrossCut("no ", cut));
  }

  private String large(int cut) {
    return quoted(secrets.acrossCut("no ", cut) + " and more".repeat(8_000));
  }

  /** The answers to an operator who calls every method. */
  private List<String> shownTo(String token, WatchedNode node) throws IOException {
    List<String> shown = new ArrayList<>();
    List<String> asked =
        new ArrayList<>(List.of("audit.calls", "audit.lookup", "audit.replayCall", "audit.case"));
    for (String question :
        List.of(
            """
            audit.denials {"by":["gate","tool","principal","reason","code"]}\
            """,
            "audit.errors {\"limit\":1000}",
            "audit.trees {\"limit\":1000}",
            "approvals.list {}",
            "approvals.list {\"decided\":true}",
            "rules.show {}",
            "audit.parked {}",
            "audit.verify {}",
            "rules.check {}",
            "rpc.discover {}",
            "operator.whoami {}",
            "node.status {}",
            "quotas.list {}",
            "audit.deniedCalls {\"limit\":1000}",
            "audit.failedCalls {\"limit\":1000}",
            "audit.proof {\"position\":1}",
            "audit.consistency {\"fromSize\":0}",
            "operator.consoleLink {}",
            "audit.projections {}")) {
      String[] words = question.split(" ", 2);
      asked.add(words[0]);
      shown.add(node.operator(token, words[0], words[1]).toString());
    }
    JsonNode calls = node.operator(token, "audit.calls", "{\"limit\":1000}").path("result");
    shown.add(calls.toString());
    assertThat(calls.path("calls")).isNotEmpty();
    for (int i = 0; i < calls.path("calls").size(); i += EACH_CALL) {
      String id = calls.at("/calls/%d/callId".formatted(i)).asText();
      String params = "{\"id\":\"%s\"}".formatted(id);
      shown.add(node.operator(token, "audit.lookup", params).toString());
      shown.add(node.operator(token, "audit.replayCall", params).toString());
      JsonNode caseFile = node.operator(token, "audit.case", params).at("/result/file");
      shown.add(new String(Base64.getDecoder().decode(caseFile.asText()), UTF_8));
    }
    String newest = "id: " + (node.journal().head() + 1);
    String tail = tailed(node, "after=0", line -> !line.equals(newest));
    assertThat(tail).contains("event: CallerReplied\n");
    shown.add(tail);
    shown.addAll(printedFor(token, node));
    assertThat(asked).containsAll(reads(node));
    return shown;
  }

  /** The methods that need no other role than {@code view}. */
  private static List<String> reads(WatchedNode node) throws IOException {
    List<String> reads = new ArrayList<>();
    for (JsonNode method : node.operator(BOB, "rpc.discover", "{}").at("/result/methods")) {
      String name = method.path("name").asText();
      JsonNode answer = node.operator(BOB, name, "{\"no-such\":1}");
      if (answer.at("/error/code").asInt() != FORBIDDEN) {
        reads.add(name);
      }
    }
    return reads;
  }

  /** What the commands print for an operator. */
  private static List<String> printedFor(String token, WatchedNode node) {
    List<String> printed = new ArrayList<>();
    List<String> server = server(node, token);
    for (List<String> options :
        List.of(server, Stream.concat(server.stream(), Stream.of("--json")).toList())) {
      for (Object command :
          List.of(
              new ApprovalsCommand(),
              new CallsCommand(),
              new DenialsCommand(),
              new ErrorsCommand(),
              new ParkedCommand(),
              new ProjectionsCommand(),
              new VerifyCommand())) {
        printed.add(CommandRun.of(command, options).out());
      }
      printed.add(CommandRun.of(new ApprovalsCommand(), options, "--decided").out());
    }
    assertThat(printed).noneMatch(String::isBlank);
    return printed;
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

  private void plantInErrorsOfSources(WatchedNode node) throws IOException {
    for (String tool : List.of("passing_x", "wrapping_x")) {
      upstreamsError =
          """
          {"code":-32042,"message":%s,"data":{"why":%s,%s:[%s],"password":"%s"}}\
          """
              .formatted(
                  quoted("failed: " + secrets.text()),
                  quoted(secrets.text()),
                  quotedWith(""),
                  quoted(secrets.text()),
                  secrets.password());
      send(node, "/mcp", "1", "tools/call", "{\"name\":\"%s\"}".formatted(tool));
      upstreamsError = quoted(secrets.text());
      send(node, "/mcp", "1", "tools/call", "{\"name\":\"%s\"}".formatted(tool));
    }
  }

  /** What is no JSON-RPC in an answer, and errors where other sources answer. */
  private void plantInHttpOfSources(WatchedNode node) throws IOException {
    for (String header :
        List.of(
            "Content-Type: %s",
            "Content-Type: application/json; charset=%s",
            "Retry-After: %s",
            "Location: https://user:%s@example.org/",
            "WWW-Authenticate: Bearer realm=%s",
            "%s: x")) {
      for (int status : new int[] {200, 302, 401, 429, 503}) {
        upstreamsScript =
            peer -> {
              var _ = peer.request();
              peer.answer(
                  status, header.formatted(secrets.webToken()) + "\r\n", "no " + secrets.text());
            };
        send(node, "/mcp", "1", "tools/call", "{\"name\":\"passing_x\"}");
      }
    }
    upstreamsScript = null;
    for (String method : List.of("tools/list", "resources/list", "prompts/list", "tasks/list")) {
      upstreamsError = secrets.filled("{\"code\":-1,\"message\":%s,\"data\":{%s:%s}}");
      send(node, "/mcp", "1", method, "{}");
    }
  }

  private void fail(StubServer.Peer peer) throws IOException {
    StubServer.Script script = upstreamsScript;
    if (script != null) {
      script.run(peer);
      return;
    }
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
    TextSearch search = secrets.search();
    assertThat(texts.stream().flatMap(text -> search.foundIn(text).stream())).as(where).isEmpty();
  }

  private String quotedWith(String before) {
    return quoted(before + secrets.credential());
  }

  private static String quoted(String text) {
    return JsonStrings.quoted(text);
  }
}
