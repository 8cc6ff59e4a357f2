package gatebook.api.operator.whatif;

import static gatebook.events.bench.Bench.print;
import static java.nio.charset.StandardCharsets.UTF_8;

import gatebook.api.gateway.message.DialectHandler.DialectCall;
import gatebook.api.gateway.message.RoutingSnapshot;
import gatebook.api.mcp.McpMethods;
import gatebook.api.operator.redecide.RedecideContext;
import gatebook.api.operator.redecide.RuleActivations;
import gatebook.api.rpc.ObjectMembers;
import gatebook.command.call.CallIdGenerator;
import gatebook.command.call.DialectVersion;
import gatebook.command.call.FaultTranslator;
import gatebook.command.call.ReceiveCall;
import gatebook.command.call.approval.HoldQuota.QuotaResult;
import gatebook.command.call.handler.ReceiveDecider;
import gatebook.command.gate.GateChain;
import gatebook.command.inspect.InspectorChain;
import gatebook.command.inspect.InspectorRegistry;
import gatebook.command.keep.ContentDigests;
import gatebook.command.keep.PayloadRecorder;
import gatebook.command.policy.PolicyQuestion;
import gatebook.command.redact.Scrubber;
import gatebook.command.redecide.CallRedecision;
import gatebook.command.rules.GatewayLimits;
import gatebook.command.rules.Rules;
import gatebook.command.rules.file.RulesFile;
import gatebook.command.rules.file.RulesFile.Reading;
import gatebook.events.CallReceived;
import gatebook.events.Event;
import gatebook.events.RulesActivated;
import gatebook.events.bench.Bench;
import gatebook.events.bench.SampleCalls;
import gatebook.events.bench.Table;
import gatebook.events.call.Dialect;
import gatebook.events.call.ErrorResponse;
import gatebook.events.call.Principal;
import gatebook.events.call.Transport;
import gatebook.events.fault.ServerFault.ConfigurationError;
import gatebook.events.journal.DraftEvent;
import gatebook.events.journal.Journal;
import gatebook.events.journal.Journals;
import gatebook.events.journal.storage.Entry;
import gatebook.events.keys.MemoryContentKeys;
import gatebook.events.keys.OldKeys;
import gatebook.events.vocabulary.EventVocabulary;
import java.io.ByteArrayInputStream;
import java.time.Clock;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A what-if over recorded calls, no two of which are equal, beside a bare scan that unseals and
 * parses each: without policies and with ten, beside the policy engine alone, and its memory.
 */
final class WhatIfBench {
  private static final int CALLS =
      Bench.QUICK ? 20_000 : Integer.getInteger("bench.events", 1_000_000);

  private static final int POLICY_CALLS = Math.min(CALLS, 100_000);
  private static final int PAGE = 1_000;
  private static final Principal JOE = new Principal("joe", List.of("dev"), Map.of());

  private final Journal journal;
  private final MemoryContentKeys contentKeys = new MemoryContentKeys();
  private final ContentDigests contentDigests = new ContentDigests(contentKeys, OldKeys.NONE);
  private final EventVocabulary eventVocabulary = new EventVocabulary(contentKeys, OldKeys.NONE);
  private final McpMethods mcp = McpMethods.ofSources("1");
  private final CallIdGenerator callIds = new CallIdGenerator(InstantSource.system());
  private final Map<String, RulesActivated> activations = new HashMap<>();
  private final Table table = new Table("what", "calls", "seconds", "a second", "heap MiB");

  private WhatIfBench(Journal journal) {
    this.journal = journal;
  }

  static void measure(Bench bench) throws Exception {
    try (Journal journal = Journals.opened(Journals.inSegments(bench.directory()))) {
      new WhatIfBench(journal).run();
    }
  }

  private void run() throws Exception {
    Rules plain = rules("forward", "{match: drop*, action: deny}", 0);
    fill(plain, CALLS);
    long end = journal.head();
    for (int round = 0; round < 3; round++) {
      row("bare scan: unsealed and parsed", CALLS, () -> scan(0, end));
      row(
          "what-if without policies: 2 decisions a call",
          CALLS,
          () -> whatIf(rules("forward", "{match: \"*7\", action: deny}", 0)));
    }
    Instant begin = Instant.now();
    Rules policies = rules("policy", "{match: drop*, action: deny}", 10);
    fill(policies, POLICY_CALLS);
    long from = end;
    for (int round = 0; round < 3; round++) {
      row(
          "bare scan of the calls with ten policies",
          POLICY_CALLS,
          () -> scan(from, journal.head()));
      row("ten policies: the engine alone, in a loop", POLICY_CALLS, () -> engine(policies));
      Rules candidate = rules("policy", "{match: \"*7\", action: deny}", 10);
      row(
          "what-if with ten policies: 2 decisions a call",
          POLICY_CALLS,
          () ->
              run(
                  new WhatIfRequest(
                      candidate, Optional.of(begin), Optional.empty(), Optional.empty())));
    }
    print("%s", table);
  }

  private void row(String what, int calls, Bench.Work work) throws Exception {
    System.gc();
    Runtime runtime = Runtime.getRuntime();
    long before = System.nanoTime();
    work.run();
    double seconds = (System.nanoTime() - before) / 1e9;
    System.gc();
    long heap = (runtime.totalMemory() - runtime.freeMemory()) >> 20;
    table.add(
        what,
        String.format(Locale.ROOT, "%,d", calls),
        String.format(Locale.ROOT, "%.1f", seconds),
        String.format(Locale.ROOT, "%,.0f", calls / seconds),
        Long.toString(heap));
    print("%s: %,d calls in %.1f s, heap %d MiB", what, calls, seconds, heap);
  }

  private void scan(long after, long end) {
    long position = after;
    long members = 0;
    while (position < end) {
      List<Entry> page = journal.read(position, PAGE);
      for (Entry entry : page) {
        if (entry.name().endsWith(".CallReceived")) {
          members +=
              eventVocabulary
                  .readIfPossible(entry, CallReceived.class)
                  .map(CallReceived::original)
                  .map(original -> ObjectMembers.of(original).text("name").orElse("").length())
                  .orElse(0);
        }
      }
      position = page.getLast().position();
    }
    if (members == 0) {
      throw new IllegalStateException("nothing was read");
    }
  }

  private void whatIf(Rules candidate) {
    run(new WhatIfRequest(candidate, Optional.empty(), Optional.empty(), Optional.empty()));
  }

  private void run(WhatIfRequest request) {
    WhatIfRun run =
        new WhatIfRun(
            journal,
            eventVocabulary,
            context(),
            this::activated,
            request,
            GatewayLimits.DEFAULT,
            "1",
            Clock.systemUTC());
    run.run();
    WhatIfReport report = run.status().report();
    if (report == null || report.selfCheck().agrees() != report.calls().recorded()) {
      throw new IllegalStateException(run.status().toString());
    }
  }

  private void engine(Rules rules) {
    int permitted = 0;
    for (int i = 0; i < POLICY_CALLS; i++) {
      PolicyQuestion question =
          new PolicyQuestion(
              JOE,
              "tools/call",
              true,
              "read" + i % 50,
              "one",
              arguments(-1 - i),
              "",
              Instant.now());
      permitted += rules.policies().decide(question, () -> 0).reasons().size();
    }
    if (permitted < 0) {
      throw new IllegalStateException();
    }
  }

  private static String arguments(int i) {
    return "{\"amount\":%d,\"path\":\"/srv/data/%d\",\"note\":\"tidying up\"}".formatted(i, i);
  }

  private void fill(Rules rules, int calls) {
    ReceiveDecider decider = decider(rules);
    SampleCalls.fill(journal, 0, calls, i -> drafts(decider, rules, i));
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
        translator(),
        InstantSource.system());
  }

  private static FaultTranslator translator() {
    return (_, dialectVersion, _) ->
        new ErrorResponse(dialectVersion.dialect(), -32_014, "denied", null, null);
  }

  private RedecideContext context() {
    return RedecideContext.of(
        List.of(mcp),
        () -> new RoutingSnapshot(Rules.NONE, Map.of(), new ConfigurationError("none")),
        contentDigests,
        CallRedecision.of(_ -> Scrubber.BUILT_IN),
        _ -> translator());
  }

  private Rules rules(String action, String rule, int policies) {
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

  private Optional<RuleActivations.Activated> activated(String hash, long before) {
    return Optional.ofNullable(activations.get(hash))
        .map(rules -> new RuleActivations.Activated("2026-01-01T00:00:00Z", rules));
  }
}
