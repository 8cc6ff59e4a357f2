package gatebook.events.journal.segment.stamp;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import gatebook.events.journal.checkpoint.Checkpoint;
import gatebook.events.journal.checkpoint.CheckpointKey;
import gatebook.events.journal.checkpoint.LoadedKey;
import gatebook.events.journal.checkpoint.SignedNote;
import gatebook.events.journal.segment.stamp.SegmentStamp.Opening;
import gatebook.events.journal.segment.stamp.SegmentStamp.StampedFile;
import gatebook.events.journal.storage.SettledRange;
import gatebook.events.journal.storage.SettledRange.CheckpointRun;
import gatebook.events.journal.tree.CompactRange;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class SegmentStampTest {
  /** The key that Go's documentation derives from 32 zeros. */
  private static final CheckpointKey KEY =
      ((LoadedKey.Key<CheckpointKey>)
              CheckpointKey.parse(
                  "PRIVATE+KEY+EnochRoot+af0cfe78+AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"))
          .key();

  private static final String TEXT =
      """
      gatebook segment stamp 1
      EnochRoot
      0000000000000000003.segment
      events 3 5
      segment 4711 2026-01-02T03:04:05.060Z 2026-01-02T03:04:05.000000007Z AwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwM=
      index 815 2026-01-02T03:04:06Z 2026-01-02T03:04:06Z BAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQ=
      verified 2026-01-02T03:04:07Z
      checkpoints 2 3 4 5
      before AgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgI=
      subtree 3HFWdGpGy+bt+s60zPubJ/xyUNJgipkYSM/sb2LzmTI=
      subtree AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE=
      """;

  private static SegmentStamp stamp() {
    CompactRange leaves = new CompactRange(2);
    for (int i = 0; i < 3; i++) {
      leaves.append(hash(1));
    }
    return new SegmentStamp(
        "EnochRoot",
        "0000000000000000003.segment",
        new SettledRange(hash(2), leaves, Optional.of(new CheckpointRun(2, 3, 4, 5))),
        new StampedFile(
            new FileState(
                4711,
                Instant.parse("2026-01-02T03:04:05.060Z"),
                Instant.parse("2026-01-02T03:04:05.000000007Z")),
            hash(3)),
        new StampedFile(
            new FileState(
                815, Instant.parse("2026-01-02T03:04:06Z"), Instant.parse("2026-01-02T03:04:06Z")),
            hash(4)),
        Instant.parse("2026-01-02T03:04:07Z"));
  }

  private static byte[] hash(int of) {
    byte[] hash = new byte[32];
    Arrays.fill(hash, (byte) of);
    return hash;
  }

  @Test
  void aStampIsThisText() {
    assertThat(stamp().text()).isEqualTo(TEXT);
  }

  @Test
  void aSignedStampIsRead() {
    Opening opening = SegmentStamp.open(stamp().signedBy(KEY), List.of(KEY.verifier()));

    assertThat(opening).isInstanceOf(Opening.Trusted.class);
    assertThat(((Opening.Trusted) opening).stamp().text()).isEqualTo(TEXT);
  }

  @Test
  void signedTextsThatAreNoStampsAreRefused() {
    for (String text :
        List.of(
            TEXT.replace("stamp 1", "stamp 2"),
            TEXT.replace("EnochRoot", "other"),
            TEXT.replace("events 3 5", "events 3 9"),
            TEXT.replace("events 3 5", "events 03 5"),
            TEXT.replace("05.060Z", "05.06Z"),
            TEXT.replace("checkpoints 2 3 4 5", "checkpoints 2 3 4"),
            TEXT.replace("before Ag", "before  Ag"),
            TEXT.replace("subtree AQ", "leaf AQ"),
            TEXT + "more\n",
            "gatebook segment stamp 1\n")) {
      assertThat(SegmentStamp.open(SignedNote.sign(text, KEY), List.of(KEY.verifier())))
          .describedAs(text)
          .isEqualTo(new Opening.Refused("it is signed, but it is no stamp"));
    }
  }

  @Test
  void aCheckpointIsNoStampAndAStampNoCheckpoint() {
    byte[] checkpoint = new Checkpoint("EnochRoot", 5, hash(1)).signedBy(KEY);

    assertThat(SegmentStamp.open(checkpoint, List.of(KEY.verifier())))
        .isInstanceOf(Opening.Refused.class);
    assertThat(Checkpoint.open(stamp().signedBy(KEY), List.of(KEY.verifier())).toString())
        .contains("a checkpoint has the three lines origin, size and root");
  }

  @Test
  void anUnsignedStampIsRefused() {
    assertThat(SegmentStamp.open(TEXT.getBytes(UTF_8), List.of(KEY.verifier())))
        .isInstanceOf(Opening.Refused.class);
  }
}
