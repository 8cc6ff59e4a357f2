package gatebook.api.operator.whatif;

import static java.nio.charset.StandardCharsets.UTF_8;

import gatebook.api.dialect.ErrorTranslation;
import gatebook.api.gateway.message.DialectHandler.DialectCall;
import gatebook.api.gateway.message.RoutingSnapshot;
import gatebook.api.mcp.McpMethods;
import gatebook.api.operator.redecide.RedecideContext;
import gatebook.api.operator.redecide.RuleActivations;
import gatebook.api.rpc.ObjectMembers;
import gatebook.command.call.CallIdGenerator;
import gatebook.command.call.CallQuotas.QuotaResult;
import gatebook.command.call.DialectVersion;
import gatebook.command.call.FaultTranslator;
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
import gatebook.command.rules.file.RulesFile;
import gatebook.command.rules.file.RulesFile.Reading;
import gatebook.events.Event;
import gatebook.events.RulesActivated;
import gatebook.events.bench.SampleCalls;
import gatebook.events.call.Dialect;
import gatebook.events.call.Principal;
import gatebook.events.call.Transport;
import gatebook.events.fault.ServerFault.ConfigurationError;
import gatebook.events.journal.DraftEvent;
import gatebook.events.journal.Journal;
import gatebook.events.keys.MemoryContentKeys;
import gatebook.events.keys.OldKeys;
import gatebook.events.vocabulary.EventVocabulary;
import java.io.ByteArrayInputStream;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Calls of tools over MCP, as rules decided them, recorded in a journal; no two are equal. Every
 * third is of a tool {@code drop}, the others of tools {@code read}.
 */
final class DecidedCalls {
  static final Principal JOE = new Principal("joe", List.of("dev"), Map.of());

  private static final FaultTranslator FAULT_TRANSLATOR =
      new ErrorTranslation(Scrubber.BUILT_IN::scrub);

  private final Journal journal;
  private final MemoryContentKeys contentKeys = new MemoryContentKeys();
  private final ContentDigests contentDigests = new ContentDigests(contentKeys, OldKeys.NONE);
  private final EventVocabulary eventVocabulary = new EventVocabulary(contentKeys, OldKeys.NONE);
  private final McpMethods mcp = McpMethods.ofSources("1");
  private final CallIdGenerator callIds = new CallIdGenerator(InstantSource.system());
  private final Map<String, RulesActivated> activations = new ConcurrentHashMap<>();

  DecidedCalls(Journal journal) {
    this.journal = journal;
  }

  EventVocabulary eventVocabulary() {
    return eventVocabulary;
  }

  /** Appends so many calls, which these rules decide. */
  void add(Rules rules, int calls) {
    ReceiveDecider decider = decider(rules);
    SampleCalls.fill(journal, 0, calls, i -> drafts(decider, rules, i));
  }

  /** The arguments of a call with a number. */
  static String arguments(int i) {
    return "{\"amount\":%d,\"path\":\"/srv/data/%d\",\"note\":\"tidying up\"}".formatted(i, i);
  }

  private List<DraftEvent> drafts(ReceiveDecider decider, Rules rules, int i) {
    String name = (i % 3 == 0 ? "drop" : "read") + i % 50;
    String params = "{\"name\":\"%s\",\"arguments\":%s}".formatted(name, arguments(i));
    DialectCall dialectCall =
        new DialectCall("tools/call", params, ObjectMembers.of(params), null, rules);
    Instant now = Instant.now();
    ReceiveCall call =
        new ReceiveCall(
            callIds.next(),
            "c-" + i,
            null,
            new DialectVersion(Dialect.MCP, null),
            Transport.HTTP,
            now,
            "tools/call",
            "1",
            JOE,
            mcp.intent(dialectCall),
            params,
            mcp.arguments(dialectCall).orElse(null),
            null,
            rules.hash(),
            null);
    List<Event> events = decider.decide(call, rules, QuotaResult.TAKEN).events();
    return events.stream().map(event -> eventVocabulary.draft(event, now)).toList();
  }

  private ReceiveDecider decider(Rules rules) {
    return new ReceiveDecider(
        new GateChain(System::nanoTime),
        new InspectorChain(_ -> Scrubber.BUILT_IN),
        new InspectorChain(_ -> Scrubber.BUILT_IN),
        (_, owner) ->
            new PayloadRecorder(contentDigests, owner, Scrubber.BUILT_IN, rules.recording()),
        contentDigests,
        FAULT_TRANSLATOR,
        InstantSource.system());
  }

  /** Decides such calls again. */
  RedecideContext context() {
    return RedecideContext.of(
        List.of(mcp),
        () -> new RoutingSnapshot(Rules.NONE, Map.of(), new ConfigurationError("none")),
        contentDigests,
        CallRedecision.of(_ -> Scrubber.BUILT_IN),
        _ -> FAULT_TRANSLATOR);
  }

  /** Rules with a default action, one rule and so many policies. */
  Rules rules(String action, String rule, int policies) {
    String files =
        IntStream.range(0, policies)
            .mapToObj(i -> "p%d.cedar".formatted(i))
            .collect(Collectors.joining(", "));
    String text =
        """
        schema: 1
        sources: [{id: one, kind: mcp, url: 'http://127.0.0.1:1/'}]
        governance: {defaults: {action: %s}, rules: [%s]}
        principals: [{name: joe, token_hash: "sha256:%s", roles: [dev]}]
        %s
        """
            .formatted(
                action,
                rule,
                "ab".repeat(32),
                policies == 0 ? "" : "cedar: {policies: [%s]}".formatted(files));
    RulesFile file =
        new RulesFile(
            "rules.yaml",
            name ->
                new ByteArrayInputStream(
                    (name.endsWith(".cedar") ? policy(name) : text).getBytes(UTF_8)),
            Map.of(),
            InspectorRegistry.NAMES);
    return switch (file.read()) {
      case Reading.Broken broken -> throw new IllegalStateException(broken.mistakes().toString());
      case Reading.Valid valid -> {
        activations.put(
            valid.texts().hash(),
            new RulesActivated(
                valid.texts().hash(), valid.texts().rules(), valid.texts().policies(), null, "x"));
        yield valid.rules();
      }
    };
  }

  private static String policy(String name) {
    return """
    permit (principal in ThoughtGate::Role::"dev", action, resource) when {
      resource has arguments && resource.arguments has amount
        && resource.arguments.amount < %d000000 && resource.arguments.note != "%s"
    };
    """
        .formatted(1 + name.charAt(1) - '0', name);
  }

  /** The activations of the rules that were made here. */
  Optional<RuleActivations.Activated> activated(String hash) {
    return Optional.ofNullable(activations.get(hash))
        .map(rules -> new RuleActivations.Activated("2026-01-01T00:00:00Z", rules));
  }
}
