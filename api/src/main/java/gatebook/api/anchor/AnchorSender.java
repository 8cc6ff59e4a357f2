package gatebook.api.anchor;

import gatebook.command.rules.AnchorRules;
import gatebook.events.journal.anchor.AnchorRecords;
import gatebook.events.journal.anchor.AnchorRecords.Anchored;
import gatebook.events.journal.anchor.AnchoredNotes;
import gatebook.events.journal.anchor.CheckpointAnchor;
import gatebook.events.journal.checkpoint.Checkpoint;
import gatebook.events.journal.storage.OngoingFailure;
import gatebook.events.journal.storage.StorageFailure;
import gatebook.events.journal.storage.StoredCheckpoint;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sends checkpoints to one anchor. */
final class AnchorSender {
  private static final Logger LOG = LoggerFactory.getLogger(AnchorSender.class);

  /** So much of an interval is one node's, in percent: it is over before the node's next one. */
  private static final int CLAIMED_PERCENT = 90;

  private final AnchorRules rules;
  private final CheckpointAnchor anchor;
  private final AnchorRecords records;
  private final Supplier<Optional<StoredCheckpoint>> newest;
  private final InstantSource clock;
  private final Instant started;
  private final OngoingFailure ongoingFailure = new OngoingFailure();
  private final LongAdder failures = new LongAdder();
  private final AtomicBoolean isSending = new AtomicBoolean();
  private volatile @Nullable Anchored anchored;
  private volatile @Nullable String failure;
  private @Nullable Instant begun;

  /**
   * @param newest the newest checkpoint of the journal; empty before the first one
   */
  AnchorSender(
      AnchorRules rules,
      CheckpointAnchor anchor,
      AnchorRecords records,
      Supplier<Optional<StoredCheckpoint>> newest,
      InstantSource clock) {
    this.rules = rules;
    this.anchor = anchor;
    this.records = records;
    this.newest = newest;
    this.clock = clock;
    this.started = clock.instant();
  }

  AnchorRules rules() {
    return rules;
  }

  /** Sends on a thread of its own when an interval has passed, unless it still sends. */
  void sendWhenDue() {
    Instant now = clock.instant();
    if (begun != null && now.isBefore(begun.plusMillis(rules.everyMillis()))) {
      return;
    }
    if (isSending.compareAndSet(false, true)) {
      begun = now;
      Thread.ofPlatform()
          .daemon()
          .name("anchor")
          .start(() -> {
            try {
              send();
            } finally {
              isSending.set(false);
            }
          });
    }
  }

  /** Sends the newest checkpoint once, if this node is to do it in this interval. */
  void send() {
    try {
      Optional<StoredCheckpoint> checkpoint = newest.get();
      Duration claimed = Duration.ofMillis(rules.everyMillis() * CLAIMED_PERCENT / 100);
      if (checkpoint.isPresent() && records.claim(key(), claimed)) {
        bring(checkpoint.get());
      }
      anchored = records.read(key()).orElse(null);
      ongoingFailure.end();
      if (failure != null) {
        failure = null;
        LOG.atInfo().addKeyValue("anchor", rules.name()).log("the anchor can be used again");
      }
    } catch (IOException | RuntimeException e) {
      failed(reason(e));
    }
  }

  private void bring(StoredCheckpoint checkpoint) throws IOException {
    Optional<String> known = records.read(key()).map(Anchored::note);
    Optional<String> last = known.isPresent() ? known : anchor.newest();
    if (last.filter(checkpoint.note()::equals).isEmpty()) {
      if (last.isPresent()) {
        requireNotAhead(last.get(), checkpoint);
      }
      anchor.add(checkpoint.note());
    }
    records.write(key(), new Anchored(checkpoint.note(), clock.instant()));
  }

  /** Of one log, what was anchored is older than the newest: else the journal was put back. */
  private static void requireNotAhead(String last, StoredCheckpoint newest) throws IOException {
    Checkpoint anchored = AnchoredNotes.checkpoint(last);
    if (anchored.origin().equals(AnchoredNotes.checkpoint(newest.note()).origin())
        && anchored.size() > newest.size()) {
      throw new IOException(
          "it has a checkpoint over %d events, and the newest of the journal is over %d: compare them with verify --against"
              .formatted(anchored.size(), newest.size()));
    }
  }

  private void failed(String reason) {
    failures.increment();
    failure = reason;
    if (ongoingFailure.isNew(reason)) {
      LOG.atError()
          .addKeyValue("anchor", rules.name())
          .addKeyValue("reason", reason)
          .addKeyValue("again_in_millis", rules.everyMillis())
          .log("the newest checkpoint cannot be sent to the anchor");
    }
  }

  private static String reason(Exception e) {
    return e instanceof FileSystemException of
        ? "%s cannot be read or written (%s)".formatted(of.getFile(), e.getClass().getSimpleName())
        : StorageFailure.describe(e);
  }

  /** An anchor of the same name at another place is another one. */
  private String key() {
    return rules.name() + ' ' + kind() + ' ' + place();
  }

  private String kind() {
    return switch (rules.place()) {
      case AnchorRules.Directory _ -> "directory";
      case AnchorRules.AppendedFile _ -> "file";
      case AnchorRules.Endpoint _ -> "endpoint";
    };
  }

  /** Without the query of an address, which may be secret. */
  private String place() {
    return switch (rules.place()) {
      case AnchorRules.Directory(var path) -> path.toString();
      case AnchorRules.AppendedFile(var path) -> path.toString();
      case AnchorRules.Endpoint(var url, _, _) ->
          url.getScheme() + "://" + url.getRawAuthority() + url.getRawPath();
    };
  }

  AnchorStatus status() {
    Anchored now = anchored;
    return new AnchorStatus(
        rules.name(),
        kind(),
        now == null ? null : size(now),
        now == null ? null : now.at().toString(),
        failure);
  }

  private static @Nullable Long size(Anchored anchored) {
    try {
      return AnchoredNotes.checkpoint(anchored.note()).size();
    } catch (IOException _) {
      return null;
    }
  }

  long failures() {
    return failures.sum();
  }

  /** The time since the anchor had the newest checkpoint, or since it is in the rules. */
  double ageSeconds() {
    Anchored now = anchored;
    return Duration.between(now == null ? started : now.at(), clock.instant()).toMillis() / 1_000.0;
  }
}
