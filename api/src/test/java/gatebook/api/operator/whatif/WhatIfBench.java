package gatebook.api.operator.whatif;

import static gatebook.api.operator.whatif.DecidedCalls.JOE;
import static gatebook.api.operator.whatif.DecidedCalls.arguments;
import static gatebook.events.bench.Bench.print;

import gatebook.api.rpc.ObjectMembers;
import gatebook.command.policy.PolicyQuestion;
import gatebook.command.rules.GatewayLimits;
import gatebook.command.rules.Limit;
import gatebook.command.rules.Rules;
import gatebook.events.CallReceived;
import gatebook.events.bench.Bench;
import gatebook.events.bench.Table;
import gatebook.events.journal.Journal;
import gatebook.events.journal.Journals;
import gatebook.events.journal.storage.Entry;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryType;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

/**
 * A what-if over recorded calls, no two of which are equal, beside a bare scan that unseals and
 * parses each: without policies and with ten, beside the policy engine alone, and its memory. No
 * question is asked twice of the same policies, so their cache finds nothing.
 */
final class WhatIfBench {
  private static final int CALLS =
      Bench.QUICK ? 20_000 : Integer.getInteger("bench.events", 1_000_000);

  private static final int POLICY_CALLS = Bench.QUICK ? CALLS : CALLS / 10;
  private static final int PAGE = 1_000;
  private static final long HEAP_EVERY_NANOS = 300_000_000;
  private static final int ROUNDS = Bench.QUICK ? 1 : 3;
  private static final List<Integer> THREADS = List.of(1, 2);

  private final Journal journal;
  private final DecidedCalls calls;
  private final AtomicInteger asked = new AtomicInteger();
  private final Table table =
      new Table("what", "calls or decisions", "seconds", "a second", "cpu µs each", "heap MiB");

  private WhatIfBench(Journal journal) {
    this.journal = journal;
    this.calls = new DecidedCalls(journal);
  }

  static void measure(Bench bench) throws Exception {
    try (Journal journal = Journals.opened(Journals.inSegments(bench.directory()))) {
      new WhatIfBench(journal).run();
    }
  }

  private void run() throws Exception {
    Rules plain = calls.rules("forward", "{match: drop*, action: deny}", 0);
    Rules other = calls.rules("forward", "{match: \"*7\", action: deny}", 0);
    calls.add(plain, CALLS / 10);
    print("most live heap in a tenth of the calls: %d MiB", mostHeap(() -> whatIf(other, 2)));
    calls.add(plain, CALLS - CALLS / 10);
    print("most live heap in all calls: %d MiB", mostHeap(() -> whatIf(other, 2)));
    long end = journal.head();
    for (int round = 0; round < ROUNDS; round++) {
      row("bare scan: unsealed and parsed", CALLS, () -> scan(0, end));
      for (int threads : THREADS) {
        row("what-if, threads: " + threads, 2 * CALLS, () -> whatIf(other, threads));
      }
    }
    Instant begin = Instant.now();
    Rules policies = calls.rules("policy", "{match: none, action: deny}", 10);
    calls.add(policies, POLICY_CALLS);
    for (int round = 0; round < ROUNDS; round++) {
      row("scan of calls for ten policies", POLICY_CALLS, () -> scan(end, journal.head()));
      for (int threads : THREADS) {
        row("engine alone, threads: " + threads, POLICY_CALLS, () -> engine(policies, threads));
        row(
            "what-if, ten policies, threads: " + threads,
            2 * POLICY_CALLS,
            () -> run(tenPolicies(begin), threads));
      }
    }
    print("%s", table);
  }

  private void row(String what, int decisions, Bench.Work work) throws Exception {
    System.gc();
    long before = System.nanoTime();
    Duration cpuBefore = cpu();
    work.run();
    double seconds = (System.nanoTime() - before) / 1e9;
    double micros = cpu().minus(cpuBefore).toNanos() / 1e3 / decisions;
    long heap = liveHeap();
    table.add(
        what,
        String.format(Locale.ROOT, "%,d", decisions),
        String.format(Locale.ROOT, "%.1f", seconds),
        String.format(Locale.ROOT, "%,.0f", decisions / seconds),
        String.format(Locale.ROOT, "%.1f", micros),
        Long.toString(heap));
    print("%s: %,d in %.1f s, %.1f µs each, heap %d MiB", what, decisions, seconds, micros, heap);
  }

  /** What all threads of this process have had of the processors. */
  private static Duration cpu() {
    return ProcessHandle.current().info().totalCpuDuration().orElseThrow();
  }

  /** What the last collection of all garbage left, in MiB, without what was made since. */
  private static long liveHeap() {
    System.gc();
    return ManagementFactory.getMemoryPoolMXBeans().stream()
            .filter(it -> it.getType() == MemoryType.HEAP)
            .mapToLong(it -> it.getCollectionUsage().getUsed())
            .sum()
        >> 20;
  }

  /** The most of what is alive when work is interrupted to collect garbage, which makes it slow. */
  private static long mostHeap(Bench.Work work) throws Exception {
    AtomicBoolean hasEnded = new AtomicBoolean();
    AtomicLong most = new AtomicLong(liveHeap());
    Thread sampling =
        Thread.ofPlatform()
            .start(() -> {
              while (!hasEnded.get()) {
                most.accumulateAndGet(liveHeap(), Math::max);
                LockSupport.parkNanos(HEAP_EVERY_NANOS);
              }
            });
    work.run();
    hasEnded.set(true);
    sampling.join();
    return most.get();
  }

  private void scan(long after, long end) {
    long position = after;
    long members = 0;
    while (position < end) {
      List<Entry> page = journal.read(position, PAGE);
      for (Entry entry : page) {
        if (entry.name().endsWith(".CallReceived")) {
          members +=
              calls
                  .eventVocabulary()
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

  /** Each call is decided by policies twice: by those of then, and by others read for this run. */
  private WhatIfRequest tenPolicies(Instant since) {
    return new WhatIfRequest(
        calls.rules("policy", "{match: none7, action: deny}", 10),
        Optional.of(since),
        Optional.empty(),
        Optional.empty());
  }

  private void whatIf(Rules candidate, int threads) {
    run(
        new WhatIfRequest(candidate, Optional.empty(), Optional.empty(), Optional.empty()),
        threads);
  }

  private void run(WhatIfRequest request, int threads) {
    WhatIfRun run =
        new WhatIfRun(
            journal,
            calls.eventVocabulary(),
            calls.context(),
            (hash, _) -> calls.activated(hash),
            request,
            GatewayLimits.DEFAULT.with(Limit.WHATIF_THREADS_MAX, threads),
            "1",
            Clock.systemUTC());
    run.run();
    WhatIfReport report = run.status().report();
    if (report == null || report.selfCheck().agrees() != report.calls().recorded()) {
      throw new IllegalStateException(run.status().toString());
    }
  }

  private void engine(Rules rules, int threads) throws InterruptedException {
    int end = asked.get() + POLICY_CALLS;
    List<Thread> working =
        IntStream.range(0, threads)
            .mapToObj(_ ->
                Thread.ofPlatform()
                    .start(() -> {
                      for (int i = asked.getAndIncrement(); i < end; i = asked.getAndIncrement()) {
                        decide(rules, i);
                      }
                    }))
            .toList();
    for (Thread thread : working) {
      thread.join();
    }
  }

  private static void decide(Rules rules, int i) {
    PolicyQuestion question =
        new PolicyQuestion(
            JOE, "tools/call", true, "read" + i % 50, "one", arguments(-1 - i), "", Instant.now());
    if (rules.policies().decide(question, () -> 0).engineVersion().isEmpty()) {
      throw new IllegalStateException("the engine did not decide");
    }
  }
}
