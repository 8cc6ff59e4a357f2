package gatebook.api.witness;

import gatebook.api.witness.WitnessStatus.Asked;
import gatebook.api.witness.WitnessStatus.CosignedAt;
import gatebook.command.rules.AskedWitnesses;
import gatebook.command.rules.GatewayLimits;
import gatebook.command.rules.Limit;
import gatebook.events.Event;
import gatebook.events.journal.Append;
import gatebook.events.journal.ConflictCondition;
import gatebook.events.journal.Journal;
import gatebook.events.journal.checkpoint.Checkpoint;
import gatebook.events.journal.checkpoint.CosignedCheckpoint;
import gatebook.events.journal.checkpoint.VerifierKey;
import gatebook.events.journal.postgres.SharedLocation;
import gatebook.events.journal.storage.OngoingFailure;
import gatebook.events.journal.storage.RepeatedTask;
import gatebook.events.journal.witness.CosignatureCollector;
import gatebook.events.journal.witness.CosignatureCollector.Result;
import gatebook.events.journal.witness.CosignatureStore;
import gatebook.events.journal.witness.CosignatureStore.Quorate;
import gatebook.events.journal.witness.CosignedFiles;
import gatebook.events.journal.witness.CosignedTable;
import gatebook.events.journal.witness.WitnessFailure;
import gatebook.events.journal.witness.WitnessPolicy;
import gatebook.events.journal.witness.WitnessPolicy.KnownWitness;
import gatebook.events.vocabulary.EventVocabulary;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The witnesses of this log, while its rules name some: asks them in the background to cosign the
 * newest checkpoint, and keeps and shows what they cosigned. Of the nodes that share a journal, one
 * asks in each interval.
 */
public final class LogWitnesses implements MeterBinder, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(LogWitnesses.class);

  /** The folder in the data directory with what they cosigned. */
  public static final String FOLDER = "witnesses";

  /** How often it is looked whether to ask. */
  private static final Duration PAUSE = Duration.ofSeconds(1);

  /** How often what is cosigned is read again, since other nodes may have asked. */
  private static final Duration LOOK = Duration.ofSeconds(10);

  private final Journal journal;
  private final EventVocabulary eventVocabulary;
  private final Path directory;
  private final CosignatureStore store;
  private final InstantSource clock;
  private final Map<VerifierKey, Result.Failed> failed = new ConcurrentHashMap<>();
  private final Map<VerifierKey, OngoingFailure> ongoing = new ConcurrentHashMap<>();
  private final OngoingFailure storeFailure = new OngoingFailure();
  private @Nullable MeterRegistry registry;
  private @Nullable RepeatedTask task;
  private @Nullable HttpWitnesses connection;
  private volatile @Nullable AskedWitnesses asked;
  private volatile @Nullable Instant cosignedSince;
  private long lookedNanos;

  private LogWitnesses(
      Journal journal,
      EventVocabulary eventVocabulary,
      Path directory,
      CosignatureStore store,
      InstantSource clock) {
    this.journal = journal;
    this.eventVocabulary = eventVocabulary;
    this.directory = directory;
    this.store = store;
    this.clock = clock;
  }

  /**
   * The witnesses of a journal, of which none is asked before the start.
   *
   * @param data the data directory
   */
  public static LogWitnesses of(
      Path data, Journal journal, EventVocabulary eventVocabulary, InstantSource clock) {
    Path directory = data.resolve(FOLDER);
    return new LogWitnesses(
        journal,
        eventVocabulary,
        directory,
        new CosignatureStore(
            journal.location() instanceof SharedLocation shared
                ? CosignedTable.ofWitnesses(shared)
                : new CosignedFiles(directory)),
        clock);
  }

  /**
   * The file with the newest checkpoint that a quorum cosigned, of a node that runs or not.
   *
   * @param checkpointFile in the data directory
   */
  public static Path cosignedFile(Path checkpointFile) {
    return CosignedFiles.file(checkpointFile.resolveSibling(FOLDER), CosignatureStore.QUORUM);
  }

  @Override
  public synchronized void bindTo(MeterRegistry meters) {
    registry = meters;
    Gauge.builder("gatebook.cosigned.age.seconds", this, LogWitnesses::ageSeconds)
        .description(
            "seconds since a quorum of witnesses cosigned the newest checkpoint, or since they are"
                + " asked; NaN while none is")
        .register(meters);
  }

  private double ageSeconds() {
    Instant since = cosignedSince;
    return since == null
        ? Double.NaN
        : Math.max(0, Duration.between(since, clock.instant()).toMillis() / 1e3);
  }

  /**
   * Begins to ask.
   *
   * @param rules those of now; empty when they name no witnesses
   */
  public synchronized void start(
      Supplier<Optional<AskedWitnesses>> rules, Supplier<GatewayLimits> limits) {
    HttpWitnesses witnesses = new HttpWitnesses(limits);
    connection = witnesses;
    CosignatureCollector collector =
        new CosignatureCollector(journal, store, witnesses, this::record, clock);
    task =
        new RepeatedTask(
                "witnesses",
                PAUSE,
                () ->
                    look(
                        rules.get(),
                        collector,
                        Duration.ofSeconds(limits.get().get(Limit.WITNESS_CLOCK_SECONDS_MAX))))
            .start();
  }

  private void look(
      Optional<AskedWitnesses> now, CosignatureCollector collector, Duration clockDifferenceMax) {
    try {
      boolean isNew = !now.equals(Optional.ofNullable(asked));
      asked = now.orElse(null);
      if (now.isEmpty()) {
        cosignedSince = null;
      } else {
        look(now.get(), isNew, collector, clockDifferenceMax);
      }
      storeFailure.end();
    } catch (IOException | RuntimeException e) {
      if (storeFailure.isNew(String.valueOf(e.getMessage()))) {
        LOG.atError().setCause(e).log("what witnesses cosigned cannot be read or stored");
      }
    }
  }

  private void look(
      AskedWitnesses now,
      boolean isNew,
      CosignatureCollector collector,
      Duration clockDifferenceMax)
      throws IOException {
    if (isNew) {
      begin(now.policy());
    }
    boolean asks = store.beginRound(clock.instant(), now.interval()) || isNew;
    if (asks) {
      ask(now.policy(), collector, clockDifferenceMax);
    }
    if (asks || System.nanoTime() - lookedNanos >= LOOK.toNanos()) {
      lookedNanos = System.nanoTime();
      cosigned(now.policy()).ifPresent(it -> cosignedSince = Instant.ofEpochSecond(it.seconds()));
    }
  }

  private void begin(WitnessPolicy policy) throws IOException {
    Files.createDirectories(directory);
    cosignedSince = clock.instant();
    failed.clear();
    policy
        .witnesses()
        .forEach(witness -> {
          for (WitnessFailure each : WitnessFailure.values()) {
            counter(witness, each).ifPresent(it -> it.increment(0));
          }
        });
    if (!policy.logs().isEmpty()
        && policy.logs().stream().noneMatch(it -> it.isSameKey(journal.verifier()))) {
      LOG.atWarn()
          .addKeyValue("key", journal.verifier().label())
          .log("the policy of the witnesses names logs, and not this one: add a line 'log'");
    }
  }

  private void ask(
      WitnessPolicy policy, CosignatureCollector collector, Duration clockDifferenceMax) {
    try (ExecutorService each =
        Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("witness-", 0).factory())) {
      for (KnownWitness witness : policy.witnesses()) {
        each.execute(() -> ask(witness, collector, clockDifferenceMax));
      }
    }
  }

  private void ask(
      KnownWitness witness, CosignatureCollector collector, Duration clockDifferenceMax) {
    try {
      told(witness, collector.ask(witness, clockDifferenceMax));
    } catch (RuntimeException e) {
      LOG.atError()
          .setCause(e)
          .addKeyValue("witness", witness.name())
          .log("a witness cannot be asked now");
    }
  }

  private void told(KnownWitness witness, Result result) {
    switch (result) {
      case Result.NotAsked() -> {}
      case Result.Cosigned _ -> {
        failed.remove(witness.key());
        ongoing(witness).end();
      }
      case Result.Failed failure -> {
        failed.put(witness.key(), failure);
        counter(witness, failure.failure()).ifPresent(Counter::increment);
        if (ongoing(witness).isNew(failure.failure().word())) {
          (failure.failure().isAlarm() ? LOG.atError() : LOG.atWarn())
              .addKeyValue("witness", witness.name())
              .addKeyValue("reason", failure.failure().word())
              .addKeyValue("detail", failure.detail())
              .addKeyValue("action", failure.failure().action())
              .log("a witness did not cosign the newest checkpoint");
        }
      }
    }
  }

  private OngoingFailure ongoing(KnownWitness witness) {
    return ongoing.computeIfAbsent(witness.key(), _ -> new OngoingFailure());
  }

  private synchronized Optional<Counter> counter(KnownWitness witness, WitnessFailure failure) {
    return Optional.ofNullable(registry)
        .map(it ->
            Counter.builder("gatebook.witnesses.failures")
                .description("times that a witness did not cosign the newest checkpoint")
                .tags("witness", witness.name(), "reason", failure.word())
                .register(it));
  }

  /** Returns when the event is durable, or cannot be stored now. */
  private void record(Event event) {
    Append append =
        journal
            .append(
                ConflictCondition.none(), List.of(eventVocabulary.draft(event, clock.instant())))
            .join();
    if (append instanceof Append.Refused refused) {
      LOG.atError()
          .addKeyValue("event", event.getClass().getSimpleName())
          .addKeyValue("reason", refused.reason())
          .log("what a witness showed cannot be recorded");
    }
  }

  /** The newest checkpoint of this log that the quorum of the policy in force cosigned; blocks. */
  public Optional<Quorate> cosigned() throws IOException {
    AskedWitnesses now = asked;
    return now == null ? Optional.empty() : cosigned(now.policy());
  }

  private Optional<Quorate> cosigned(WitnessPolicy policy) throws IOException {
    Optional<String> origin =
        journal
            .newestCheckpoint()
            .flatMap(it -> Checkpoint.ofNote(it.note()))
            .map(Checkpoint::origin);
    return origin.isPresent() ? store.quorate(policy, origin.get()) : Optional.empty();
  }

  /** The status for operators; empty while no witness is asked. Blocks. */
  public Optional<WitnessStatus> status() throws IOException {
    AskedWitnesses now = asked;
    if (now == null) {
      return Optional.empty();
    }
    List<Asked> witnesses = new ArrayList<>();
    for (KnownWitness witness : now.policy().witnesses()) {
      Result.Failed failure = failed.get(witness.key());
      witnesses.add(
          new Asked(
              witness.name(),
              witness.key().text(),
              store.read(witness.key()).map(it -> cosignedAt(it, it.seconds())).orElse(null),
              failure == null
                  ? null
                  : "%s: %s".formatted(failure.failure().word(), failure.detail())));
    }
    return Optional.of(
        new WitnessStatus(
            cosigned().map(it -> cosignedAt(it.checkpoint(), it.seconds())).orElse(null),
            witnesses));
  }

  private static CosignedAt cosignedAt(CosignedCheckpoint cosigned, long seconds) {
    return new CosignedAt(cosigned.checkpoint().size(), Instant.ofEpochSecond(seconds).toString());
  }

  @Override
  public void close() {
    RepeatedTask running;
    HttpWitnesses open;
    synchronized (this) {
      running = task;
      open = connection;
    }
    if (open != null) {
      open.close();
    }
    if (running != null) {
      running.closeAndWait();
    }
    store.close();
  }
}
