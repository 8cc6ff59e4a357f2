package gatebook.events.journal.postgres;

import static java.nio.charset.StandardCharsets.UTF_8;

import gatebook.events.journal.checkpoint.CheckpointKey;
import gatebook.events.journal.checkpoint.OpenedNote;
import gatebook.events.journal.checkpoint.SignedNote;
import gatebook.events.journal.checkpoint.VerifierKey;
import gatebook.events.journal.storage.JournalSnapshot.IndexedTag;
import gatebook.events.journal.tree.Sha256;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/**
 * The signed note about what stays in the database of an archived range and is not covered by the
 * stamp of its segment: the time of its newest event, and the lines of the tag index.
 */
final class RangeNote {
  private static final String TITLE = "gatebook archived range 1";

  private RangeNote() {}

  /**
   * The signed note.
   *
   * @param lines as far as they are in the range
   */
  static String sign(
      long first, long last, String newestAt, List<IndexedTag> lines, CheckpointKey key) {
    return new String(
        SignedNote.sign(text(first, last, newestAt, lines, key.verifier().name()), key), UTF_8);
  }

  /** Whether one of these keys signed this of the range, under its own name. */
  static boolean isSigned(
      ArchivedRange range, List<IndexedTag> lines, Collection<VerifierKey> trusted) {
    return SignedNote.open(range.note().getBytes(UTF_8), trusted)
            instanceof OpenedNote.Valid<String>(String text, VerifierKey key)
        && text.equals(text(range.first(), range.last(), range.newestAt(), lines, key.name()));
  }

  /** Whether a key signed the note, whatever it says. */
  static boolean isBy(ArchivedRange range, VerifierKey key) {
    return SignedNote.open(range.note().getBytes(UTF_8), List.of(key))
        instanceof OpenedNote.Valid<String>;
  }

  private static String text(
      long first, long last, String newestAt, List<IndexedTag> lines, String origin) {
    return "%s\n%s\nevents %d %d\nnewest %s\ntags %s\n"
        .formatted(
            TITLE,
            origin,
            first,
            last,
            newestAt,
            Base64.getEncoder().encodeToString(digest(lines)));
  }

  private static byte[] digest(List<IndexedTag> lines) {
    List<IndexedTag> sorted = new ArrayList<>(lines);
    sorted.sort(Comparator.comparingLong(IndexedTag::first).thenComparing(IndexedTag::tag));
    MessageDigest sha256 = Sha256.newDigest();
    for (IndexedTag line : sorted) {
      sha256.update("%d %d %s\n".formatted(line.first(), line.last(), line.tag()).getBytes(UTF_8));
    }
    return sha256.digest();
  }
}
