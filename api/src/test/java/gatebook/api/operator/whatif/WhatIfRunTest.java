package gatebook.api.operator.whatif;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import gatebook.api.gateway.message.RoutingSnapshot;
import gatebook.api.operator.redecide.RedecideContext;
import gatebook.command.keep.ContentDigests;
import gatebook.command.redact.Scrubber;
import gatebook.command.redecide.CallRedecision;
import gatebook.command.rules.GatewayLimits;
import gatebook.command.rules.Limit;
import gatebook.command.rules.Rules;
import gatebook.events.bench.SampleCalls;
import gatebook.events.fault.ServerFault.ConfigurationError;
import gatebook.events.journal.Journal;
import gatebook.events.journal.Journals;
import gatebook.events.keys.MemoryContentKeys;
import gatebook.events.keys.OldKeys;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(300)
final class WhatIfRunTest {
  private static final Clock CLOCK =
      Clock.fixed(Instant.parse("2026-01-02T03:04:05Z"), ZoneOffset.UTC);

  /** More pages than are read before the first one is compared. */
  private static final int CALLS = 3_000;

  @TempDir private Path directory;
  private Journal journal;
  private DecidedCalls calls;
  private Rules then;

  @BeforeEach
  void open() {
    journal = Journals.opened(Journals.inSegments(directory));
    calls = new DecidedCalls(journal);
    then = calls.rules("forward", "{match: drop*, action: deny}", 0);
  }

  @AfterEach
  void close() {
    journal.close();
  }

  @Test
  void runThatIsCancelledFirstHasNoReport() {
    calls.add(then, 10);
    WhatIfRun run = run(1, () -> {}, new ArrayList<>());

    assertThat(run.cancel()).isTrue();
    run.run();

    assertThat(run.status().state()).isEqualTo("cancelled");
    assertThat(run.status().report()).isNull();
    assertThat(run.cancel()).isFalse();
  }

  @Test
  void runIsCancelledAmidTheCalls() {
    calls.add(then, CALLS);
    AtomicReference<WhatIfRun> run = new AtomicReference<>();
    run.set(run(1, () -> assertThat(run.get().cancel()).isTrue(), new ArrayList<>()));

    run.get().run();

    assertThat(run.get().status().state()).isEqualTo("cancelled");
    assertThat(run.get().status().decided()).isLessThan(CALLS);
  }

  @Test
  void runEndsWhenTheNodeStops() {
    calls.add(then, CALLS);
    WhatIfRun run = run(1, journal::close, new ArrayList<>());

    run.run();

    assertThat(run.status().state()).isEqualTo("failed");
    assertThat(run.status().error()).isEqualTo("this node is stopping: try again later");
  }

  @Test
  void reportIsTheSameForAnyNumberOfThreads() {
    calls.add(then, CALLS);

    WhatIfReport report = report(run(1, () -> {}, new ArrayList<>()));

    assertThat(report.changes())
        .containsEntry("newly-denied", 200L)
        .containsEntry("newly-allowed", 900L)
        .containsEntry("refused-otherwise", 0L);
    assertThat(report.selfCheck().agrees()).isEqualTo(CALLS);
    WhatIfReport byMore = report(run(2, () -> {}, new ArrayList<>()));
    assertThat(byMore.groups()).isEqualTo(report.groups());
    assertThat(byMore.changes()).isEqualTo(report.changes());
    assertThat(byMore.calls()).isEqualTo(report.calls());
  }

  @Test
  void runRestsOnlyWhileCallsArrive() {
    calls.add(then, CALLS);
    List<Long> rests = new ArrayList<>();

    report(run(1, () -> {}, rests));
    assertThat(rests).isEmpty();
    WhatIfReport report = report(run(1, () -> new SampleCalls().fill(journal, 0, 1), rests));

    assertThat(rests).isNotEmpty().allSatisfy(nanos -> assertThat(nanos).isPositive());
    assertThat(report.calls().decided()).isEqualTo(CALLS);
  }

  @Test
  void rangeWithNothingGivesAnEmptyReport() {
    calls.add(then, 10);
    Instant later = Instant.now().plusSeconds(3_600);
    Instant earlier = Instant.now().minusSeconds(3_600);

    for (WhatIfRequest request :
        List.of(
            request(Optional.of(later), Optional.empty(), Optional.empty()),
            request(Optional.empty(), Optional.of(earlier), Optional.empty()),
            request(Optional.of(later), Optional.empty(), Optional.of(5)))) {
      WhatIfReport report = report(run(request, 1, () -> {}, new ArrayList<>()));

      assertThat(report.calls())
          .isEqualTo(
              new WhatIfReport.Calls(
                  0, 0, 0, request.sample().map(Integer::longValue).orElse(null)));
      assertThat(report.range().upTo()).isLessThanOrEqualTo(report.range().after());
      assertThat(report.groups()).isEmpty();
    }
  }

  @Test
  void sampleLargerThanTheCallsIsAllOfThem() {
    calls.add(then, 10);

    for (int sample : new int[] {1, 10, 1_000_000}) {
      WhatIfRequest request = request(Optional.empty(), Optional.empty(), Optional.of(sample));
      assertThat(report(run(request, 1, () -> {}, new ArrayList<>())).calls())
          .isEqualTo(
              new WhatIfReport.Calls(
                  10, Math.min(10, sample), Math.min(10, sample), (long) sample));
    }
  }

  @Test
  void callsOfAnUnservedDialectAreNotReplayable() {
    new SampleCalls().fill(journal, 0, 10);
    WhatIfRun run = withoutDialects();

    assertThat(report(run).notReplayable())
        .extracting(WhatIfReport.Reason::reason, WhatIfReport.Reason::count)
        .containsExactly(tuple("dialect-not-served", 10L));
  }

  private static WhatIfReport report(WhatIfRun run) {
    run.run();
    return Objects.requireNonNull(run.status().report(), () -> run.status().toString());
  }

  private static WhatIfRequest request(
      Rules candidate, Optional<Instant> since, Optional<Instant> until, Optional<Integer> sample) {
    return new WhatIfRequest(candidate, since, until, sample);
  }

  private WhatIfRequest request(
      Optional<Instant> since, Optional<Instant> until, Optional<Integer> sample) {
    return request(
        calls.rules("forward", "{match: \"*7\", action: deny}", 0), since, until, sample);
  }

  private WhatIfRun run(int threads, Runnable whenFirstCompares, List<Long> rests) {
    return run(
        request(Optional.empty(), Optional.empty(), Optional.empty()),
        threads,
        whenFirstCompares,
        rests);
  }

  /**
   * A what-if.
   *
   * @param whenFirstCompares runs when the first call is compared
   * @param rests collects how long it rests
   */
  private WhatIfRun run(
      WhatIfRequest request, int threads, Runnable whenFirstCompares, List<Long> rests) {
    return new WhatIfRun(
        journal,
        calls.eventVocabulary(),
        calls.context(),
        (hash, _) -> {
          whenFirstCompares.run();
          return calls.activated(hash);
        },
        request,
        GatewayLimits.DEFAULT.with(Limit.WHATIF_THREADS_MAX, threads),
        "1",
        CLOCK,
        rests::add);
  }

  private WhatIfRun withoutDialects() {
    RedecideContext withoutDialects =
        RedecideContext.of(
            List.of(),
            () -> new RoutingSnapshot(Rules.NONE, Map.of(), new ConfigurationError("none")),
            new ContentDigests(new MemoryContentKeys(), OldKeys.NONE),
            CallRedecision.of(_ -> Scrubber.BUILT_IN),
            _ -> {
              throw new IllegalStateException("nothing is translated");
            });
    return new WhatIfRun(
        journal,
        MemoryContentKeys.vocabulary(),
        withoutDialects,
        (_, _) -> Optional.empty(),
        new WhatIfRequest(Rules.NONE, Optional.empty(), Optional.empty(), Optional.empty()),
        GatewayLimits.DEFAULT,
        "1",
        CLOCK);
  }
}
