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
import gatebook.api.http.TlsMode;
import gatebook.api.http.TrustedProxies;
import gatebook.api.http.tls.TlsFiles;
import gatebook.api.log.JsonLogEncoder;
import gatebook.events.ApprovalRequested;
import gatebook.events.CallEvent;
import gatebook.events.CallReceived;
import gatebook.events.Event;
import gatebook.events.MessageRefused;
import gatebook.events.RulesActivated;
import gatebook.events.RulesRejected;
import gatebook.events.journal.Journal;
import gatebook.events.journal.segment.SegmentLocation;
import gatebook.events.journal.storage.JournalSettings;
import gatebook.events.journal.tree.Sha256;
import gatebook.events.keys.store.ContentKeyStore;
import gatebook.events.keys.store.KeySelection;
import gatebook.events.keys.store.StoredKey;
import gatebook.events.vocabulary.EventVocabulary;
import gatebook.query.call.EventData;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.LoggerFactory;

/** A whole node under a test's rules, with its journal, log lines and counters for assertions. */
public final class WatchedNode implements AutoCloseable {

  /** No rules file, so that the sample rules are in force. */
  public static final String SAMPLE_RULES = "";

  private static final ListenAddress ANY_PORT = new ListenAddress("127.0.0.1", 0);
  private static final String JSON = "Content-Type: application/json";

  /** The log of the node whose thread this is; a thread's children inherit it. */
  private static final ThreadLocal<Lines> OWN = new InheritableThreadLocal<>();

  private final JsonMapper json = new JsonMapper();
  private final Lines lines;
  private final Path folder;
  private final Journal journal;
  private final ContentKeyStore contentKeys;
  private final EventVocabulary eventVocabulary;
  private final Node node;

  private final AtomicInteger requests = new AtomicInteger();
  private boolean isClosed;

  /** The events that were read so far. */
  private final List<Event> events = new ArrayList<>();

  /** The number of events before those that {@link #events()} returns. */
  private int forgotten;

  /** The HTTP response, the events and the log lines of one call. */
  public record Seen(RawHttp.Answer answer, List<Event> events, List<Map<String, Object>> lines) {}

  private WatchedNode(
      Path folder, NodeJournal nodeJournal, Journal journal, Node node, Lines lines) {
    this.folder = folder;
    this.journal = journal;
    this.contentKeys = (ContentKeyStore) nodeJournal.contentKeys();
    this.eventVocabulary = RealJournal.vocabulary(nodeJournal);
    this.node = node;
    this.lines = lines;
    lines.setContext(root().getLoggerContext());
    lines.start();
    root().addAppender(lines);
  }

  /** Starts a node in an empty folder; other files that the rules name must exist. */
  public static WatchedNode start(Path folder, String rules) throws IOException {
    return start(folder, rules, inFolder(folder));
  }

  /** Starts a node with its journal in another database. */
  public static WatchedNode start(Path folder, String rules, JournalSettings.Location database)
      throws IOException {
    return start(folder, rules, database, Clock.systemUTC(), UnaryOperator.identity());
  }

  /**
   * Starts a node with another clock.
   *
   * @param keys what the node uses in the place of its content keys
   */
  public static WatchedNode start(
      Path folder, String rules, Clock clock, UnaryOperator<ContentKeyStore> keys)
      throws IOException {
    return start(folder, rules, inFolder(folder), clock, keys);
  }

  private static WatchedNode start(
      Path folder,
      String rules,
      JournalSettings.Location database,
      Clock clock,
      UnaryOperator<ContentKeyStore> keys)
      throws IOException {
    WatchedNode node = startUnderAnyRules(folder, rules, database, clock, keys, Optional.empty());
    if (node.get("/ready").body().contains("\"rules\":\"broken\"")) {
      node.close();
      throw new AssertionError("the rules have mistakes: see the log");
    }
    return node;
  }

  /** Starts a node whose rules may have mistakes. */
  public static WatchedNode startUnderAnyRules(Path folder, String rules) throws IOException {
    return startUnderAnyRules(
        folder,
        rules,
        inFolder(folder),
        Clock.systemUTC(),
        UnaryOperator.identity(),
        Optional.empty());
  }

  /** Starts a node whose ports speak TLS; its methods that send something do not. */
  public static WatchedNode startWithTls(Path folder, String rules, TlsFiles tls)
      throws IOException {
    return startUnderAnyRules(
        folder,
        rules,
        inFolder(folder),
        Clock.systemUTC(),
        UnaryOperator.identity(),
        Optional.of(tls));
  }

  private static JournalSettings.Location inFolder(Path folder) {
    return new SegmentLocation(folder.resolve("data").resolve("journal"));
  }

  private static WatchedNode startUnderAnyRules(
      Path folder,
      String rules,
      JournalSettings.Location database,
      Clock clock,
      UnaryOperator<ContentKeyStore> keys,
      Optional<TlsFiles> tls)
      throws IOException {
    Path file = folder.resolve("gatebook.yaml");
    if (!rules.equals(SAMPLE_RULES)) {
      Files.writeString(file, rules);
    }
    Path data = folder.resolve("data");
    CompletableFuture<Journal> opened = new CompletableFuture<>();
    CompletableFuture<NodeJournal> nodeJournal = new CompletableFuture<>();
    Node.JournalOpener journalOpener =
        (_, directory) -> {
          opened.complete(RealJournal.open(directory.path(), database));
          nodeJournal.complete(
              RealJournal.nodeJournal(opened.join(), directory.path(), database, clock, keys));
          return new NodeJournal.Opening.Opened(nodeJournal.join());
        };
    ServeSettings settings =
        new ServeSettings(
            data,
            Optional.of(file).filter(Files::exists),
            anyPort(tls),
            anyPort(tls),
            tls,
            TrustedProxies.NONE,
            Optional.empty());
    Lines lines = new Lines();
    OWN.set(lines);
    try {
      return switch (Node.start(settings, journalOpener)) {
        case Node.Start.Serving(var node) ->
            new WatchedNode(folder, nodeJournal.join(), opened.join(), node, lines);
        case Node.Start.Refused(var sentence) -> throw new AssertionError(sentence);
      };
    } finally {
      OWN.remove();
    }
  }

  private static ListenAddress anyPort(Optional<TlsFiles> tls) {
    return tls.map(files -> files.asksClients() ? TlsMode.MUTUAL : TlsMode.ON)
        .map(mode -> new ListenAddress("127.0.0.1", 0, Set.of(), mode))
        .orElse(ANY_PORT);
  }

  /** A caller with these headers. */
  public NodeCaller caller(String... headers) {
    return new NodeCaller(this, List.of(headers));
  }

  /** The caller with this token. */
  public NodeCaller as(String token) {
    return caller(NodeCaller.bearer(token));
  }

  /** The caller joe, one of {@link NodeCaller#people()}. */
  public NodeCaller joe() {
    return as(NodeCaller.JOE);
  }

  public NodeCaller ann() {
    return as(NodeCaller.ANN);
  }

  /** The operator alice. */
  public NodeCaller alice() {
    return as(NodeCaller.ALICE);
  }

  /** A correlation id that no other request to this node has. */
  String newCorrelationId() {
    return "request-" + requests.incrementAndGet();
  }

  /** The hash of a token, as the rules contain it. */
  public static String hash(String token) {
    return "sha256:" + HexFormat.of().formatHex(Sha256.of(token.getBytes(UTF_8)));
  }

  public static String toolCall(String tool) {
    return toolCall(tool, "{}");
  }

  public static String toolCall(String tool, String arguments) {
    return """
    {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"%s","arguments":%s}}\
    """
        .formatted(tool, arguments);
  }

  /** Sends a call and collects its response, events, log lines and counters. */
  public ProvokedCall provoke(String correlationId, String body, String... headers)
      throws IOException {
    Map<String, Double> before = counted();
    Seen seen = seen(correlationId, post("/mcp", correlationId, body.getBytes(UTF_8), headers));
    return new ProvokedCall(correlationId, seen, increments(before));
  }

  /** Sends a call that is held for an approval. */
  public CompletableFuture<RawHttp.Answer> hold(
      String correlationId, String body, String... headers) {
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

  /** Collects the response, events, log lines and counters of a held call. */
  public ProvokedCall released(
      String correlationId, CompletableFuture<RawHttp.Answer> answer, Map<String, Double> before)
      throws IOException {
    Seen seen = seen(correlationId, answer.join());
    return new ProvokedCall(correlationId, seen, increments(before));
  }

  /** Approves or rejects a call as alice. */
  public void decide(String correlationId, boolean approved, String reason) throws IOException {
    UUID callId =
        events(correlationId).stream()
            .filter(CallReceived.class::isInstance)
            .map(event -> ((CallReceived) event).callId())
            .findFirst()
            .orElseThrow();
    JsonNode answer =
        operator(
            NodeCaller.ALICE,
            approved ? "approvals.approve" : "approvals.reject",
            """
            {"callId":"%s","reason":%s}\
            """
                .formatted(callId, json.writeValueAsString(reason)));
    assertThat(answer.at("/result/outcome").asText()).isEqualTo(approved ? "granted" : "rejected");
  }

  /** Calls an operator method with this token. */
  public JsonNode operator(String token, String method, String params) throws IOException {
    return call(Port.ADMIN, "/operator", method, params, "Authorization: Bearer " + token);
  }

  /** Calls a method, and reads the response. */
  public JsonNode call(Port port, String path, String method, String params, String... headers)
      throws IOException {
    String body =
        """
        {"jsonrpc":"2.0","id":1,"method":%s,"params":%s}\
        """
            .formatted(json.writeValueAsString(method), params);
    String[] all = Stream.concat(Stream.of(JSON), Stream.of(headers)).toArray(String[]::new);
    return json.readTree(send(port, path, body.getBytes(UTF_8), all).body());
  }

  public RawHttp.Answer post(String path, String correlationId, byte[] body, String... headers)
      throws IOException {
    String[] all =
        Stream.concat(Stream.of(JSON, "X-Correlation-Id: " + correlationId), Stream.of(headers))
            .toArray(String[]::new);
    return send(Port.CALLERS, path, body, all);
  }

  public RawHttp.Answer send(Port port, String path, byte[] body, String... headers)
      throws IOException {
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
  public Seen unrecorded(String correlationId, String body) throws IOException {
    RawHttp.Answer answer = post("/mcp", correlationId, body.getBytes(UTF_8));
    return new Seen(answer, List.of(), lines(correlationId));
  }

  public Seen seen(String correlationId, RawHttp.Answer answer) {
    return new Seen(answer, events(correlationId), lines(correlationId));
  }

  /** The events of the calls with this correlation id. */
  public List<Event> events(String correlationId) {
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

  public synchronized List<Event> events() {
    RealJournal.addNewEvents(journal, eventVocabulary, events);
    return List.copyOf(events.subList(forgotten, events.size()));
  }

  /** Forgets the events and log lines so far: another test begins. */
  public synchronized void forget() {
    RealJournal.addNewEvents(journal, eventVocabulary, events);
    forgotten = events.size();
    lines.written.clear();
  }

  private static String correlationId(Event event) {
    return switch (event) {
      case CallReceived received -> received.correlationId();
      case MessageRefused refused -> refused.correlationId();
      default -> "";
    };
  }

  /** The log lines about the calls with this correlation id. */
  public List<Map<String, Object>> lines(String correlationId) {
    return lines().stream()
        .filter(line -> line.contains(correlationId))
        .map(this::parsed)
        .filter(line -> correlationId.equals(line.get("correlation_id")))
        .toList();
  }

  /** Every line of the node's log, as written. */
  public List<String> lines() {
    return List.copyOf(lines.written);
  }

  /** The log lines of everything that runs in this process. */
  public List<String> allLines() {
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
  public Map<String, Double> counted() throws IOException {
    return counted("thoughtgate_");
  }

  /** The counters whose names begin so, by name and labels. */
  public Map<String, Double> counted(String prefix) throws IOException {
    return RawHttp.get(node.at(Port.ADMIN), "/metrics")
        .body()
        .lines()
        .filter(line -> line.startsWith(prefix))
        .collect(
            toMap(
                line -> line.substring(0, line.lastIndexOf(' ')),
                line -> Double.valueOf(line.substring(line.lastIndexOf(' ') + 1))));
  }

  /** The increment of each counter. */
  public Map<String, Double> increments(Map<String, Double> before) throws IOException {
    return increments("thoughtgate_", before);
  }

  /** The increment of each counter whose name begins so. */
  public Map<String, Double> increments(String prefix, Map<String, Double> before)
      throws IOException {
    return counted(prefix).entrySet().stream()
        .filter(entry -> !entry.getValue().equals(before.get(entry.getKey())))
        .collect(
            toMap(
                Map.Entry::getKey,
                entry -> entry.getValue() - before.getOrDefault(entry.getKey(), 0.0)));
  }

  public ListenAddress at(Port port) {
    return node.at(port);
  }

  public RawHttp.Answer get(String path) throws IOException {
    return RawHttp.get(node.at(Port.ADMIN), path);
  }

  /** Replaces the rules, or a file they name, and waits until they are in force. */
  public void change(String file, String text) throws IOException {
    long activations = activations();
    Path fresh = folder.resolve(file + ".new");
    Files.writeString(fresh, text);
    Files.move(fresh, folder.resolve(file), StandardCopyOption.ATOMIC_MOVE);
    await().until(() -> activations() > activations);
  }

  /** Replaces the rules by invalid ones, and waits until their refusal is recorded. */
  public void changeToInvalid(String rules) throws IOException {
    Files.writeString(folder.resolve("gatebook.yaml"), rules);
    await().until(() -> events().stream().anyMatch(RulesRejected.class::isInstance));
  }

  private long activations() {
    return lines().stream().filter(line -> line.contains("\"rules in force\"")).count();
  }

  /** The hash of the rules activated last, be it before what was forgotten. */
  public synchronized String rulesHash() {
    RealJournal.addNewEvents(journal, eventVocabulary, events);
    return events.stream()
        .filter(RulesActivated.class::isInstance)
        .map(event -> ((RulesActivated) event).rulesHash())
        .toList()
        .getLast();
  }

  /** Every event as it is stored, and as operators see it with its content. */
  public List<String> stored() {
    return RealJournal.entries(journal).stream()
        .flatMap(entry ->
            Stream.of(
                new String(entry.payload(), UTF_8),
                EventData.of(entry, eventVocabulary).json().toString()))
        .toList();
  }

  public ContentKeyStore contentKeys() {
    return contentKeys;
  }

  /** Destroys the keys of a principal's content, on all days. */
  public void erase(String principal) {
    List<String> ids =
        contentKeys.list(new KeySelection(principal, null, null)).stream()
            .map(StoredKey::id)
            .toList();
    contentKeys.erase(ids, 0);
  }

  /** Has the keys of the node. */
  public EventVocabulary vocabulary() {
    return eventVocabulary;
  }

  public Journal journal() {
    return journal;
  }

  /** The data directory. */
  public Path data() {
    return folder.resolve("data");
  }

  /** Stops the node as a signal does; it is closed then. */
  NodeStop.EndedCalls stop(CompletableFuture<Void> hurry) {
    isClosed = true;
    return node.stop(true, hurry);
  }

  @Override
  public void close() {
    try {
      if (!isClosed) {
        isClosed = true;
        node.close();
      }
    } finally {
      root().detachAppender(lines);
      lines.stop();
    }
  }

  private static Logger root() {
    return (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
  }

  /** Keeps each line in the format of the log. */
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
