package gatebook.events.journal.segment.stamp;

import static java.nio.charset.StandardCharsets.UTF_8;

import gatebook.events.journal.checkpoint.CheckpointKey;
import gatebook.events.journal.checkpoint.OpenedNote;
import gatebook.events.journal.checkpoint.SignedNote;
import gatebook.events.journal.checkpoint.VerifierKey;
import gatebook.events.journal.storage.SettledRange;
import gatebook.events.journal.storage.SettledRange.CheckpointRun;
import gatebook.events.journal.tree.CompactRange;
import gatebook.events.journal.tree.Sha256;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The stamp of a sealed segment: a signed statement that the segment was verified, and what its
 * files were then.
 *
 * <p>As text it is the body of a signed note. Its first line can be that of no checkpoint, since
 * names of keys have no spaces.
 *
 * @param origin the name of the key that signs it
 * @param segment the name of the segment's file
 * @param at when the segment was verified
 */
public record SegmentStamp(
    String origin,
    String segment,
    SettledRange settled,
    StampedFile segmentFile,
    StampedFile indexFile,
    Instant at) {
  private static final String TITLE = "gatebook segment stamp 1";

  /** What a stamp says about a file. */
  @SuppressWarnings("ArrayRecordComponent") // compared as text
  public record StampedFile(FileState state, byte[] sha256) {}

  public byte[] signedBy(CheckpointKey key) {
    return SignedNote.sign(text(), key);
  }

  String text() {
    Stream<String> head =
        Stream.of(
            TITLE,
            origin,
            segment,
            "events %d %d".formatted(settled.first(), settled.last()),
            fileLine("segment", segmentFile),
            fileLine("index", indexFile),
            "verified " + at,
            checkpointLine(),
            "before " + base64(settled.rootBefore()));
    Stream<String> subtrees = settled.leaves().roots().stream().map(it -> "subtree " + base64(it));
    return String.join("\n", Stream.concat(head, subtrees).toList()) + "\n";
  }

  private static String fileLine(String word, StampedFile file) {
    FileState state = file.state();
    return "%s %d %s %s %s"
        .formatted(word, state.bytes(), state.modified(), state.changed(), base64(file.sha256()));
  }

  private String checkpointLine() {
    return settled
        .checkpoints()
        .map(it ->
            "checkpoints %d %d %d %d"
                .formatted(it.firstNumber(), it.firstSize(), it.lastNumber(), it.lastSize()))
        .orElse("checkpoints none");
  }

  private static String base64(byte[] bytes) {
    return Base64.getEncoder().encodeToString(bytes);
  }

  /** The result of opening a stamp. */
  public sealed interface Opening {
    record Trusted(SegmentStamp stamp) implements Opening {}

    /** The stamp of these files, if their bytes are what it says: they have other times. */
    record OtherTimes(SegmentStamp stamp) implements Opening {}

    record Refused(String why) implements Opening {}
  }

  /** Opens a stamp; trusted only when one of these keys signed it, and under its own name. */
  public static Opening open(byte[] note, Collection<VerifierKey> trusted) {
    return switch (SignedNote.open(note, trusted)) {
      case OpenedNote.Valid<String>(String text, VerifierKey key) ->
          parse(text)
              .filter(it -> it.origin().equals(key.name()))
              .<Opening>map(Opening.Trusted::new)
              .orElseGet(() -> new Opening.Refused("it is signed, but it is no stamp"));
      case OpenedNote.WrongSignature<String>(String key) ->
          new Opening.Refused("it is not as the key %s signed it".formatted(key));
      case OpenedNote.UnknownKey<String>(List<String> keys) ->
          new Opening.Refused(
              "it is signed by %s, which is not trusted here"
                  .formatted(String.join(" and ", keys)));
      case OpenedNote.NotInForce<String>(String key, _, _) ->
          new Opening.Refused("it is signed by %s, which was replaced".formatted(key));
      case OpenedNote.Malformed<String>(int line, String why) ->
          new Opening.Refused("it is damaged in line %d: %s".formatted(line, why));
    };
  }

  /** What a note says, whoever signed it; empty when it is no stamp. */
  public static Optional<SegmentStamp> unverified(byte[] note) {
    String text = new String(note, UTF_8);
    int blank = text.lastIndexOf("\n\n");
    return blank < 0 ? Optional.empty() : parse(text.substring(0, blank + 1));
  }

  /** Empty unless the text is exactly that of a stamp. */
  private static Optional<SegmentStamp> parse(String text) {
    try {
      Lines lines = new Lines(text);
      if (!lines.next().equals(TITLE)) {
        return Optional.empty();
      }
      SegmentStamp stamp = lines.stamp();
      return stamp.text().equals(text) ? Optional.of(stamp) : Optional.empty();
    } catch (IllegalArgumentException | DateTimeException _) {
      return Optional.empty();
    }
  }

  /** Reads the lines of a stamp; throws what its values' own parsers do. */
  private static final class Lines {
    private final Iterator<String> lines;

    Lines(String text) {
      this.lines = text.lines().iterator();
    }

    String next() {
      if (!lines.hasNext()) {
        throw new IllegalArgumentException("a line is missing");
      }
      return lines.next();
    }

    /** The words after the first one of the next line. */
    private List<String> words(String first, int count) {
      List<String> words = Arrays.asList(next().split(" ", -1));
      if (!words.getFirst().equals(first) || words.size() != 1 + count) {
        throw new IllegalArgumentException("not a line of " + first);
      }
      return words.subList(1, words.size());
    }

    SegmentStamp stamp() {
      String origin = next();
      String segment = next();
      List<String> events = words("events", 2);
      StampedFile segmentFile = file("segment");
      StampedFile indexFile = file("index");
      Instant at = Instant.parse(words("verified", 1).getFirst());
      Optional<CheckpointRun> checkpoints = checkpoints();
      byte[] before = hash(words("before", 1).getFirst());
      CompactRange leaves =
          CompactRange.restored(
                  Long.parseLong(events.getFirst()) - 1, Long.parseLong(events.getLast()), roots())
              .orElseThrow(() -> new IllegalArgumentException("not the subtrees of its events"));
      return new SegmentStamp(
          origin,
          segment,
          new SettledRange(before, leaves, checkpoints),
          segmentFile,
          indexFile,
          at);
    }

    private StampedFile file(String word) {
      List<String> words = words(word, 4);
      FileState state =
          new FileState(
              Long.parseLong(words.getFirst()),
              Instant.parse(words.get(1)),
              Instant.parse(words.get(2)));
      return new StampedFile(state, hash(words.getLast()));
    }

    private Optional<CheckpointRun> checkpoints() {
      String line = next();
      if (line.equals("checkpoints none")) {
        return Optional.empty();
      }
      String[] words = line.split(" ", -1);
      if (words.length != 5) {
        throw new IllegalArgumentException("not a line of checkpoints");
      }
      return Optional.of(
          new CheckpointRun(
              Long.parseLong(words[1]),
              Long.parseLong(words[2]),
              Long.parseLong(words[3]),
              Long.parseLong(words[4])));
    }

    private List<byte[]> roots() {
      List<byte[]> roots = new ArrayList<>();
      while (lines.hasNext()) {
        roots.add(hash(words("subtree", 1).getFirst()));
      }
      return roots;
    }

    private static byte[] hash(String base64) {
      byte[] hash = Base64.getDecoder().decode(base64);
      if (hash.length != Sha256.BYTES) {
        throw new IllegalArgumentException("not a hash");
      }
      return hash;
    }
  }
}
