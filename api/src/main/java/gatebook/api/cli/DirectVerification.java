package gatebook.api.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import gatebook.api.operator.methods.VerificationJson;
import gatebook.command.redact.Scrubber;
import gatebook.events.MismatchAccepted;
import gatebook.events.OriginBegun;
import gatebook.events.call.Bytes;
import gatebook.events.journal.DraftEvent;
import gatebook.events.journal.MismatchAcceptance;
import gatebook.events.journal.checkpoint.Checkpoint;
import gatebook.events.journal.checkpoint.CheckpointKey;
import gatebook.events.journal.checkpoint.OpenedNote;
import gatebook.events.journal.checkpoint.VerifierKey;
import gatebook.events.journal.storage.JournalSettings;
import gatebook.events.journal.storage.JournalSnapshot;
import gatebook.events.journal.storage.JournalUnreadable;
import gatebook.events.journal.storage.RestoredMark;
import gatebook.events.journal.storage.StoredCheckpoint;
import gatebook.events.journal.tree.RightEdge;
import gatebook.events.vocabulary.EventVocabulary;
import gatebook.query.verification.ExternalCheckpoint;
import gatebook.query.verification.KeyCheck;
import gatebook.query.verification.Verification;
import gatebook.query.verification.VerificationLimits;
import gatebook.query.verification.VerificationReport;
import gatebook.query.verification.VerificationScope;
import java.nio.file.Files;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Verifies a journal directly, on all processors, when no process has it open. It writes nothing,
 * unless it accepts the journal.
 *
 * @param everything whether it reads what was verified and stamped before, too
 * @param keyCheck looks for the content keys of what is read
 */
record DirectVerification(
    JournalSettings settings, VerifierKey key, boolean everything, KeyCheck keyCheck) {
  private static final int NOTE_CHARS_MAX = 16 * 1024;
  private static final int LOST_TOLD_MAX = 20;

  /** The outcome of reading the journal once. */
  private sealed interface Reading {
    /**
     * The journal was read.
     *
     * @param newestCheckpoint its note; empty when nothing is wrong
     */
    record Read(VerificationReport report, String newestCheckpoint) implements Reading {}

    record Failed(String sentence) implements Reading {}
  }

  VerifyResult verify(List<ExternalCheckpoint> against) {
    return switch (read(against, everything)) {
      case Reading.Failed(var sentence) -> new VerifyResult.Unchecked(sentence);
      case Reading.Read(var verificationReport, _) ->
          new VerifyResult.Checked(
              VerificationJson.json(verificationReport, key, keyCheck.result()));
    };
  }

  /** Reads everything, and accepts the journal as it is, unless nothing is wrong with it. */
  VerifyResult accept(String operator, String reason) {
    return switch (read(List.of(), true)) {
      case Reading.Failed(var sentence) -> new VerifyResult.Unchecked(sentence);
      case Reading.Read(var verificationReport, _) when verificationReport.clean() ->
          new VerifyResult.Checked(
              VerificationJson.json(verificationReport, key, keyCheck.result()),
              "there is nothing to accept: nothing was changed");
      case Reading.Read(var verificationReport, _) when verificationReport.unreadFiles() > 0 ->
          new VerifyResult.Unchecked(
              "events are in an archive that cannot be used, and would be accepted as lost: name"
                  + " the archive with --archive");
      case Reading.Read(var verificationReport, var newest) ->
          verificationReport
              .currentTree()
              .map(currentTree -> accept(currentTree, newest, operator, reason))
              .orElseGet(() ->
                  new VerifyResult.Unchecked(
                      "too many events are missing to accept the rest: restore the journal"
                          + " from a copy"));
    };
  }

  private VerifyResult accept(
      VerificationReport.CurrentTree currentTree, String newest, String operator, String reason) {
    Optional<RightEdge> edge = RightEdge.restored(currentTree.size(), currentTree.edge());
    if (edge.isEmpty()) {
      throw new IllegalStateException("a verification gave an edge that cannot be one");
    }
    String scrubbed = Scrubber.NAMES.scrub(reason);
    MismatchAccepted accepted =
        new MismatchAccepted(
            operator,
            scrubbed,
            newest,
            currentTree.size(),
            new Bytes(currentTree.root()),
            currentTree.lost().isEmpty()
                ? null
                : currentTree.lost().stream()
                    .map(it -> new MismatchAccepted.Lost(it.from(), it.to()))
                    .toList());
    Optional<OriginBegun> begun =
        currentTree.isSigned() && Files.notExists(RestoredMark.file(settings))
            ? Optional.empty()
            : Optional.of(newOrigin(currentTree, newest, operator, scrubbed));
    List<DraftEvent> statements =
        Stream.concat(begun.stream(), Stream.of(accepted))
            .map(it -> new EventVocabulary().draft(it, Instant.now()))
            .toList();
    return switch (MismatchAcceptance.accept(
        settings, edge.get(), statements, begun.map(OriginBegun::newOrigin))) {
      case MismatchAcceptance.Outcome.Refused(var sentence) -> new VerifyResult.Unchecked(sentence);
      case MismatchAcceptance.Outcome.Accepted(var position) ->
          verifyAccepted(position, begun.map(OriginBegun::newOrigin), currentTree.lost());
    };
  }

  /**
   * A log that is not what was signed goes on under another name, so that nobody mixes them up. A
   * key that replaced another has the name of that.
   */
  private OriginBegun newOrigin(
      VerificationReport.CurrentTree currentTree, String newest, String operator, String reason) {
    String oldOrigin = newest.lines().findFirst().filter(it -> !it.isBlank()).orElse(key.name());
    boolean isOfThisKey =
        Checkpoint.open(newest.getBytes(UTF_8), List.of(key)) instanceof OpenedNote.Valid;
    return new OriginBegun(
        operator,
        reason,
        oldOrigin,
        isOfThisKey || oldOrigin.equals(key.name()) ? CheckpointKey.newName() : key.name(),
        currentTree.size(),
        new Bytes(currentTree.root()),
        newest.isEmpty() ? null : newest);
  }

  private VerifyResult verifyAccepted(
      long position, Optional<String> origin, List<VerificationReport.PositionRange> lost) {
    return switch (verify(List.of())) {
      case VerifyResult.Unchecked unchecked -> unchecked;
      case VerifyResult.Checked(var report, _) ->
          new VerifyResult.Checked(
              report,
              "the journal was accepted as it stands, by event %d%s%s"
                  .formatted(
                      position,
                      origin.map("; the log goes on under the origin "::concat).orElse(""),
                      lost(lost)));
    };
  }

  /** What is gone; the event has all of it. */
  private static String lost(List<VerificationReport.PositionRange> lost) {
    return lost.isEmpty()
        ? ""
        : lost.stream()
            .limit(LOST_TOLD_MAX)
            .map(it ->
                it.from() == it.to() ? "" + it.from() : "%d to %d".formatted(it.from(), it.to()))
            .collect(
                Collectors.joining(
                    ", ", "; lost: events ", lost.size() > LOST_TOLD_MAX ? " and more" : ""));
  }

  private Reading read(List<ExternalCheckpoint> against, boolean all) {
    return switch (JournalSnapshot.take(settings)) {
      case JournalSnapshot.TakeResult.Refused(var sentence) -> new Reading.Failed(sentence);
      case JournalSnapshot.TakeResult.Taken(var journalSnapshot) ->
          read(
              journalSnapshot,
              against,
              new VerificationScope(all, Runtime.getRuntime().availableProcessors(), keyCheck));
    };
  }

  private Reading read(
      JournalSnapshot taken, List<ExternalCheckpoint> against, VerificationScope scope) {
    try (JournalSnapshot journalSnapshot = taken) {
      VerificationReport verificationReport =
          new Verification(List.of(key), VerificationLimits.DEFAULT)
              .verify(journalSnapshot, against, scope);
      return new Reading.Read(
          verificationReport, verificationReport.clean() ? "" : newestCheckpoint(journalSnapshot));
    } catch (JournalUnreadable e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      return new Reading.Failed(
          "the journal cannot be read: " + firstLine(String.valueOf(cause.getMessage())));
    }
  }

  private static String firstLine(String text) {
    return text.lines().findFirst().orElse("");
  }

  /** The note of the newest checkpoint as stored, cut to fit into an event. */
  private static String newestCheckpoint(JournalSnapshot journalSnapshot) {
    String note = journalSnapshot.newestCheckpoint().map(StoredCheckpoint::note).orElse("");
    String cut = note.substring(0, Math.min(note.length(), NOTE_CHARS_MAX));
    return new String(cut.getBytes(UTF_8), UTF_8);
  }
}
