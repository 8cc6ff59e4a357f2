package gatebook.api.anchor;

import static org.assertj.core.api.Assertions.assertThat;

import gatebook.command.rules.AnchorRules;
import gatebook.events.journal.anchor.AnchorRecords;
import gatebook.events.journal.anchor.CheckpointAnchor;
import gatebook.events.journal.anchor.OwnAnchorRecords;
import gatebook.events.journal.storage.StoredCheckpoint;
import gatebook.events.journal.witness.ForeignLog;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class AnchorSenderTest {
  private static final Instant START = Instant.parse("2026-01-02T03:04:05Z");

  private final ForeignLog log = ForeignLog.named("log.example/a").grow("a", "b", "c");
  private final Kept kept = new Kept();
  private Optional<StoredCheckpoint> newest = Optional.empty();
  private Instant now = START;

  /** An anchor that keeps notes in memory, and fails while a reason says so. */
  private static final class Kept implements CheckpointAnchor {
    private final List<String> notes = new ArrayList<>();
    private Optional<String> refusal = Optional.empty();

    @Override
    public Optional<String> newest() {
      return notes.isEmpty() ? Optional.empty() : Optional.of(notes.getLast());
    }

    @Override
    public void add(String note) throws IOException {
      if (refusal.isPresent()) {
        throw new IOException(refusal.get());
      }
      notes.add(note);
    }
  }

  private AnchorSender sender(AnchorRecords records) {
    AnchorRules rules =
        new AnchorRules("vault", new AnchorRules.Directory(Path.of("/vault")), 60_000);
    return new AnchorSender(rules, kept, records, () -> newest, () -> now);
  }

  private void sign(ForeignLog by, int size) {
    newest = Optional.of(new StoredCheckpoint(1, size, by.checkpoint(size), new byte[0]));
  }

  @Test
  void eachCheckpointIsSentOnce() {
    AnchorSender sender = sender(new OwnAnchorRecords());
    sender.send();
    assertThat(sender.status()).isEqualTo(status(null, null, null));

    sign(log, 1);
    sender.send();
    sender.send();
    sign(log, 3);
    sender.send();

    assertThat(kept.notes).containsExactly(log.checkpoint(1), log.checkpoint(3));
    assertThat(sender.status()).isEqualTo(status(3L, START, null));
  }

  @Test
  void restartSendsNothingAgain() {
    sign(log, 3);
    sender(new OwnAnchorRecords()).send();
    AnchorSender again = sender(new OwnAnchorRecords());

    again.send();

    assertThat(kept.notes).containsExactly(log.checkpoint(3));
    assertThat(again.status()).isEqualTo(status(3L, START, null));
  }

  @Test
  void ageBeginsAgainWhenTheNewestIsThere() {
    AnchorSender sender = sender(new OwnAnchorRecords());
    pass(10);
    assertThat(sender.ageSeconds()).isEqualTo(10);
    sign(log, 3);
    sender.send();
    pass(60);
    assertThat(sender.ageSeconds()).isEqualTo(60);

    sender.send();

    assertThat(sender.ageSeconds()).isZero();
  }

  @Test
  void failureIsCountedAndTriedAgain() {
    AnchorSender sender = sender(new OwnAnchorRecords());
    sign(log, 3);
    kept.refusal = Optional.of("it answered with the status 503");
    sender.send();
    sender.send();

    assertThat(sender.status()).isEqualTo(status(null, null, "it answered with the status 503"));
    assertThat(sender.failures()).isEqualTo(2);
    kept.refusal = Optional.empty();
    sender.send();
    assertThat(sender.status()).isEqualTo(status(3L, START, null));
  }

  @Test
  void journalThatWasPutBackIsTold() {
    AnchorSender sender = sender(new OwnAnchorRecords());
    sign(log, 3);
    sender.send();
    sign(log, 2);
    sender.send();

    assertThat(sender.status().failure())
        .isEqualTo(
            "it has a checkpoint over 3 events, and the newest of the journal is over 2: compare"
                + " them with verify --against");
    sign(ForeignLog.named("log.example/b").grow("a"), 1); // the log goes on under another name
    sender.send();
    assertThat(sender.status()).isEqualTo(status(1L, START, null));
  }

  @Test
  void nodeWithoutTheIntervalSeesWhatAnotherSent() {
    AnchorRecords shared =
        new AnchorRecords() {
          @Override
          public boolean claim(String anchor, Duration interval) {
            assertThat(interval).isEqualTo(Duration.ofSeconds(54));
            return false;
          }

          @Override
          public Optional<Anchored> read(String anchor) {
            return Optional.of(new Anchored(log.checkpoint(2), START.minusSeconds(7)));
          }

          @Override
          public void write(String anchor, Anchored anchored) {
            throw new AssertionError("the other node writes");
          }

          @Override
          public void close() {}
        };
    AnchorSender sender = sender(shared);
    sign(log, 3);

    sender.send();

    assertThat(kept.notes).isEmpty();
    assertThat(sender.status()).isEqualTo(status(2L, START.minusSeconds(7), null));
    assertThat(sender.ageSeconds()).isEqualTo(7);
  }

  private void pass(int seconds) {
    now = now.plusSeconds(seconds);
  }

  private static AnchorStatus status(
      @Nullable Long size, @Nullable Instant at, @Nullable String failure) {
    return new AnchorStatus("vault", "directory", size, at == null ? null : at.toString(), failure);
  }
}
