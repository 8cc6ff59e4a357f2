package gatebook.api.operator.rpc;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import gatebook.api.anchor.AnchorStatus;
import gatebook.api.backup.NodeBackups;
import gatebook.api.daemon.DaemonMethods;
import gatebook.api.data.DataDirectory;
import gatebook.api.data.JournalKeys;
import gatebook.api.data.JournalPlace;
import gatebook.api.data.JournalSection;
import gatebook.api.data.OperatorToken;
import gatebook.api.dialect.ErrorTranslation;
import gatebook.api.erasure.ContentErasure;
import gatebook.api.erasure.ContentSearch;
import gatebook.api.erasure.ErasureEstimate;
import gatebook.api.erasure.ErasureFigures;
import gatebook.api.gateway.message.RoutingSnapshot;
import gatebook.api.http.CurrentLimits;
import gatebook.api.http.HttpServers;
import gatebook.api.http.ListenAddress;
import gatebook.api.http.Port;
import gatebook.api.http.Readiness;
import gatebook.api.http.TlsMode;
import gatebook.api.mcp.McpMethods;
import gatebook.api.node.KeysOnDisk;
import gatebook.api.operator.OperatorRpc;
import gatebook.api.operator.methods.ContentMethods;
import gatebook.api.operator.methods.OperatorServices;
import gatebook.api.operator.methods.SourceStatus;
import gatebook.api.operator.redecide.RedecideContext;
import gatebook.api.signon.SignOnRules;
import gatebook.api.signon.TokenVerifier;
import gatebook.api.witness.LogWitnesses;
import gatebook.command.call.CallState;
import gatebook.command.call.Decision;
import gatebook.command.call.approval.ApprovalDecider;
import gatebook.command.call.approval.DecideApproval;
import gatebook.command.keep.ContentDigests;
import gatebook.command.redact.Scrubber;
import gatebook.command.redecide.CallRedecision;
import gatebook.command.rules.CheckpointRules;
import gatebook.command.rules.GatewayLimits;
import gatebook.command.rules.KnownOperator;
import gatebook.command.rules.Rules;
import gatebook.command.rules.SignOn;
import gatebook.events.CallEvent;
import gatebook.events.Event;
import gatebook.events.fault.ServerFault.ConfigurationError;
import gatebook.events.journal.Append;
import gatebook.events.journal.ConflictCondition;
import gatebook.events.journal.Journal;
import gatebook.events.journal.Journals;
import gatebook.events.keys.MemoryContentKeys;
import gatebook.events.keys.OldKeys;
import gatebook.events.keys.store.ContentKeyStore;
import gatebook.events.vocabulary.EventVocabulary;
import gatebook.query.Views;
import gatebook.query.call.CallEvents;
import gatebook.query.call.EventData;
import gatebook.query.projection.ViewFile;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * A test node for operators, with a real journal, views and HTTP ports, in a data directory that it
 * owns. A test appends its journal's events itself, at a time of its own; a whole node, as {@link
 * gatebook.api.node.WatchedNode} starts, records what really happens.
 */
public final class OperatorTestNode implements AutoCloseable {
  public static final Instant AT = Instant.parse("2026-01-02T03:04:05.000000006Z");

  /** A name by which a proxy reaches the ports. */
  public static final String NAME = "gate.example";

  /** One for all tests: a client of its own has a thread and a TLS context of its own. */
  public static final HttpClient HTTP = HttpClient.newHttpClient();

  private static final ListenAddress ANY_PORT =
      new ListenAddress("127.0.0.1", 0, Set.of(NAME), TlsMode.OFF);

  static final List<SourceStatus> SOURCES =
      List.of(
          new SourceStatus("tools", "mcp", true, 8L, 1L, true, 1.5, 20.25),
          new SourceStatus("demo", "demo", false, null, null, null, null, null));

  static final List<AnchorStatus> ANCHORS =
      List.of(
          new AnchorStatus("vault", "directory", 7L, "2026-01-02T03:04:05Z", null),
          new AnchorStatus("notary", "endpoint", null, null, "it answered with the status 503"));

  private final DataDirectory directory;
  private final ContentKeyStore keyStore;
  private final Journal journal;
  private final ViewFile views;
  private final MemoryContentKeys contentKeys = new MemoryContentKeys();
  private final EventVocabulary eventVocabulary = new EventVocabulary(contentKeys, OldKeys.NONE);

  /** The methods that erase content find no keys: the events here have none of this store. */
  private final Views viewUpdates;

  private final HttpServers httpServers;
  private final TokenVerifier tokenVerifier;
  private final OperatorToken token;
  private final OperatorRpc operatorRpc;

  /** The number of events before those that {@link #events()} returns. */
  private long forgotten;

  private boolean isClosed;

  public OperatorTestNode(Path data) throws IOException {
    this(data, List::of, Optional.empty());
  }

  public OperatorTestNode(
      Path data, Supplier<List<KnownOperator>> operators, Optional<RulesInForce> rules)
      throws IOException {
    this(data, operators, rules, GatewayLimits.DEFAULT);
  }

  public OperatorTestNode(
      Path data,
      Supplier<List<KnownOperator>> operators,
      Optional<RulesInForce> rules,
      GatewayLimits gatewayLimits)
      throws IOException {
    this(data, operators, rules, gatewayLimits, Clock.systemUTC(), () -> SignOn.NONE);
  }

  /** A node without rules, with a clock that times sessions and links. */
  public OperatorTestNode(
      Path data, Supplier<List<KnownOperator>> operators, GatewayLimits gatewayLimits, Clock clock)
      throws IOException {
    this(data, operators, Optional.empty(), gatewayLimits, clock, () -> SignOn.NONE);
  }

  /** A node whose operators issuers know. */
  public OperatorTestNode(
      Path data, Supplier<SignOn> signOn, Clock clock, GatewayLimits gatewayLimits)
      throws IOException {
    this(data, List::of, Optional.empty(), gatewayLimits, clock, signOn);
  }

  private OperatorTestNode(
      Path data,
      Supplier<List<KnownOperator>> operators,
      Optional<RulesInForce> rules,
      GatewayLimits gatewayLimits,
      Clock clock,
      Supplier<SignOn> signOn)
      throws IOException {
    directory = ((DataDirectory.Opening.Opened) DataDirectory.open(data)).directory();
    token = directory.operatorToken();
    journal =
        Journals.opened(
            new JournalPlace(data, Optional.empty()).settings(JournalSection.DEFAULT, Map.of()));
    views = ((ViewFile.Opening.Opened) ViewFile.open(data.resolve("views"))).views();
    viewUpdates = Views.follow(views, journal, eventVocabulary);
    PrometheusMeterRegistry meters = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    tokenVerifier =
        new TokenVerifier(() -> SignOnRules.of(signOn.get(), gatewayLimits), meters, clock);
    OperatorServices operatorServices =
        new OperatorServices(
            this::decide,
            operators,
            signOn,
            tokenVerifier,
            () -> gatewayLimits,
            rules,
            () -> SOURCES,
            List::of,
            () -> Optional.of(List.of()),
            () -> CheckpointRules.NONE,
            Optional::empty,
            Optional::empty,
            redecideContext());
    keyStore =
        KeysOnDisk.opened(
            JournalKeys.open(new JournalPlace(data, Optional.empty()), journal, Map.of()));
    operatorRpc =
        new OperatorRpc(
            journal,
            keyStore,
            viewUpdates,
            eventVocabulary,
            token,
            operatorServices,
            contentMethods(clock),
            NodeBackups.of(data, journal, keyStore, clock),
            () -> ANCHORS,
            LogWitnesses.of(data, journal, eventVocabulary, clock),
            "1.2.3",
            clock);
    HttpServers.StartResult startResult =
        HttpServers.open(
            ANY_PORT,
            ANY_PORT,
            Optional.empty(),
            "1.2.3",
            () -> new Readiness.Status(Map.of(), null, "power"),
            meters,
            context -> {
              context.registerSingleton(OperatorRpc.class, operatorRpc);
              context.registerSingleton(CurrentLimits.class, () -> gatewayLimits);
            });
    httpServers = ((HttpServers.StartResult.Started) startResult).servers();
    directory.announce(httpServers.address(Port.ADMIN).port());
  }

  public OperatorRpc operatorRpc() {
    return operatorRpc;
  }

  private ContentMethods contentMethods(Clock clock) {
    ContentErasure contentErasure =
        new ContentErasure(
            journal,
            keyStore,
            eventVocabulary,
            viewUpdates,
            this::decide,
            () -> Optional.of(List.of()),
            new ErasureFigures(),
            clock);
    return new ContentMethods(
        contentErasure,
        new ErasureEstimate(contentErasure, journal, eventVocabulary, viewUpdates),
        new ContentSearch(journal, eventVocabulary),
        List::of);
  }

  /** A context without rules, whose keys sealed nothing. */
  private RedecideContext redecideContext() {
    return RedecideContext.of(
        List.of(McpMethods.ofSources("1.2.3"), new DaemonMethods()),
        () ->
            new RoutingSnapshot(Rules.NONE, Map.of(), new ConfigurationError("no rules were read")),
        new ContentDigests(contentKeys, OldKeys.NONE),
        CallRedecision.of(_ -> Scrubber.BUILT_IN),
        _ -> new ErrorTranslation(UnaryOperator.identity()));
  }

  /** Decides by the current journal; not safe when another decision runs at the same time. */
  private CompletableFuture<DecideApproval.Outcome> decide(DecideApproval command) {
    CallState callState = CallState.EMPTY;
    for (CallEvent event : new CallEvents(journal, eventVocabulary).of(command.callId())) {
      callState = callState.evolve(event);
    }
    Decision<DecideApproval.Outcome> decision = ApprovalDecider.decide(command, callState);
    if (!decision.events().isEmpty()) {
      append(decision.events().toArray(Event[]::new));
    }
    return CompletableFuture.completedFuture(decision.outcome());
  }

  public String url(Port port) {
    return at(port).url();
  }

  public ListenAddress at(Port port) {
    return httpServers.address(port);
  }

  public String token() {
    return token.text();
  }

  public Journal journal() {
    return journal;
  }

  /** Every event as it is stored, and as operators see it with its content. */
  public List<String> stored() {
    return journal.read(0, 1_000).stream()
        .flatMap(entry ->
            Stream.of(
                new String(entry.payload(), UTF_8),
                EventData.of(entry, eventVocabulary).json().toString()))
        .toList();
  }

  /** The keys of this node, of which tests erase some. */
  public MemoryContentKeys contentKeys() {
    return contentKeys;
  }

  /** Has the keys of this node. */
  public EventVocabulary vocabulary() {
    return eventVocabulary;
  }

  public void append(Event... events) {
    assertThat(
            journal
                .append(
                    ConflictCondition.none(),
                    Stream.of(events).map(it -> eventVocabulary.draft(it, AT)).toList())
                .join())
        .isInstanceOf(Append.Stored.class);
  }

  /** Forgets the events so far: another test begins. */
  void forget() {
    forgotten = journal.head();
  }

  /** All events of the journal. */
  public List<Event> events() {
    return journal.read(forgotten, 1_000).stream()
        .map(it ->
            eventVocabulary.read(
                new org.axonframework.messaging.core.MessageType(it.name(), it.version()),
                eventVocabulary.open(it).json()))
        .toList();
  }

  public HttpResponse<String> post(String body, String... headers) throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(url(Port.ADMIN) + "/operator"))
            .POST(HttpRequest.BodyPublishers.ofString(body, UTF_8));
    if (headers.length > 0) {
      request.headers(headers);
    }
    return HTTP.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  public String call(String body) throws Exception {
    return callAs(token.text(), body);
  }

  String callAs(String token, String body) throws Exception {
    HttpResponse<String> response =
        post(body, "Authorization", "Bearer " + token, "X-Correlation-Id", "c-1");
    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(response.headers().firstValue("X-Correlation-Id")).contains("c-1");
    return response.body();
  }

  @Override
  public void close() {
    if (isClosed) {
      return;
    }
    isClosed = true;
    httpServers.close();
    tokenVerifier.close();
    viewUpdates.close();
    views.close();
    journal.close();
    keyStore.close();
    directory.close();
  }
}
