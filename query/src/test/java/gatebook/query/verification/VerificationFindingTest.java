package gatebook.query.verification;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class VerificationFindingTest {

  @Test
  void everyFindingIsOneSentenceForAnOperator() {
    assertThat(
            Stream.of(
                    new VerificationFinding.Altered(7, false),
                    new VerificationFinding.Altered(7, true),
                    new VerificationFinding.Damaged(7, 9, "byte 9 of 7.segment"),
                    new VerificationFinding.Damaged(7, 6, "byte 9 of 7.segment"),
                    new VerificationFinding.FileDamaged("7.segment", "it is gone", 7, 9),
                    new VerificationFinding.FileDamaged(
                        "7.segment", "it is gone", 7, Long.MAX_VALUE),
                    new VerificationFinding.Missing(7, 7),
                    new VerificationFinding.Missing(7, 9),
                    new VerificationFinding.Duplicate(9, 7, "0199"),
                    new VerificationFinding.Reordered(7, 9),
                    new VerificationFinding.Truncated(90, 100, "the right edge"),
                    new VerificationFinding.Surplus(101, 105, 5, 100),
                    new VerificationFinding.Surplus(-3, -1, 2, 100),
                    new VerificationFinding.EdgeMismatch(100, "there is none"),
                    new VerificationFinding.IndexMismatch(7, "call:1", true),
                    new VerificationFinding.IndexMismatch(7, "call:1", false),
                    new VerificationFinding.CheckpointMismatch(
                        "checkpoint 4 in the journal", 40, 60, 60, 1),
                    new VerificationFinding.CheckpointMismatch(
                        "checkpoint 4 in the journal", 40, 60, 90, 3),
                    new VerificationFinding.CheckpointMissing("the checkpoint file is gone", 0),
                    new VerificationFinding.CheckpointUnusable(
                        "the checkpoint file", 0, "it is empty"),
                    new VerificationFinding.BadSignature("the checkpoint file", 0, "log+01020304"),
                    new VerificationFinding.KeyUnknown(
                        "the checkpoint file", 0, List.of("a+01", "b+02")),
                    new VerificationFinding.ElsewhereMismatch(
                        "the checkpoint kept in f", 9, "it is not"))
                .map(finding -> finding.kind() + ": " + finding.message()))
        .containsExactly(
            "altered: event 7 was altered: its leaf is not that of its row",
            "altered: the leaf column of event 7 was altered; the event itself is as it was signed",
            "damaged: the record of the events from 7 to 9 is damaged: byte 9 of 7.segment",
            "damaged: the record of a checkpoint before event 7 is damaged: byte 9 of 7.segment",
            "file-damaged: the file 7.segment, with the events from 7 to 9, is damaged: it is gone",
            "file-damaged: the file 7.segment, with the events from 7 on, is damaged: it is gone",
            "missing: event 7 is missing",
            "missing: events 7 to 9 are missing",
            "duplicate: event 9 is event 7 again: both have the id 0199",
            "reordered: the event at position 7 belongs at position 9",
            "truncated: the journal ends at position 90, and the right edge says it had 100 events:"
                + " events 91 to 100 are lost",
            "surplus: 5 rows from position 101 to 105 lie outside the journal, whose right edge"
                + " ends at 100",
            "surplus: 2 rows from position -3 to -1 lie outside the journal",
            "edge-mismatch: the right edge over 100 events is wrong: there is none",
            "index-mismatch: the tag index lists event 7 under 'call:1', which that event does not"
                + " have",
            "index-mismatch: the tag index does not list event 7 under 'call:1'",
            "checkpoint-mismatch: the rows are not what checkpoint 4 in the journal signed over 60"
                + " events: the first change lies after position 40 and not after 60",
            "checkpoint-mismatch: the rows are not what checkpoint 4 in the journal signed over 60"
                + " events (nor what 2 later ones signed, up to 90): the first change lies after"
                + " position 40 and not after 60",
            "checkpoint-missing: the checkpoint file is gone",
            "checkpoint-unusable: the checkpoint file cannot be used: it is empty",
            "bad-signature: the checkpoint file is not as the key log+01020304 signed it",
            "key-unknown: the checkpoint file is signed by a+01 and b+02, which is not trusted"
                + " here",
            "elsewhere-mismatch: the checkpoint kept in f over 9 events disagrees: it is not");
  }
}
