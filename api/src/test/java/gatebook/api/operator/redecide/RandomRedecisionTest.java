package gatebook.api.operator.redecide;

import static org.assertj.core.api.Assertions.assertThat;

import gatebook.api.daemon.DaemonMethods;
import gatebook.api.data.JournalPlace;
import gatebook.api.data.JournalSection;
import gatebook.api.gateway.message.DialectHandler;
import gatebook.api.gateway.message.DialectHandler.DialectCall;
import gatebook.api.gateway.message.RoutingSnapshot;
import gatebook.api.mcp.McpMethods;
import gatebook.api.rpc.ObjectMembers;
import gatebook.command.call.CallEvaluation;
import gatebook.command.call.CallIdGenerator;
import gatebook.command.call.CallQuotas.QuotaResult;
import gatebook.command.call.DialectVersion;
import gatebook.command.call.Intent;
import gatebook.command.call.ReceiveCall;
import gatebook.command.call.handler.ReceiveDecider;
import gatebook.command.gate.GateChain;
import gatebook.command.inspect.InspectorChain;
import gatebook.command.inspect.InspectorRegistry;
import gatebook.command.keep.ContentDigests;
import gatebook.command.keep.PayloadRecorder;
import gatebook.command.redact.Scrubber;
import gatebook.command.redecide.CallRedecision;
import gatebook.command.rules.Rules;
import gatebook.command.rules.Source;
import gatebook.command.rules.file.RulesFile;
import gatebook.command.rules.file.RulesFile.Reading;
import gatebook.command.rules.file.RulesTexts;
import gatebook.events.Event;
import gatebook.events.Proof;
import gatebook.events.RulesActivated;
import gatebook.events.call.Dialect;
import gatebook.events.call.ErrorResponse;
import gatebook.events.call.Principal;
import gatebook.events.call.Transport;
import gatebook.events.fault.Fault;
import gatebook.events.fault.Misdirected;
import gatebook.events.fault.ServerFault.ConfigurationError;
import gatebook.events.journal.Append;
import gatebook.events.journal.ConflictCondition;
import gatebook.events.journal.Journal;
import gatebook.events.journal.Journals;
import gatebook.events.keys.MemoryContentKeys;
import gatebook.events.keys.OldKeys;
import gatebook.events.vocabulary.EventVocabulary;
import gatebook.query.call.CallHistory;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Redecides random calls under random rules: each redecision must agree with the record. */
@Timeout(900)
final class RandomRedecisionTest {
  private static final QuotaResult USED_UP =
      new QuotaResult.UsedUp(new Misdirected.RateLimited(Misdirected.Limit.BUDGET, 3L));

  private static final long SEED = 20_261_121;
  private static final int RULES = Proof.rounds(12, 200);
  private static final int CALLS_PER_RULES = 25;

  private static final Instant NOON = Instant.parse("2026-10-01T12:00:00Z");
  private static final String SECRET = "ghp_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8";
  private static final Map<String, String> ENVIRONMENT =
      Map.of("PATTERN", "re*", "TOKEN", "opensesame-1234", "VARIABLE", "${PATTERN}");
  private static final List<String> NAMES =
      List.of(
          "read", "readme", "drop", "pay", "a_read", "a_pay", "b/x", "tasks.create", "${PATTERN}");
  private static final List<String> PATTERNS =
      List.of("'*'", "read", "'re*'", "'[pd]*'", "pay", "'${PATTERN}'", "'${VARIABLE}'", "'b/**'");
  private static final List<String> ARGUMENTS =
      List.of(
          "{}",
          "{\"amount\":7}",
          """
          { "amount" : 700, "to": ["ada", 1.50] }\
          """,
          "{\"key\":\"" + SECRET + "\"}",
          """
          {"key":"opensesame-1234"}\
          """,
          """
          {"password":"hunter2hunter2","amount":50}\
          """,
          """
          {"note":"plain, and known to all"}\
          """,
          "{\"amount\":\"many\"}");
  private static final Map<String, String> FILES =
      Map.of(
          "small.cedar",
          """
          permit (principal, action, resource) when {
            resource has arguments && resource.arguments has amount && resource.arguments.amount < 100
          };
          """,
          "keyed.cedar",
          """
          permit (principal, action, resource) when {
            resource has arguments && resource.arguments has key && resource.arguments.key like "*e*"
          };
          forbid (principal, action, resource) when { resource.arguments.amount == 7 };
          """,
          "who.cedar",
          """
          permit (principal in ThoughtGate::Role::"dev", action, resource)
            when { context.time.hour < 13 && context.policy_id == "p1" };
          permit (principal, action, resource) when { principal has team && principal.team == "red" };
          """);

  @TempDir private Path data;

  private final Random random = new Random(SEED);
  private final CallIdGenerator callIds = new CallIdGenerator(InstantSource.system());
  private final MemoryContentKeys contentKeys = new MemoryContentKeys();
  private final ContentDigests contentDigests = new ContentDigests(contentKeys, OldKeys.NONE);
  private final EventVocabulary eventVocabulary = new EventVocabulary(contentKeys, OldKeys.NONE);
  private final GateChain gateChain = new GateChain(System::nanoTime);
  private final Map<Dialect, DialectHandler> methods =
      Map.of(Dialect.MCP, McpMethods.ofSources("1"), Dialect.DAEMON, new DaemonMethods());
  private final Map<String, RulesActivated> activations = new HashMap<>();
  private @Nullable Journal opened;

  @BeforeEach
  void open() {
    opened =
        Journals.opened(
            new JournalPlace(data, Optional.empty()).settings(JournalSection.DEFAULT, Map.of()));
  }

  @AfterEach
  void close() {
    journal().close();
  }

  @Test
  void everyRedecisionAgreesWithItsRecord() throws InterruptedException {
    RedecideService redecideService =
        new RedecideService(
            new CallHistory(journal(), eventVocabulary), this::activated, redecideContext());
    TreeSet<String> seen = new TreeSet<>();
    for (int i = 0; i < RULES; i++) {
      Reading.Valid valid = activated(rules());
      for (int j = 0; j < CALLS_PER_RULES; j++) {
        ReceiveCall call = call(valid.rules());
        append(decided(call, valid.rules()));
        seen.add(checkedOutcome(call, redecideService.redecide(call.callId()), valid));
      }
    }

    assertThat(seen)
        .contains(
            "forwarded",
            "held for people",
            "denied by visibility: not-exposed",
            "denied by visibility: source-disabled",
            "denied by visibility: source-unknown",
            "denied by governance: rule",
            "denied by governance: default-action",
            "denied by policy: no-policy-permits",
            "denied by policy: policy-error",
            "denied by approval: not-asked",
            "withheld by secrets",
            "nothing-decided",
            "not-kept");
  }

  @Test
  void dialectWithoutAHandlerIsAReason() throws InterruptedException {
    Rules rules = activated(rules()).rules();
    ReceiveCall call =
        Stream.generate(() -> call(rules))
            .filter(it -> it.intent() instanceof Intent.Act)
            .findFirst()
            .orElseThrow();
    append(decided(call, rules));
    RedecideService redecideService =
        new RedecideService(
            new CallHistory(journal(), eventVocabulary),
            this::activated,
            redecideContext(Map.of()));

    assertThat(redecideService.redecide(call.callId()).notReplayable())
        .isEqualTo(
            new NotRedecidable(
                "dialect-not-served",
                "this process does not serve the dialect %s: ask one that does"
                    .formatted(call.dialectVersion().dialect().word())));
  }

  /** Checks the redecision and returns its outcome, or why there was none. */
  private static String checkedOutcome(
      ReceiveCall call, RedecidedCall redecidedCall, Reading.Valid valid) {
    String description =
        "%s %s under\n%s".formatted(call.intent(), call.arguments(), valid.texts().rules());
    if (redecidedCall.then() == null) {
      NotRedecidable notRedecidable =
          Objects.requireNonNull(redecidedCall.notReplayable(), description);
      assertThat(notRedecidable.reason()).as(description).isIn("nothing-decided", "not-kept");
      assertThat(notRedecidable.reason().equals("not-kept"))
          .as(description)
          .isEqualTo(call.intent() instanceof Intent.Act);
      assertThat(
              notRedecidable.reason().equals("not-kept") && valid.rules().recording().originals())
          .as(description)
          .isFalse();
      return notRedecidable.reason();
    }
    assertThat(redecidedCall.then().differences()).as(description).isEmpty();
    assertThat(redecidedCall.then().agrees()).as(description).isTrue();
    return redecidedCall.then().outcome();
  }

  private String rules() {
    return """
    schema: 1 # for ${TOKEN}
    sources:
      - id: one
        kind: mcp
        prefix: %s
        url: 'http://127.0.0.1:1/?key=${TOKEN}'
        enabled: %s
        headers: {X-Plain: "plain, and known to all"}
        expose: %s
      - {id: two, kind: mcp, url: 'http://127.0.0.1:2/', prefix: a_, expose: %s}
      - {id: three, kind: jsonrpc, url: 'http://127.0.0.1:3/', prefix: %s}
    governance:
      defaults: {action: %s}
      rules: [%s]
    approval: {people: {timeout: 1m}}
    cedar: {policies: [%s]}
    principals: [{name: ada, token_hash: "sha256:%s"}]
    inspect: [%s]
    redact: {identities: %s, fields: [%s]}
    record: {originals: %s}
    """
        .formatted(
            any(List.of("''", "''", "''", "r")),
            random.nextInt(5) > 0,
            expose(),
            expose(),
            any(List.of("tasks.", "''", "rea")),
            any(List.of("forward", "deny", "policy", "approve")),
            IntStream.range(0, random.nextInt(5))
                .mapToObj(_ -> rule())
                .collect(Collectors.joining(", ")),
            FILES.keySet().stream()
                .sorted()
                .skip(random.nextInt(FILES.size()))
                .collect(Collectors.joining(", ")),
            "ab".repeat(32),
            any(List.of("", "secrets")),
            random.nextBoolean(),
            any(List.of("", "amount")),
            any(List.of("sealed", "sealed", "none")));
  }

  private String rule() {
    String rest =
        switch (random.nextInt(6)) {
          case 0 -> "action: forward";
          case 1 -> "action: deny, public: true";
          case 2 -> "action: approve";
          case 3 -> "action: policy, policy_id: p1, approval: people";
          case 4 -> "action: policy, policy_id: p1, source: [one, three]";
          default -> "action: approve, approval: people, source: two";
        };
    return "{match: %s, %s}".formatted(any(PATTERNS), rest);
  }

  private String expose() {
    return switch (random.nextInt(4)) {
      case 0 -> "{mode: allowlist, tools: [%s, %s]}".formatted(any(PATTERNS), any(PATTERNS));
      case 1 -> "{mode: blocklist, tools: [%s]}".formatted(any(PATTERNS));
      default -> "{mode: all}";
    };
  }

  private ReceiveCall call(Rules rules) {
    Dialect dialect = any(List.of(Dialect.MCP, Dialect.DAEMON));
    String name = any(NAMES);
    String arguments = random.nextInt(6) == 0 ? null : any(ARGUMENTS);
    String method = method(dialect);
    String params =
        switch (method) {
          case "tools/call", "prompts/get" -> params("name", name, arguments);
          case "resources/read" -> params("uri", name, null);
          default -> arguments;
        };
    DialectCall dialectCall =
        new DialectCall(method, params, ObjectMembers.of(params), null, rules);
    DialectHandler handler = Objects.requireNonNull(methods.get(dialect));
    return new ReceiveCall(
        callIds.next(),
        "c",
        null,
        new DialectVersion(dialect, null),
        Transport.HTTP,
        NOON.plusSeconds(random.nextInt(7_200)),
        method,
        random.nextInt(5) == 0 ? null : "1",
        principal(),
        handler.intent(dialectCall),
        params,
        handler.arguments(dialectCall).orElse(null),
        null,
        rules.hash(),
        null);
  }

  private String method(Dialect dialect) {
    return dialect == Dialect.MCP
        ? any(List.of("tools/call", "tools/call", "prompts/get", "resources/read", "ping", "dance"))
        : any(List.of("tools/call", "tasks.create", "read", "tools/list"));
  }

  private static String params(String member, String name, @Nullable String arguments) {
    return arguments == null
        ? "{\"%s\":\"%s\"}".formatted(member, name)
        : """
        { "arguments": %s, "%s":"%s", "_meta":{}}\
        """
            .formatted(arguments, member, name);
  }

  private Principal principal() {
    return switch (random.nextInt(3)) {
      case 0 -> new Principal("ada", List.of("dev"), Map.of("team", "red"));
      case 1 -> new Principal("bob", List.of("dev", "ops"), Map.of());
      default -> new Principal("anonymous", List.of(), Map.of());
    };
  }

  private <T> T any(List<T> some) {
    return some.get(random.nextInt(some.size()));
  }

  private Reading.Valid activated(String text) {
    RulesFile file =
        new RulesFile("rules.yaml", name -> open(name, text), ENVIRONMENT, InspectorRegistry.NAMES);
    Reading.Valid valid =
        switch (file.read()) {
          case Reading.Valid it -> it;
          case Reading.Broken broken -> throw new AssertionError(broken.mistakes() + "\n" + text);
        };
    RulesTexts rulesTexts = valid.texts();
    activations.put(
        rulesTexts.hash(),
        new RulesActivated(
            rulesTexts.hash(),
            rulesTexts.rules(),
            rulesTexts.policies(),
            rulesTexts.schema(),
            "an engine"));
    return valid;
  }

  private Optional<RuleActivations.Activated> activated(String rulesHash, long before) {
    return Optional.ofNullable(activations.get(rulesHash))
        .map(rules -> new RuleActivations.Activated(NOON.toString(), rules));
  }

  private static InputStream open(String name, String rules) throws NoSuchFileException {
    String text = name.equals("rules.yaml") ? rules : FILES.get(name);
    if (text == null) {
      throw new NoSuchFileException(name);
    }
    return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
  }

  private List<Event> decided(ReceiveCall call, Rules rules) {
    QuotaResult quotaResult =
        any(List.of(QuotaResult.TAKEN, QuotaResult.PRINCIPAL_FULL, QuotaResult.FULL, USED_UP));
    return receiveDecider(rules).decide(call, rules, quotaResult).events();
  }

  private ReceiveDecider receiveDecider(Rules rules) {
    return new ReceiveDecider(
        gateChain,
        new InspectorChain(RandomRedecisionTest::scrubber),
        new InspectorChain(RandomRedecisionTest::scrubber),
        (_, owner) ->
            new PayloadRecorder(contentDigests, owner, scrubber(rules), rules.recording()),
        contentDigests,
        RandomRedecisionTest::told,
        InstantSource.fixed(NOON));
  }

  private static ErrorResponse told(Fault fault, DialectVersion dialectVersion, String id) {
    return new ErrorResponse(dialectVersion.dialect(), -1, "told", null, null);
  }

  private RedecideContext redecideContext() {
    return redecideContext(methods);
  }

  private RedecideContext redecideContext(Map<Dialect, DialectHandler> handlers) {
    return new RedecideContext(
        handlers,
        () -> new RoutingSnapshot(Rules.NONE, Map.of(), new ConfigurationError("none")),
        contentDigests,
        new CallRedecision(
            new CallEvaluation(gateChain, new InspectorChain(RandomRedecisionTest::scrubber))),
        _ -> RandomRedecisionTest::told);
  }

  private static Scrubber scrubber(Rules rules) {
    List<String> headers =
        rules.sources().stream().map(Source::headers).flatMap(it -> it.values().stream()).toList();
    return new Scrubber(rules.redaction(), headers, Map.of());
  }

  private void append(List<Event> events) {
    assertThat(
            journal()
                .append(
                    ConflictCondition.none(),
                    events.stream().map(it -> eventVocabulary.draft(it, NOON)).toList())
                .join())
        .isInstanceOf(Append.Stored.class);
  }

  private Journal journal() {
    return Objects.requireNonNull(opened);
  }
}
