package gatebook.api.operator.methods;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.json.JsonMapper;
import gatebook.api.dialect.ErrorTranslation;
import gatebook.api.gateway.message.RoutingSnapshot;
import gatebook.api.mcp.McpMethods;
import gatebook.api.operator.redecide.RedecideContext;
import gatebook.api.operator.rpc.CallParams;
import gatebook.api.operator.rpc.Operator;
import gatebook.api.operator.rpc.OperatorMethod;
import gatebook.api.operator.rpc.OperatorMethod.Outcome;
import gatebook.api.operator.rpc.RulesInForce;
import gatebook.api.operator.whatif.WhatIfStatus;
import gatebook.api.rpc.ObjectMembers;
import gatebook.api.rules.RulesFiles;
import gatebook.command.keep.ContentDigests;
import gatebook.command.redact.Scrubber;
import gatebook.command.redecide.CallRedecision;
import gatebook.command.rules.Credential;
import gatebook.command.rules.GatewayLimits;
import gatebook.command.rules.KnownOperator.Role;
import gatebook.command.rules.Rules;
import gatebook.command.rules.file.RulesFile.Reading;
import gatebook.events.bench.SampleCalls;
import gatebook.events.call.Bytes;
import gatebook.events.fault.ServerFault.ConfigurationError;
import gatebook.events.journal.Journal;
import gatebook.events.journal.Journals;
import gatebook.events.keys.MemoryContentKeys;
import gatebook.events.keys.OldKeys;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The methods on a node of which each what-if waits before it compares the first call. */
@Timeout(60)
final class WhatIfMethodsTest {
  private static final JsonMapper JSON = new JsonMapper();
  private static final Operator ALICE =
      new Operator("alice", Set.of(Role.ARGUMENTS), new Credential.Token(Bytes.of(new byte[32])));

  private static final String CANDIDATE =
      """
      schema: 1
      sources: [{id: demo, kind: demo}]
      governance: {defaults: {action: deny}}
      """;

  @TempDir private Path directory;
  private final CountDownLatch mayCompare = new CountDownLatch(1);
  private Journal journal;
  private List<OperatorMethod> methods;

  @BeforeEach
  void open() {
    journal = Journals.opened(Journals.inSegments(directory));
    new SampleCalls().fill(journal, 0, 10);
    methods =
        new WhatIfMethods(
                journal,
                MemoryContentKeys.vocabulary(),
                RedecideContext.of(
                    List.of(McpMethods.ofSources("1")),
                    () -> new RoutingSnapshot(Rules.NONE, Map.of(), new ConfigurationError("none")),
                    new ContentDigests(new MemoryContentKeys(), OldKeys.NONE),
                    CallRedecision.of(_ -> Scrubber.BUILT_IN),
                    _ -> new ErrorTranslation(UnaryOperator.identity())),
                (_, _) -> {
                  mayCompare.await();
                  return Optional.empty();
                },
                new Candidates(),
                () -> GatewayLimits.DEFAULT,
                "1",
                Clock.systemUTC())
            .all();
  }

  @AfterEach
  void close() {
    mayCompare.countDown();
    journal.close();
  }

  @Test
  void oneWhatIfRunsAtATime() throws Exception {
    assertThat(status(call("audit.whatif", candidate())).state()).isEqualTo("running");

    assertThat(call("audit.whatif", candidate()))
        .isEqualTo(
            new Outcome.Busy(
                "a what-if is running: wait until it has ended, or cancel it with"
                    + " audit.cancelWhatif"));
    mayCompare.countDown();
    await().until(() -> call("audit.whatifStatus", "{}") instanceof Outcome.Answered);
    assertThat(call("audit.whatif", candidate())).isInstanceOf(Outcome.Answered.class);
  }

  @Test
  void onlyTheStatusOfARunningWhatIfIsProgress() throws Exception {
    assertThat(call("audit.whatifStatus", "{}")).isEqualTo(Outcome.answered(WhatIfStatus.NONE));
    var _ = call("audit.whatif", candidate());

    assertThat(call("audit.whatifStatus", "{}"))
        .isInstanceOfSatisfying(
            Outcome.Progress.class,
            progress -> {
              assertThat(((WhatIfStatus) progress.result()).state()).isEqualTo("running");
              assertThat(((WhatIfStatus) progress.result()).report()).isNull();
            });

    mayCompare.countDown();
    await().until(() -> call("audit.whatifStatus", "{}") instanceof Outcome.Answered);
    assertThat(status(call("audit.whatifStatus", "{}")).report()).isNotNull();
  }

  @Test
  void runningWhatIfIsCancelled() throws Exception {
    var _ = call("audit.whatif", candidate());

    assertThat(call("audit.cancelWhatif", "{}"))
        .isEqualTo(Outcome.answered(Map.of("cancelled", true)));
    mayCompare.countDown();
    await().until(() -> call("audit.whatifStatus", "{}") instanceof Outcome.Answered);
    assertThat(call("audit.cancelWhatif", "{}"))
        .isEqualTo(Outcome.answered(Map.of("cancelled", false)));
  }

  @Test
  void untilIsAfterSince() throws Exception {
    for (String until : List.of("2026-01-02T03:04:04Z", "2026-01-02T03:04:05Z")) {
      assertThat(call("audit.whatif", candidate("2026-01-02T03:04:05Z", until)))
          .isInstanceOfSatisfying(
              Outcome.InvalidParams.class,
              invalid -> assertThat(invalid.sentence()).isEqualTo("until is not after since"));
    }
    assertThat(call("audit.whatif", candidate("2026-01-02T03:04:05Z", "2026-01-02T03:04:06Z")))
        .isInstanceOf(Outcome.Answered.class);
  }

  private static WhatIfStatus status(Outcome outcome) {
    return (WhatIfStatus) ((Outcome.Answered) outcome).result();
  }

  private static String candidate() {
    return JSON.createObjectNode().put("text", CANDIDATE).toString();
  }

  private static String candidate(String since, String until) {
    return JSON.createObjectNode()
        .put("text", CANDIDATE)
        .put("since", since)
        .put("until", until)
        .toString();
  }

  private Outcome call(String name, String params) throws InterruptedException {
    return methods.stream()
        .filter(it -> it.name().equals(name))
        .findFirst()
        .orElseThrow()
        .handler()
        .handle(new CallParams(ObjectMembers.of(params)), ALICE);
  }

  /** Reads candidates, which may read nothing else. */
  private static final class Candidates implements RulesInForce {
    @Override
    public Reading read(Candidate candidate) {
      return RulesFiles.forwardingAll()
          .withForeignCandidate(candidate.text(), candidate.files())
          .read();
    }

    @Override
    public Optional<CurrentRules> current() {
      return Optional.empty();
    }

    @Override
    public CheckResult check() {
      throw new UnsupportedOperationException();
    }

    @Override
    public CheckResult check(String candidate) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Optional<List<String>> hiddenFields(String workflow) {
      return Optional.empty();
    }
  }
}
