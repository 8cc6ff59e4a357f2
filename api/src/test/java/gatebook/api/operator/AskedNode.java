package gatebook.api.operator;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import gatebook.api.again.Means;
import gatebook.api.border.Ground;
import gatebook.api.daemon.DaemonMethods;
import gatebook.api.data.DataDirectory;
import gatebook.api.data.OperatorToken;
import gatebook.api.http.CurrentLimits;
import gatebook.api.http.Door;
import gatebook.api.http.Doors;
import gatebook.api.http.Listen;
import gatebook.api.http.Readiness;
import gatebook.api.mcp.McpMethods;
import gatebook.api.settings.JournalPlace;
import gatebook.api.settings.JournalSection;
import gatebook.command.Decision;
import gatebook.command.again.DecideAgain;
import gatebook.command.approve.Approval;
import gatebook.command.approve.DecideApproval;
import gatebook.command.course.CallSoFar;
import gatebook.command.gate.Gates;
import gatebook.command.inspect.Inspections;
import gatebook.command.keep.Keeper;
import gatebook.command.receive.Judging;
import gatebook.command.redact.Scrubber;
import gatebook.command.rules.KnownOperator;
import gatebook.command.rules.Limits;
import gatebook.command.rules.Rules;
import gatebook.events.CallEvent;
import gatebook.events.Event;
import gatebook.events.fault.ServerFault.ConfigurationError;
import gatebook.events.journal.Append;
import gatebook.events.journal.Condition;
import gatebook.events.journal.Journal;
import gatebook.events.journal.Journals;
import gatebook.events.vocabulary.Vocabulary;
import gatebook.query.Views;
import gatebook.query.calls.CallEvents;
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
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** A node with a real journal, view and doors, in a data directory it owns. */
public final class AskedNode implements AutoCloseable {
  public static final Instant AT = Instant.parse("2026-01-02T03:04:05.000000006Z");

  private static final Listen ANY_PORT = new Listen("127.0.0.1", 0);

  private final DataDirectory directory;
  private final Journal journal;
  private final ViewFile views;
  private final Views following;
  private final Doors doors;
  private final OperatorToken token;

  public AskedNode(Path data) throws IOException {
    this(data, List::of, Optional.empty());
  }

  AskedNode(Path data, Supplier<List<KnownOperator>> operators, Optional<RulesInForce> rules)
      throws IOException {
    this(data, operators, rules, Limits.DEFAULT);
  }

  AskedNode(
      Path data,
      Supplier<List<KnownOperator>> operators,
      Optional<RulesInForce> rules,
      Limits limits)
      throws IOException {
    directory = ((DataDirectory.Opening.Opened) DataDirectory.open(data)).directory();
    token = directory.operatorToken();
    journal =
        Journals.opened(
            new JournalPlace(data, Optional.empty()).settings(JournalSection.DEFAULT, Map.of()));
    views = ((ViewFile.Opening.Opened) ViewFile.open(data.resolve("views"))).views();
    following = Views.follow(views, journal);
    Ports ports = new Ports(this::decide, operators, rules, again());
    Desk desk = new Desk(journal, following, token, ports, "1.2.3", Clock.systemUTC());
    Doors.Opening opening =
        Doors.open(
            ANY_PORT,
            ANY_PORT,
            "1.2.3",
            () -> new Readiness.Answer(Map.of(), null, "power"),
            new PrometheusMeterRegistry(PrometheusConfig.DEFAULT),
            context -> {
              context.registerSingleton(Desk.class, desk);
              context.registerSingleton(CurrentLimits.class, () -> limits);
            });
    doors = ((Doors.Opening.Opened) opening).doors();
    directory.announce(doors.at(Door.ADMIN).port());
  }

  /** By no rules, and with keys that nothing was sealed with. */
  private static Means again() {
    Gates gates = new Gates(System::nanoTime);
    return Means.of(
        List.of(new McpMethods("1.2.3"), new DaemonMethods()),
        () -> new Ground(Rules.NONE, Map.of(), new ConfigurationError("no rules were read")),
        new Keeper(new byte[Keeper.KEY_BYTES]),
        new DecideAgain(new Judging(gates, new Inspections(_ -> Scrubber.BUILT_IN))));
  }

  /** Decides by the journal as it is, as long as nobody else decides at the same time. */
  private CompletableFuture<DecideApproval.Outcome> decide(DecideApproval command) {
    CallSoFar soFar = CallSoFar.NOTHING;
    for (CallEvent event : new CallEvents(journal).of(command.callId())) {
      soFar = soFar.and(event);
    }
    Decision<DecideApproval.Outcome> decision = Approval.decide(command, soFar);
    if (!decision.events().isEmpty()) {
      append(decision.events().toArray(Event[]::new));
    }
    return CompletableFuture.completedFuture(decision.outcome());
  }

  public String url(Door door) {
    return doors.at(door).url();
  }

  public String token() {
    return token.text();
  }

  Journal journal() {
    return journal;
  }

  public void append(Event... events) {
    Vocabulary vocabulary = new Vocabulary();
    assertThat(
            journal
                .append(
                    Condition.none(),
                    Stream.of(events).map(it -> vocabulary.draft(it, AT)).toList())
                .join())
        .isInstanceOf(Append.Stored.class);
  }

  /** Everything the journal holds, as events. */
  public List<Event> events() {
    Vocabulary vocabulary = new Vocabulary();
    return journal.read(0, 1_000).stream()
        .map(it ->
            vocabulary.read(
                new org.axonframework.messaging.core.MessageType(it.name(), it.version()),
                it.payload()))
        .toList();
  }

  HttpResponse<String> post(String body, String... headers) throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(url(Door.ADMIN) + "/operator"))
            .POST(HttpRequest.BodyPublishers.ofString(body, UTF_8));
    if (headers.length > 0) {
      request.headers(headers);
    }
    try (HttpClient client = HttpClient.newHttpClient()) {
      return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }
  }

  String ask(String body) throws Exception {
    return askAs(token.text(), body);
  }

  String askAs(String who, String body) throws Exception {
    HttpResponse<String> response =
        post(body, "Authorization", "Bearer " + who, "X-Correlation-Id", "c-1");
    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(response.headers().firstValue("X-Correlation-Id")).contains("c-1");
    return response.body();
  }

  @Override
  public void close() {
    doors.close();
    following.close();
    views.close();
    journal.close();
    directory.close();
  }
}
