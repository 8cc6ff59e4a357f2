package gatebook.api.rules;

import gatebook.command.call.ActivateRules;
import gatebook.command.call.RejectRules;
import gatebook.command.rules.Rules;
import gatebook.command.rules.file.RulesFile;
import gatebook.command.rules.file.RulesFile.Reading;
import gatebook.events.RulesRejected.Mistake;
import gatebook.events.journal.SlowOperation;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * The rules in force.
 *
 * <p>A file that changed, be it the rules, a policy or the schema, is taken without a restart, once
 * the journal has it. One with mistakes is recorded and logged, and the rules stay what they were.
 * All is looked at and changed on one thread.
 */
public final class ActiveRules implements Supplier<RulesStatus>, AutoCloseable {

  /** How often the files are looked at, unless told otherwise. */
  public static final Duration LOOK_EVERY = Duration.ofSeconds(1);

  /** How long a start waits for the journal to take the first rules. */
  private static final long START_MILLIS_MAX = 10_000;

  private static final Logger LOG = LoggerFactory.getLogger(ActiveRules.class);

  private final RulesFile file;
  private final Recording recording;
  private final String engineVersion;
  private final List<Consumer<Rules>> listeners = new CopyOnWriteArrayList<>();
  private final CompletableFuture<Void> settledOnce = new CompletableFuture<>();
  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("rules").factory());

  private volatile RulesStatus rulesStatus = new RulesStatus.NotRecorded();
  private volatile @Nullable Shown shown;
  private @Nullable Reading looked;
  private @Nullable Reading changed;
  private boolean isRecorded = true;
  private boolean isRecording;

  /** Where it is recorded which rules decide. */
  @FunctionalInterface
  public interface Recording {

    /** Completes with the time of the decision once it is durable, and fails when it is not. */
    CompletableFuture<Instant> record(Object command);
  }

  /**
   * The rules that decide, for operators.
   *
   * @param text as it was recorded, without secrets
   */
  public record Shown(
      String hash, Instant activatedAt, String file, String text, List<Mistake> warnings) {
    public Shown {
      warnings = List.copyOf(warnings);
    }

    private Shown with(List<Mistake> more) {
      List<Mistake> all = new ArrayList<>(warnings);
      all.addAll(more);
      return new Shown(hash, activatedAt, file, text, all);
    }
  }

  private ActiveRules(RulesFile file, Recording recording, String engineVersion) {
    this.file = file;
    this.recording = recording;
    this.engineVersion = engineVersion;
  }

  /**
   * Reads the rules and has them recorded; waits until that is done or cannot be done now.
   *
   * @param lookEvery how often the files are looked at; a change is taken at the second look
   */
  public static ActiveRules start(
      RulesFile file, Recording recording, String engineVersion, Duration lookEvery) {
    ActiveRules rules = new ActiveRules(file, recording, engineVersion);
    long nanos = lookEvery.toNanos();
    var _ = rules.thread.scheduleWithFixedDelay(rules::look, 0, nanos, TimeUnit.NANOSECONDS);
    try (SlowOperation _ =
        SlowOperation.on(
            "reading the rules, and waiting for the journal to take them",
            "file",
            Path.of(file.name()))) {
      rules.settledOnce.completeOnTimeout(null, START_MILLIS_MAX, TimeUnit.MILLISECONDS).join();
    }
    return rules;
  }

  @Override
  public RulesStatus get() {
    return rulesStatus;
  }

  /** What is in force; empty when nothing is. */
  public Optional<Shown> shown() {
    return Optional.ofNullable(shown);
  }

  /** Reads the file again and tells what is wrong with it; takes nothing. */
  public RulesCheck check() {
    return RulesCheck.of(file);
  }

  /** Is told of the rules in force, and of all that come into force later, one after the other. */
  public void onActivation(Consumer<Rules> listener) {
    thread.execute(() -> {
      listeners.add(listener);
      if (rulesStatus instanceof RulesStatus.InForce(var rules)) {
        tell(listener, rules);
      }
    });
  }

  /** Adds what was found out about rules after they came into force, if they still are. */
  public void warn(Rules rules, List<Mistake> warnings) {
    thread.execute(() -> {
      Shown before = shown;
      if (before != null && before.hash().equals(rules.hash())) {
        List<Mistake> fresh =
            warnings.stream().filter(it -> !before.warnings().contains(it)).toList();
        shown = before.with(fresh);
        fresh.forEach(warning -> log(Level.WARN, warning, "probably not meant"));
      }
    });
  }

  @Override
  public void close() {
    thread.shutdown();
  }

  private void look() {
    try {
      if (!isRecording) {
        read();
        recordIfNew();
      }
    } catch (RuntimeException e) {
      LOG.error("looking at the rules failed", e); // the next look is not to be lost for it
      settledOnce.complete(null);
    }
  }

  /** A change is taken when it is still the same at the next look, so that none is taken half. */
  private void read() {
    Reading before = looked;
    Reading candidate = changed;
    if (before == null) {
      take(file.read(), null);
    } else if (candidate == null) {
      changed = before.seen().isStale() ? file.read() : null;
    } else if (candidate.seen().isStale()) {
      changed = file.read();
    } else {
      changed = null;
      take(candidate, before);
    }
  }

  private void take(Reading now, @Nullable Reading before) {
    looked = now;
    isRecorded = isRecorded(now, before);
    if (now instanceof Reading.Broken broken && !isRecorded) {
      logMistakes(broken);
    }
    if (!(rulesStatus instanceof RulesStatus.InForce)) {
      rulesStatus = notInForce(now);
    }
  }

  /** What was recorded, or was about to be, is not recorded again for the same content. */
  private boolean isRecorded(Reading now, @Nullable Reading before) {
    return switch (now) {
      case Reading.Read read ->
          rulesStatus instanceof RulesStatus.InForce(var rules)
              && rules.hash().equals(read.texts().hash());
      case Reading.Broken broken ->
          isRecorded
              && before instanceof Reading.Broken other
              && other.hash().equals(broken.hash())
              && other.mistakes().equals(broken.mistakes());
    };
  }

  private static RulesStatus notInForce(Reading reading) {
    return switch (reading) {
      case Reading.Read _ -> new RulesStatus.NotRecorded();
      case Reading.Broken broken -> new RulesStatus.Broken(broken.mistakes());
    };
  }

  private void recordIfNew() {
    Reading reading = looked;
    if (isRecorded || reading == null) {
      return;
    }
    isRecording = true;
    var _ =
        recording
            .record(command(reading))
            .whenCompleteAsync((at, failure) -> recorded(reading, at, failure), thread);
  }

  private Object command(Reading reading) {
    return switch (reading) {
      case Reading.Read read -> new ActivateRules(read.texts(), engineVersion);
      case Reading.Broken broken -> new RejectRules(broken.hash(), activeHash(), broken.mistakes());
    };
  }

  private @Nullable String activeHash() {
    return rulesStatus instanceof RulesStatus.InForce(var rules) ? rules.hash() : null;
  }

  private void recorded(Reading reading, @Nullable Instant at, @Nullable Throwable failure) {
    isRecording = false;
    if (at == null) {
      LOG.atWarn()
          .addKeyValue("file", Path.of(file.name()))
          .log("the journal did not take the rules: trying again", failure);
    } else {
      isRecorded = true;
      if (reading instanceof Reading.Read read) {
        activate(read, at);
      }
    }
    settledOnce.complete(null);
  }

  private void activate(Reading.Read read, Instant at) {
    Rules rules = read.rules();
    shown = new Shown(rules.hash(), at, file.name(), read.texts().rules(), read.warnings());
    rulesStatus = new RulesStatus.InForce(rules);
    LOG.atInfo()
        .addKeyValue("file", Path.of(file.name()))
        .addKeyValue("rules_hash", rules.hash())
        .log("rules in force");
    read.warnings().forEach(warning -> log(Level.WARN, warning, "probably not meant"));
    listeners.forEach(listener -> tell(listener, rules));
  }

  private static void tell(Consumer<Rules> listener, Rules rules) {
    try {
      listener.accept(rules);
    } catch (RuntimeException e) {
      LOG.error("a listener of the rules failed", e); // the others are to be told too
    }
  }

  private void logMistakes(Reading.Broken broken) {
    broken
        .mistakes()
        .forEach(mistake ->
            log(
                Level.ERROR,
                mistake,
                rulesStatus instanceof RulesStatus.InForce
                    ? "the changed rules are not taken, the old ones stay"
                    : "the rules are broken, no governed call is served"));
  }

  private static void log(Level level, Mistake mistake, String what) {
    LOG.atLevel(level)
        .addKeyValue("at", Path.of(MistakeLines.place(mistake)))
        .addKeyValue("sentence", mistake.message())
        .log(what);
  }
}
