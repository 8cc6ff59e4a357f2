package gatebook.api.verify;

import static java.nio.charset.StandardCharsets.UTF_8;

import gatebook.api.operator.Verifications;
import gatebook.command.redact.Scrubber;
import gatebook.events.MismatchAccepted;
import gatebook.events.call.Bytes;
import gatebook.events.journal.Acceptance;
import gatebook.events.journal.Cursor;
import gatebook.events.journal.Draft;
import gatebook.events.journal.JournalSettings;
import gatebook.events.journal.JournalUnreadable;
import gatebook.events.journal.Snapshot;
import gatebook.events.journal.StoredCheckpoint;
import gatebook.events.journal.checkpoint.VerifierKey;
import gatebook.events.journal.tree.RightEdge;
import gatebook.events.vocabulary.Vocabulary;
import gatebook.query.verification.KeptElsewhere;
import gatebook.query.verification.Limits;
import gatebook.query.verification.Report;
import gatebook.query.verification.Verification;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Verifies a journal that no process here has open. */
record Direct(JournalSettings settings, VerifierKey key) {
  private static final int NOTE_CHARS_MAX = 16 * 1024;

  /** What reading the journal once ends in. */
  private sealed interface Reading {
    record Read(Report report, String newestCheckpoint) implements Reading {}

    record Failed(String sentence) implements Reading {}
  }

  Verdict verify(List<KeptElsewhere> against) {
    return switch (read(against)) {
      case Reading.Failed(var sentence) -> new Verdict.Unchecked(sentence);
      case Reading.Read(var report, _) -> new Verdict.Checked(Verifications.json(report, key));
    };
  }

  /** Accepts the journal as it stands, unless nothing is wrong with it. */
  Verdict accept(String operator, String reason) {
    return switch (read(List.of())) {
      case Reading.Failed(var sentence) -> new Verdict.Unchecked(sentence);
      case Reading.Read(var report, _) when report.clean() ->
          new Verdict.Checked(
              Verifications.json(report, key), "there is nothing to accept: nothing was changed");
      case Reading.Read(var report, var newest) ->
          report
              .standing()
              .map(standing -> accept(standing, newest, operator, reason))
              .orElseGet(() ->
                  new Verdict.Unchecked(
                      "too many events are missing to accept the rest: restore the journal"
                          + " from a copy"));
    };
  }

  private Verdict accept(Report.Standing standing, String newest, String operator, String reason) {
    Optional<RightEdge> edge = RightEdge.restored(standing.size(), standing.edge());
    if (edge.isEmpty()) {
      throw new IllegalStateException("a verification gave an edge that cannot be one");
    }
    MismatchAccepted accepted =
        new MismatchAccepted(
            operator,
            Scrubber.NAMES.scrub(reason),
            newest,
            standing.size(),
            new Bytes(standing.root()));
    Draft statement = new Vocabulary().draft(accepted, Instant.now());
    return switch (Acceptance.accept(settings, edge.get(), statement)) {
      case Acceptance.Outcome.Refused(var sentence) -> new Verdict.Unchecked(sentence);
      case Acceptance.Outcome.Accepted(var position) -> afterwards(position);
    };
  }

  private Verdict afterwards(long position) {
    return switch (verify(List.of())) {
      case Verdict.Unchecked unchecked -> unchecked;
      case Verdict.Checked(var report, _) ->
          new Verdict.Checked(
              report, "the journal was accepted as it stands, by event %d".formatted(position));
    };
  }

  private Reading read(List<KeptElsewhere> against) {
    return switch (Snapshot.take(settings)) {
      case Snapshot.Taking.Refused(var sentence) -> new Reading.Failed(sentence);
      case Snapshot.Taking.Taken(var snapshot) -> read(snapshot, against);
    };
  }

  private Reading read(Snapshot taken, List<KeptElsewhere> against) {
    try (Snapshot snapshot = taken) {
      Report report = new Verification(List.of(key), Limits.DEFAULT).verify(snapshot, against);
      return new Reading.Read(report, newestCheckpoint(snapshot));
    } catch (JournalUnreadable e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      return new Reading.Failed(
          "the journal cannot be read: " + firstLine(String.valueOf(cause.getMessage())));
    }
  }

  private static String firstLine(String text) {
    return text.lines().findFirst().orElse("");
  }

  /** Whatever is stored there; an event has no room for all that somebody may have put there. */
  private static String newestCheckpoint(Snapshot snapshot) {
    String note = "";
    try (Cursor<StoredCheckpoint> checkpoints = snapshot.checkpoints()) {
      for (StoredCheckpoint it = checkpoints.next(); it != null; it = checkpoints.next()) {
        note = it.note();
      }
    }
    String cut = note.substring(0, Math.min(note.length(), NOTE_CHARS_MAX));
    return new String(cut.getBytes(UTF_8), UTF_8);
  }
}
