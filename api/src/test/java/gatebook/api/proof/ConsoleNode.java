package gatebook.api.proof;

import static java.util.stream.Collectors.joining;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import gatebook.api.data.DataDirectory;
import gatebook.api.data.JournalPlace;
import gatebook.api.data.JournalSection;
import gatebook.api.node.KeysOnDisk;
import gatebook.events.CallReceived;
import gatebook.events.ReceivedCall;
import gatebook.events.journal.ConflictCondition;
import gatebook.events.journal.DraftEvent;
import gatebook.events.journal.Journal;
import gatebook.events.journal.Journals;
import gatebook.events.keys.OldKeys;
import gatebook.events.keys.store.ContentKeyStore;
import gatebook.events.vocabulary.EventVocabulary;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A node whose console is tested, with its operators, a source, and callers whose calls every gate
 * decides.
 */
final class ConsoleNode implements AutoCloseable {
  static final String ALICE = "alice";
  static final String BOB = "bob";

  /** The token of the operator that the words name. */
  static final String NAMED_OPERATOR_TOKEN = "token-of-the-named-operator";

  private static final String NAMED_PRINCIPAL_TOKEN = "token-of-the-named-principal";
  private static final JsonMapper JSON = new JsonMapper();

  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final RecordingUpstream upstream = new RecordingUpstream(_ -> {});
  private final Path directory;
  private final ConsoleWords words;
  private ServerProcess server;

  /** A name of the node by which no browser trusts it as it trusts this machine. */
  static final String NAME = "gatebook.test";

  private ConsoleNode(Path directory, ConsoleWords words) {
    this.directory = directory;
    this.words = words;
    write(
        "payments.cedar",
        """
        // %s
        permit(principal, action, resource) when { resource.arguments.amount < 100 };
        """
            .formatted(words.comment()));
    write("gatebook.yaml", rules(""));
    this.server =
        ServerProcess.start(
            directory,
            new ServerProcess.StartOptions(List.of(), List.of("--name", NAME), Map.of()));
  }

  static ConsoleNode start(Path directory, ConsoleWords words) {
    return new ConsoleNode(directory, words);
  }

  /**
   * Starts a node whose journal begins with an event of a later version, which views cannot read.
   */
  static ConsoleNode startAfterUnreadableEvent(Path directory, ConsoleWords words) {
    Path data = directory.resolve("data");
    Instant now = Instant.now();
    try {
      Files.createDirectories(directory);
      try (DataDirectory _ = ((DataDirectory.Opening.Opened) DataDirectory.open(data)).directory();
          Journal journal =
              Journals.opened(
                  new JournalPlace(data, Optional.empty())
                      .settings(JournalSection.DEFAULT, Map.of()));
          ContentKeyStore contentKeys = KeysOnDisk.open(data, journal)) {
        DraftEvent known = new EventVocabulary(contentKeys, OldKeys.NONE).draft(received(now), now);
        DraftEvent later =
            DraftEvent.of(
                "later", known.name(), "99", now, known.tags(), known.payload(), known.metadata());
        journal.append(ConflictCondition.none(), List.of(later)).join();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new ConsoleNode(directory, words);
  }

  private static CallReceived received(Instant at) {
    return ReceivedCall.of(new UUID(0x0192_0000_0000_7000L, 1), at)
        .correlation("later-1")
        .by(ALICE)
        .to(null, "read_order")
        .event();
  }

  /**
   * The rules of the node.
   *
   * @param first a rule before all others; empty for none
   */
  private String rules(String first) {
    return rules(first, operators());
  }

  private static String operators() {
    return Stream.of(ConsoleOperator.values()).map(ConsoleOperator::rule).collect(joining());
  }

  private String rules(String first, String operators) {
    return """
    schema: 1
    journal: {checkpoint_millis_max: 200}
    sources:
      - id: shop
        kind: mcp
        url: "%s"
        expose: {mode: blocklist, tools: ["secret_*"]}
        description: %s
    governance:
      defaults: {action: forward}
      rules:
    %s    - {match: %s, action: deny, description: %s}
        - {match: "observed_*", action: deny, mode: observe}
        - {match: "pay", action: policy, policy_id: payments}
        - {match: "deploy", action: approve, approval: ops}
        - {match: "publish", action: approve, approval: soon}
    approval:
      ops: {timeout: 1h, blocking_timeout: 1h}
      soon: {timeout: 30m, blocking_timeout: 30m}
    cedar: {policies: [payments.cedar]}
    principals:
      - {name: alice, token_hash: "%s", roles: [clerk], attributes: {team: orders}}
      - {name: bob, token_hash: "%s", roles: [auditor]}
      - {name: %s, token_hash: "%s", roles: [%s]}
    operators:
      - {name: %s, token_hash: "%s", roles: [view, arguments, approve, admin]}
    %s\
    """
        .formatted(
            upstream.url(),
            quoted(words.description()),
            first,
            quoted(words.tool()),
            quoted(words.description()),
            ConsoleOperator.hash(callerToken(ALICE)),
            ConsoleOperator.hash(callerToken(BOB)),
            quoted(words.principal()),
            ConsoleOperator.hash(NAMED_PRINCIPAL_TOKEN),
            quoted(words.role()),
            quoted(words.operator()),
            ConsoleOperator.hash(NAMED_OPERATOR_TOKEN),
            operators);
  }

  /** As a string of JSON, and so of YAML. */
  static String quoted(String text) {
    try {
      return JSON.writeValueAsString(text);
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }

  private String callerToken(String principal) {
    return principal.equals(words.principal())
        ? NAMED_PRINCIPAL_TOKEN
        : "token-of-caller-" + principal;
  }

  private void write(String file, String text) {
    try {
      Files.createDirectories(directory);
      // a running node reads the file at any time
      Path whole = Files.writeString(directory.resolve(file + ".new"), text);
      Files.move(whole, directory.resolve(file), StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  ServerProcess server() {
    return server;
  }

  Path directory() {
    return directory;
  }

  /** The address of the console. */
  URI url() {
    return server.admin();
  }

  /** The address of the same console at another name of this machine, which has its own cookies. */
  URI otherUrl() {
    return URI.create("http://localhost:" + server.admin().getPort());
  }

  /** The address of the console at a name that is no name of this machine. */
  URI namedUrl() {
    return URI.create("http://%s:%d".formatted(NAME, server.admin().getPort()));
  }

  /** Starts a process at the port of the one that was killed. */
  void startAgain() {
    int port = server.admin().getPort();
    server.close();
    server = ServerProcess.start(directory, ServerProcess.StartOptions.withAdminPort(port));
  }

  /** Puts other rules in force: those before, after one more. */
  void addRule(String rule) {
    String before = rulesInForce();
    write("gatebook.yaml", rules("    - " + rule + "\n"));
    awaitActivation(before);
  }

  /** Gives an operator another token, and returns once it is in force. */
  void rotateToken(ConsoleOperator operator, String token) {
    String before = rulesInForce();
    write("gatebook.yaml", rules("", operators().replace(operator.rule(), operator.rule(token))));
    awaitActivation(before);
  }

  /** Writes a rules file with a mistake, and returns once it was refused. */
  void breakRules() {
    write("gatebook.yaml", rules("    - {match: \"x\", action: perhaps}\n"));
    await().until(() -> server.request("rules.history", "{}").path("rejections").size() > 0);
  }

  /** The hash of the rules in force. */
  private String rulesInForce() {
    return server.request("rules.show", "{}").path("hash").asText();
  }

  private void awaitActivation(String before) {
    await().until(() -> !rulesInForce().equals(before));
  }

  /**
   * A caller's response to {@code tools/call}; its arguments have the marker, its correlation id.
   */
  String call(@Nullable String principal, String marker, String tool, int amount) {
    return send(request(principal, marker, body(marker, tool, amount))).body();
  }

  /** The same without waiting, for a call that is held. Returns once it waits. */
  CompletableFuture<String> hold(@Nullable String principal, String marker) {
    return holdTool(principal, marker, "deploy");
  }

  CompletableFuture<String> holdTool(@Nullable String principal, String marker, String tool) {
    return hold(principal, marker, body(marker, tool, 1));
  }

  CompletableFuture<String> hold(@Nullable String principal, String marker, String body) {
    CompletableFuture<String> response =
        http.sendAsync(request(principal, marker, body), BodyHandlers.ofString())
            .thenApply(HttpResponse::body);
    await().until(() -> server.status(marker).equals("held"));
    return response;
  }

  private static String body(String marker, String tool, int amount) {
    return """
    {"jsonrpc":"2.0","id":1,"method":"tools/call","params":\
    {"name":%s,"arguments":{"marker":"%s","amount":%d}}}\
    """
        .formatted(quoted(tool), marker, amount);
  }

  /** A caller's response to any body. */
  String post(String path, @Nullable String principal, String marker, String body) {
    return send(request(server.mcp().resolve(path), principal, marker, body)).body();
  }

  private HttpRequest request(@Nullable String principal, String marker, String body) {
    return request(server.mcp(), principal, marker, body);
  }

  private HttpRequest request(URI url, @Nullable String principal, String marker, String body) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(url)
            .header("Content-Type", "application/json")
            .header("X-Correlation-Id", marker)
            .POST(BodyPublishers.ofString(body));
    if (principal != null) {
      request.header("Authorization", "Bearer " + callerToken(principal));
    }
    return request.build();
  }

  private HttpResponse<String> send(HttpRequest request) {
    try {
      return http.send(request, BodyHandlers.ofString());
    } catch (IOException e) {
      throw new UncheckedIOException("no answer to a caller", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  /** The id of the only call with a marker. */
  String callId(String marker) {
    return server.lookup(marker).path(0).path("callId").asText();
  }

  /** Makes calls of every kind, and a tree of tasks; returns the id of the tree. */
  String fill() {
    for (int number = 0; number < 12; number++) {
      call(ALICE, "orders-" + number, "read_order", number);
      call(BOB, "audit-" + number, "list_orders", number);
    }
    for (int number = 0; number < 5; number++) {
      call(ALICE, "delete-" + number, words.tool(), number);
      call(BOB, "pay-" + number, "pay", 5_000 + number);
      call(ALICE, "fail-" + number, "fail", number);
    }
    call(BOB, "secret-1", "secret_plans", 1);
    call(null, "nobody-1", words.tool(), 1);
    call(words.principal(), "named-1", "read_order", 1);
    call(ALICE, "small-1", "pay", 5);
    post("/mcp", ALICE, "broken-1", "{");
    post("/mcp", ALICE, "unknown-1", "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"no/such\"}");
    var _ = hold(ALICE, "deploy-1");
    var _ = hold(BOB, "deploy-2");
    server.request(
        "approvals.reject",
        "{\"callId\":\"%s\",\"reason\":\"not on a Friday\"}".formatted(rejected()));
    return tree("tree-1");
  }

  private String rejected() {
    var _ = hold(ALICE, "deploy-0");
    return callId("deploy-0");
  }

  /** Runs a tree of tasks to its end, and returns its id. */
  private String tree(String marker) {
    Map<String, String> ids = new HashMap<>();
    Stream.of("root", "read", "notify")
        .forEach(name -> ids.put(name, UUID.randomUUID().toString()));
    String tasks =
        """
        [{"id":"%1$s","name":"close the day","schemas":{"method":"list_orders"},"inputs":{"marker":"%4$s-root"},\
        "dependencies":[{"id":"%2$s"},{"id":"%3$s"}]},\
        {"id":"%2$s","name":"read the orders","parent_id":"%1$s","schemas":{"method":"read_order"},\
        "inputs":{"marker":"%4$s-read"},"dependencies":[]},\
        {"id":"%3$s","name":"notify the shop","parent_id":"%1$s","schemas":{"method":"fail"},\
        "inputs":{"marker":"%4$s-notify"},"dependencies":[{"id":"%2$s","required":false}]}]\
        """
            .formatted(ids.get("root"), ids.get("read"), ids.get("notify"), marker);
    post(
        "/flow",
        ALICE,
        marker,
        """
        {"jsonrpc":"2.0","id":1,"method":"tasks.execute","params":{"tasks":%s,"wait":true}}\
        """
            .formatted(tasks));
    return await()
        .until(
            () -> server.request("audit.trees", "{\"limit\":1}").at("/trees/0/treeId").asText(),
            id -> !id.isEmpty());
  }

  @Override
  public void close() {
    server.close();
    upstream.close();
    http.shutdownNow();
  }
}
