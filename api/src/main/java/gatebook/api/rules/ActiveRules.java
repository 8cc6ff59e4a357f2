package gatebook.api.rules;

import gatebook.command.gateway.ActivateRules;
import gatebook.command.gateway.ObserveRules;
import gatebook.command.gateway.RejectRules;
import gatebook.command.rules.Candidate;
import gatebook.command.rules.Rules;
import gatebook.command.rules.file.RulesFile;
import gatebook.command.rules.file.RulesFile.Reading;
import gatebook.events.RulesRejected.Mistake;
import gatebook.events.journal.SlowOperation;
import gatebook.events.journal.axon.AppendRefused;
import gatebook.events.journal.storage.OngoingFailure;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
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
 * Loads the rules that are in force, and reloads them when their files change.
 *
 * <p>A changed file of the rules, a policy or the schema takes effect without a restart, once the
 * journal has recorded it. A file with mistakes is recorded and logged, and the rules in force
 * stay. A candidate that the file names is read with it; its mistakes change nothing for the rules
 * in force. All reading and changing happens on one thread.
 */
public final class ActiveRules implements Supplier<RulesStatus>, AutoCloseable {

  /** How often the files are checked for changes, by default. */
  public static final Duration POLL_INTERVAL = Duration.ofSeconds(1);

  /** How long a start waits for the journal to record the first rules. */
  private static final long START_MILLIS_MAX = 10_000;

  private static final Logger LOG = LoggerFactory.getLogger(ActiveRules.class);

  private final RulesFile file;
  private final RulesRecorder rulesRecorder;
  private final String engineVersion;
  private final List<Consumer<Rules>> listeners = new CopyOnWriteArrayList<>();
  private final CompletableFuture<Void> firstAttempt = new CompletableFuture<>();
  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("rules").factory());

  private volatile RulesStatus rulesStatus = new RulesStatus.NotRecorded();
  private volatile @Nullable RulesDetails rulesDetails;
  private @Nullable Reading lastReading;
  private @Nullable Reading candidate;
  private boolean isRecorded = true;
  private boolean isRecording;

  private final OngoingFailure unrecorded = new OngoingFailure();

  /** Records in the journal which rules are in force. */
  @FunctionalInterface
  public interface RulesRecorder {

    /** Completes with the time of the decision once it is durable; fails when it is not. */
    CompletableFuture<Instant> record(Object command);
  }

  /**
   * The details of the rules in force, for operators.
   *
   * @param text as it was recorded, without secrets
   */
  public record RulesDetails(
      String hash, Instant activatedAt, String file, String text, List<Mistake> warnings) {
    public RulesDetails {
      warnings = List.copyOf(warnings);
    }

    private RulesDetails with(List<Mistake> added) {
      List<Mistake> all = new ArrayList<>(warnings);
      all.addAll(added);
      return new RulesDetails(hash, activatedAt, file, text, all);
    }
  }

  private ActiveRules(RulesFile file, RulesRecorder rulesRecorder, String engineVersion) {
    this.file = file;
    this.rulesRecorder = rulesRecorder;
    this.engineVersion = engineVersion;
  }

  /**
   * Reads the rules and records them; waits until that is done or cannot be done now.
   *
   * @param pollInterval how often the files are checked; a change takes effect at the second check
   */
  public static ActiveRules start(
      RulesFile file, RulesRecorder rulesRecorder, String engineVersion, Duration pollInterval) {
    ActiveRules rules = new ActiveRules(file, rulesRecorder, engineVersion);
    long nanos = pollInterval.toNanos();
    var _ = rules.thread.scheduleWithFixedDelay(rules::poll, 0, nanos, TimeUnit.NANOSECONDS);
    try (SlowOperation _ =
        SlowOperation.start(
            "reading the rules, and waiting for the journal to record them",
            "file",
            Path.of(file.name()))) {
      rules.firstAttempt.completeOnTimeout(null, START_MILLIS_MAX, TimeUnit.MILLISECONDS).join();
    }
    return rules;
  }

  @Override
  public RulesStatus get() {
    return rulesStatus;
  }

  /** The rules in force; empty when there are none. */
  public Optional<RulesDetails> details() {
    return Optional.ofNullable(rulesDetails);
  }

  /** Reads the file again and reports what is wrong with it; changes nothing. */
  public RulesCheck check() {
    return RulesCheck.of(file);
  }

  /** Reports what is wrong with a text that would replace the file; changes nothing. */
  public RulesCheck check(String candidate) {
    return RulesCheck.of(file.withCandidate(candidate));
  }

  /**
   * Reads a text that would replace the file; changes nothing.
   *
   * @param files that the text names, by their names
   * @param mayReadNode whether it may also name files of this machine, and read its variables
   */
  public Reading read(String text, Map<String, String> files, boolean mayReadNode) {
    return (mayReadNode ? file.withCandidate(text, files) : file.withForeignCandidate(text, files))
        .read();
  }

  /**
   * Adds a listener. It is called with the rules in force, if any, and then with each set of rules
   * that comes into force, one after the other.
   */
  public void addListener(Consumer<Rules> listener) {
    thread.execute(() -> {
      listeners.add(listener);
      if (rulesStatus instanceof RulesStatus.InForce(var rules)) {
        notifyListener(listener, rules);
      }
    });
  }

  /** Adds warnings found after rules came into force, if they are still in force. */
  public void addWarnings(Rules rules, List<Mistake> warnings) {
    thread.execute(() -> {
      RulesDetails before = rulesDetails;
      if (before != null && before.hash().equals(rules.hash())) {
        List<Mistake> fresh =
            warnings.stream().filter(it -> !before.warnings().contains(it)).toList();
        rulesDetails = before.with(fresh);
        fresh.forEach(warning -> log(Level.WARN, warning, "probably not meant"));
      }
    });
  }

  @Override
  public void close() {
    thread.shutdown();
  }

  private void poll() {
    try {
      if (!isRecording) {
        read();
        recordIfNew();
      }
    } catch (RuntimeException e) {
      LOG.error("checking the rules files failed", e); // or the next check would never run
      firstAttempt.complete(null);
    }
  }

  /**
   * A change is adopted when the next check finds it unchanged, so that a file is never adopted
   * half-written.
   */
  private void read() {
    Reading before = lastReading;
    Reading changed = candidate;
    if (before == null) {
      adopt(file.read(), null);
    } else if (changed == null) {
      candidate = before.seen().isStale() ? file.read() : null;
    } else if (changed.seen().isStale()) {
      candidate = file.read();
    } else {
      candidate = null;
      adopt(changed, before);
    }
  }

  private void adopt(Reading now, @Nullable Reading before) {
    lastReading = now;
    isRecorded = isRecorded(now, before);
    if (now instanceof Reading.Broken broken && !isRecorded) {
      logMistakes(broken);
    }
    if (now instanceof Reading.Valid(_, _, _, _, Reading.Broken observed) && !isRecorded) {
      observed.mistakes().forEach(it -> log(Level.WARN, it, "the candidate has mistakes"));
    }
    if (!(rulesStatus instanceof RulesStatus.InForce)) {
      rulesStatus = notInForce(now);
    }
  }

  /**
   * Whether this content was recorded already, or is being recorded: the same content is recorded
   * once.
   */
  private boolean isRecorded(Reading now, @Nullable Reading before) {
    return switch (now) {
      case Reading.Valid valid ->
          rulesStatus instanceof RulesStatus.InForce(var rules)
              && rules.hash().equals(valid.texts().hash())
              && hasSameCandidate(rules, valid.rules());
      case Reading.Broken broken ->
          isRecorded
              && before instanceof Reading.Broken other
              && other.hash().equals(broken.hash())
              && other.mistakes().equals(broken.mistakes());
    };
  }

  private static boolean hasSameCandidate(Rules one, Rules other) {
    return candidate(one).equals(candidate(other));
  }

  /** The hash of a candidate, and whether it can decide. */
  private static Optional<Map.Entry<String, Boolean>> candidate(Rules rules) {
    return Optional.ofNullable(rules.observed())
        .map(it -> Map.entry(it.hash(), it.rules() != null));
  }

  private static RulesStatus notInForce(Reading reading) {
    return switch (reading) {
      case Reading.Valid _ -> new RulesStatus.NotRecorded();
      case Reading.Broken broken -> new RulesStatus.Broken(broken.mistakes());
    };
  }

  private void recordIfNew() {
    Reading reading = lastReading;
    if (isRecorded || reading == null) {
      return;
    }
    isRecording = true;
    var _ =
        record(reading)
            .whenCompleteAsync((at, failure) -> onRecorded(reading, at, failure), thread);
  }

  private CompletableFuture<Instant> record(Reading reading) {
    return switch (reading) {
      case Reading.Valid valid -> record(valid);
      case Reading.Broken broken ->
          rulesRecorder.record(new RejectRules(broken.hash(), activeHash(), broken.mistakes()));
    };
  }

  /** Records the candidate first, since that has an effect only once; the rules if they changed. */
  private CompletableFuture<Instant> record(Reading.Valid valid) {
    RulesDetails before = rulesDetails;
    CompletableFuture<Instant> since =
        valid.candidate() instanceof Reading.Valid candidate
            ? rulesRecorder.record(new ObserveRules(candidate.texts(), engineVersion))
            : CompletableFuture.completedFuture(Instant.EPOCH);
    return before != null && before.hash().equals(valid.texts().hash())
        ? since.thenApply(_ -> before.activatedAt())
        : since.thenCompose(
            _ -> rulesRecorder.record(new ActivateRules(valid.texts(), engineVersion)));
  }

  private @Nullable String activeHash() {
    return rulesStatus instanceof RulesStatus.InForce(var rules) ? rules.hash() : null;
  }

  private void onRecorded(Reading reading, @Nullable Instant at, @Nullable Throwable failure) {
    isRecording = false;
    if (at == null) {
      logUnrecorded(failure);
    } else {
      unrecorded.end();
      isRecorded = true;
      if (reading instanceof Reading.Valid valid) {
        activate(valid, at);
      }
    }
    firstAttempt.complete(null);
  }

  /** A refusal of the journal has a reason that says more than where in the code it arose. */
  private void logUnrecorded(@Nullable Throwable failure) {
    Throwable cause = failure instanceof CompletionException e ? e.getCause() : failure;
    String reason = cause == null ? "" : String.valueOf(cause.getMessage());
    if (unrecorded.isNew(reason)) {
      LOG.atWarn()
          .addKeyValue("file", Path.of(file.name()))
          .addKeyValue("reason", reason)
          .setCause(cause instanceof AppendRefused ? null : cause)
          .log("the journal did not record the rules: trying again until it does");
    }
  }

  private void activate(Reading.Valid valid, Instant at) {
    Rules rules = valid.rules();
    rulesDetails =
        new RulesDetails(rules.hash(), at, file.name(), valid.texts().rules(), valid.warnings());
    rulesStatus = new RulesStatus.InForce(rules);
    LOG.atInfo()
        .addKeyValue("file", Path.of(file.name()))
        .addKeyValue("rules_hash", rules.hash())
        .log("rules in force");
    Candidate observed = rules.observed();
    if (observed != null && observed.rules() != null) {
      LOG.atInfo().addKeyValue("rules_hash", observed.hash()).log("a candidate is observed");
    }
    valid.warnings().forEach(warning -> log(Level.WARN, warning, "probably not meant"));
    listeners.forEach(listener -> notifyListener(listener, rules));
  }

  private static void notifyListener(Consumer<Rules> listener, Rules rules) {
    try {
      listener.accept(rules);
    } catch (RuntimeException e) {
      LOG.error("a listener of the rules failed", e); // the other listeners are called too
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
                    ? "the changed rules have mistakes, the old rules stay in force"
                    : "the rules have mistakes, no governed call is served"));
  }

  private static void log(Level level, Mistake mistake, String message) {
    LOG.atLevel(level)
        .addKeyValue("at", Path.of(MistakeLines.place(mistake)))
        .addKeyValue("sentence", mistake.message())
        .log(message);
  }
}
