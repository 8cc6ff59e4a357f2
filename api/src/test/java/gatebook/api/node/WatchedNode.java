package gatebook.api.node;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import gatebook.api.http.ListenAddress;
import gatebook.api.http.Port;
import gatebook.api.http.RawHttp;
import gatebook.api.log.JsonLogEncoder;
import gatebook.events.ApprovalRequested;
import gatebook.events.CallEvent;
import gatebook.events.CallReceived;
import gatebook.events.Event;
import gatebook.events.MessageRefused;
import gatebook.events.RulesActivated;
import gatebook.events.RulesRejected;
import gatebook.events.journal.Journal;
import gatebook.events.journal.JournalSettings;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.LoggerFactory;

/** A whole node under rules of a test's own, of which everything is seen that it leaves behind. */
final class WatchedNode implements AutoCloseable {

  /** The token of the operator alice, if the rules know her. */
  static final String ALICE = "operator-alice-0123456789";

  private static final ListenAddress ANY_PORT = new ListenAddress("127.0.0.1", 0);
  private static final String JSON = "Content-Type: application/json";

  /** The log of the node that a thread works for; threads hand it on to those that they start. */
  private static final ThreadLocal<Lines> OWN = new InheritableThreadLocal<>();

  private final JsonMapper json = new JsonMapper();
  private final Lines lines;
  private final Path folder;
  private final Journal journal;
  private final Node node;

  /** What goes over HTTP to one call, and what the journal and the log say of it. */
  record Seen(RawHttp.Answer answer, List<Event> events, List<Map<String, Object>> lines) {}

  private WatchedNode(Path folder, Journal journal, Node node, Lines lines) {
    this.folder = folder;
    this.journal = journal;
    this.node = node;
    this.lines = lines;
    lines.setContext(root().getLoggerContext());
    lines.start();
    root().addAppender(lines);
  }

  /** A node in an empty folder; other files that the rules name are to be there already. */
  static WatchedNode start(Path folder, String rules) throws IOException {
    return start(folder, rules, inFolder(folder));
  }

  /** The same with its journal in a database elsewhere. */
  static WatchedNode start(Path folder, String rules, JournalSettings.Location database)
      throws IOException {
    WatchedNode node = startUnderAnyRules(folder, rules, database);
    if (node.get("/ready").body().contains("\"rules\":\"broken\"")) {
      node.close();
      throw new AssertionError("the rules have mistakes: see the log");
    }
    return node;
  }

  /** The same when the rules may have mistakes. */
  static WatchedNode startUnderAnyRules(Path folder, String rules) throws IOException {
    return startUnderAnyRules(folder, rules, inFolder(folder));
  }

  private static JournalSettings.Location inFolder(Path folder) {
    return new JournalSettings.Embedded(folder.resolve("data").resolve("journal"));
  }

  private static WatchedNode startUnderAnyRules(
      Path folder, String rules, JournalSettings.Location database) throws IOException {
    Path file = folder.resolve("gatebook.yaml");
    Files.writeString(file, rules);
    Path data = folder.resolve("data");
    CompletableFuture<Journal> opened = new CompletableFuture<>();
    Node.Journals journals =
        (_, directory) -> {
          opened.complete(RealJournal.open(directory.path(), database));
          return new NodeJournal.Opening.Opened(RealJournal.door(opened.join(), directory.path()));
        };
    ServeSettings settings =
        new ServeSettings(data, Optional.of(file), ANY_PORT, ANY_PORT, Optional.empty());
    Lines lines = new Lines();
    OWN.set(lines);
    try {
      return switch (Node.start(settings, journals)) {
        case Node.Start.Serving(var node) -> new WatchedNode(folder, opened.join(), node, lines);
        case Node.Start.Refused(var sentence) -> throw new AssertionError(sentence);
      };
    } finally {
      OWN.remove();
    }
  }

  /** The digest by which the rules know a token. */
  static String hash(String token) {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(token.getBytes(UTF_8));
      return "sha256:" + HexFormat.of().formatHex(digest);
    } catch (NoSuchAlgorithmException e) {
      throw new LinkageError(e.getMessage(), e);
    }
  }

  static String toolCall(String tool) {
    return toolCall(tool, "{}");
  }

  static String toolCall(String tool, String arguments) {
    return "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"%s\",\"arguments\":%s}}"
        .formatted(tool, arguments);
  }

  /** Sends a call, and looks at all that came of it once it is answered. */
  Provoked provoke(String correlationId, String body, String... headers) throws IOException {
    Map<String, Double> before = counted();
    Seen seen = seen(correlationId, post("/mcp", correlationId, body.getBytes(UTF_8), headers));
    return new Provoked(correlationId, seen, gained(before));
  }

  /** Sends a call that will have to wait for a person. */
  CompletableFuture<RawHttp.Answer> hold(String correlationId, String body, String... headers) {
    CompletableFuture<RawHttp.Answer> answer =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return post("/mcp", correlationId, body.getBytes(UTF_8), headers);
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            },
            work -> Thread.ofVirtual().start(work));
    await()
        .until(() -> events(correlationId).stream().anyMatch(ApprovalRequested.class::isInstance));
    return answer;
  }

  /** All that came of a call that was held. */
  Provoked released(
      String correlationId, CompletableFuture<RawHttp.Answer> answer, Map<String, Double> before)
      throws IOException {
    Seen seen = seen(correlationId, answer.join());
    return new Provoked(correlationId, seen, gained(before));
  }

  /** Has alice say yes or no, as an operator does. */
  void decide(String correlationId, boolean approved, String reason) throws IOException {
    UUID callId =
        events(correlationId).stream()
            .filter(CallReceived.class::isInstance)
            .map(event -> ((CallReceived) event).callId())
            .findFirst()
            .orElseThrow();
    JsonNode answer =
        operator(
            ALICE,
            approved ? "approvals.approve" : "approvals.reject",
            "{\"callId\":\"%s\",\"reason\":%s}".formatted(callId, json.writeValueAsString(reason)));
    assertThat(answer.at("/result/outcome").asText()).isEqualTo(approved ? "granted" : "rejected");
  }

  /** Asks as the operator who has this token. */
  JsonNode operator(String token, String method, String params) throws IOException {
    String body =
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":%s,\"params\":%s}"
            .formatted(json.writeValueAsString(method), params);
    return json.readTree(
        send(Port.ADMIN, "/operator", body.getBytes(UTF_8), JSON, "Authorization: Bearer " + token)
            .body());
  }

  RawHttp.Answer post(String path, String correlationId, byte[] body, String... headers)
      throws IOException {
    String[] all =
        Stream.concat(Stream.of(JSON, "X-Correlation-Id: " + correlationId), Stream.of(headers))
            .toArray(String[]::new);
    return send(Port.CALLERS, path, body, all);
  }

  RawHttp.Answer send(Port port, String path, byte[] body, String... headers) throws IOException {
    ListenAddress at = node.at(port);
    String head =
        "POST %s HTTP/1.1\r\nHost: localhost:%d\r\n%s\r\nContent-Length: %d\r\nConnection: close\r\n\r\n"
            .formatted(path, at.port(), String.join("\r\n", headers), body.length);
    ByteArrayOutputStream request = new ByteArrayOutputStream();
    request.writeBytes(head.getBytes(UTF_8));
    request.writeBytes(body);
    return RawHttp.send(at, request.toByteArray());
  }

  /** Sends a call while the journal cannot be read. */
  Seen unrecorded(String correlationId, String body) throws IOException {
    RawHttp.Answer answer = post("/mcp", correlationId, body.getBytes(UTF_8));
    return new Seen(answer, List.of(), lines(correlationId));
  }

  Seen seen(String correlationId, RawHttp.Answer answer) {
    return new Seen(answer, events(correlationId), lines(correlationId));
  }

  /** What the journal holds of the calls that were given this id. */
  List<Event> events(String correlationId) {
    List<Event> all = events();
    Set<UUID> calls =
        all.stream()
            .filter(event -> correlationId.equals(correlationId(event)))
            .map(event -> ((CallEvent) event).callId())
            .collect(Collectors.toSet());
    return all.stream()
        .filter(event -> event instanceof CallEvent call && calls.contains(call.callId()))
        .toList();
  }

  List<Event> events() {
    return RealJournal.events(journal);
  }

  private static String correlationId(Event event) {
    return switch (event) {
      case CallReceived received -> received.correlationId();
      case MessageRefused refused -> refused.correlationId();
      default -> "";
    };
  }

  /** What the log says of the calls that were given this id. */
  List<Map<String, Object>> lines(String correlationId) {
    return lines().stream()
        .map(this::parsed)
        .filter(line -> correlationId.equals(line.get("correlation_id")))
        .toList();
  }

  /** Every line of the node's log, as it is written. */
  List<String> lines() {
    return List.copyOf(lines.written);
  }

  /** Also those of all else that runs in this process. */
  List<String> linesOfAll() {
    return List.copyOf(lines.writtenByAll);
  }

  private Map<String, Object> parsed(String line) {
    try {
      return json.readValue(line, new TypeReference<>() {});
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The counters of the requirement, by name and labels. */
  Map<String, Double> counted() throws IOException {
    return RawHttp.get(node.at(Port.ADMIN), "/metrics")
        .body()
        .lines()
        .filter(line -> line.startsWith("thoughtgate_"))
        .collect(
            toMap(
                line -> line.substring(0, line.lastIndexOf(' ')),
                line -> Double.valueOf(line.substring(line.lastIndexOf(' ') + 1))));
  }

  /** By how much each counter rose. */
  Map<String, Double> gained(Map<String, Double> before) throws IOException {
    return counted().entrySet().stream()
        .filter(entry -> !entry.getValue().equals(before.get(entry.getKey())))
        .collect(
            toMap(
                Map.Entry::getKey,
                entry -> entry.getValue() - before.getOrDefault(entry.getKey(), 0.0)));
  }

  ListenAddress at(Port port) {
    return node.at(port);
  }

  RawHttp.Answer get(String path) throws IOException {
    return RawHttp.get(node.at(Port.ADMIN), path);
  }

  /** Changes the rules, or what they name, in one step, and waits until they are in force. */
  void change(String file, String text) throws IOException {
    long activations = activations();
    Path fresh = folder.resolve(file + ".new");
    Files.writeString(fresh, text);
    Files.move(fresh, folder.resolve(file), StandardCopyOption.ATOMIC_MOVE);
    await().until(() -> activations() > activations);
  }

  /** Changes the rules to some that are refused, and waits until that is recorded. */
  void refuse(String rules) throws IOException {
    Files.writeString(folder.resolve("gatebook.yaml"), rules);
    await().until(() -> events().stream().anyMatch(RulesRejected.class::isInstance));
  }

  private long activations() {
    return lines().stream().filter(line -> line.contains("\"rules in force\"")).count();
  }

  /** Of the rules that were recorded last. */
  String rulesHash() {
    return events().stream()
        .filter(RulesActivated.class::isInstance)
        .map(event -> ((RulesActivated) event).rulesHash())
        .toList()
        .getLast();
  }

  /** The payload of every event, as it is stored. */
  List<String> stored() {
    return RealJournal.entries(journal).stream()
        .map(entry -> new String(entry.payload(), UTF_8))
        .toList();
  }

  Journal journal() {
    return journal;
  }

  @Override
  public void close() {
    try {
      node.close();
    } finally {
      root().detachAppender(lines);
      lines.stop();
    }
  }

  private static Logger root() {
    return (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
  }

  /** Keeps each line just as the log would have it. */
  private static final class Lines extends AppenderBase<ILoggingEvent> {
    private final JsonLogEncoder encoder = new JsonLogEncoder();
    private final Queue<String> written = new ConcurrentLinkedQueue<>();
    private final Queue<String> writtenByAll = new ConcurrentLinkedQueue<>();

    @Override
    protected void append(ILoggingEvent event) {
      String line = new String(encoder.encode(event), UTF_8);
      writtenByAll.add(line);
      if (OWN.get() == this) {
        written.add(line);
      }
    }
  }
}
