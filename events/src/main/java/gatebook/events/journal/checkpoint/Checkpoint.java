package gatebook.events.journal.checkpoint;

import gatebook.events.journal.tree.Sha256;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * A checkpoint: the statement of a log that its tree with this many leaves has this root.
 *
 * <p>As text it is the body of a C2SP tlog-checkpoint without extension lines, because those cannot
 * be audited. The root belongs to the checkpoint and must not be changed.
 */
@SuppressWarnings("ArrayRecordComponent") // compared by content below
public record Checkpoint(String origin, long size, byte[] root) {
  private static final int SIZE_DIGITS_MAX = 19;

  public Checkpoint {
    if (!CheckpointKeyName.isValid(origin) || size < 0 || root.length != Sha256.BYTES) {
      throw new IllegalArgumentException(
          "no checkpoint can have origin '%s', size %d and a root of %d bytes"
              .formatted(origin, size, root.length));
    }
  }

  /** The signed note of this checkpoint. */
  public byte[] signedBy(CheckpointKey... keys) {
    return SignedNote.sign(text(), keys);
  }

  /**
   * Reads a signed checkpoint; {@code Valid} only when one of these keys signed it, under whatever
   * name.
   */
  public static OpenedNote<Checkpoint> open(byte[] note, Collection<VerifierKey> known) {
    return SignedNote.open(note, known).flatMap(Checkpoint::parse);
  }

  /** The checkpoint of a note, whoever signed it; empty when it has none. */
  public static Optional<Checkpoint> ofNote(String note) {
    return ofLines(note.lines().limit(3).toList());
  }

  /** The checkpoint of these three lines, signed or not; empty when they are not one. */
  public static Optional<Checkpoint> ofLines(List<String> lines) {
    if (lines.size() != 3 || !CheckpointKeyName.isValid(lines.get(0))) {
      return Optional.empty();
    }
    Optional<byte[]> root =
        StrictBase64.decode(lines.get(2)).filter(it -> it.length == Sha256.BYTES);
    return size(lines.get(1))
        .flatMap(size -> root.map(it -> new Checkpoint(lines.get(0), size, it)));
  }

  String text() {
    return origin + "\n" + size + "\n" + StrictBase64.encode(root) + "\n";
  }

  private static OpenedNote<Checkpoint> parse(String text, VerifierKey key) {
    String[] lines = text.split("\n", -1);
    if (lines.length != 4) {
      return new OpenedNote.Malformed<>(
          Math.min(lines.length, 4), "a checkpoint has the three lines origin, size and root");
    }
    return parse(lines, key);
  }

  /** Reads the text of a checkpoint that may have extension lines, which are ignored. */
  static OpenedNote<Checkpoint> parseExtended(String text, VerifierKey key) {
    String[] lines = text.split("\n", -1);
    for (int i = 3; i < lines.length - 1; i++) {
      if (lines[i].isEmpty()) {
        return new OpenedNote.Malformed<>(i + 1, "an extension line of a checkpoint is empty");
      }
    }
    return lines.length < 4
        ? new OpenedNote.Malformed<>(lines.length, "a checkpoint has an origin, a size and a root")
        : parse(lines, key);
  }

  private static OpenedNote<Checkpoint> parse(String[] lines, VerifierKey key) {
    if (!CheckpointKeyName.isValid(lines[0])) {
      return new OpenedNote.Malformed<>(1, "the origin is empty or has a space or a plus sign");
    }
    Optional<Long> size = size(lines[1]);
    if (size.isEmpty()) {
      return new OpenedNote.Malformed<>(
          2, "the size is not a decimal number without leading zeros");
    }
    Optional<byte[]> root = StrictBase64.decode(lines[2]).filter(it -> it.length == Sha256.BYTES);
    if (root.isEmpty()) {
      return new OpenedNote.Malformed<>(3, "the root is not 32 bytes in base64");
    }
    return new OpenedNote.Valid<>(new Checkpoint(lines[0], size.get(), root.get()), key);
  }

  private static Optional<Long> size(String digits) {
    if (digits.length() > SIZE_DIGITS_MAX) {
      return Optional.empty();
    }
    try {
      long size = Long.parseLong(digits);
      return Long.toString(size).equals(digits) && size >= 0 ? Optional.of(size) : Optional.empty();
    } catch (NumberFormatException _) {
      return Optional.empty();
    }
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Checkpoint that
        && origin.equals(that.origin)
        && size == that.size
        && Arrays.equals(root, that.root);
  }

  @Override
  public int hashCode() {
    return 31 * Long.hashCode(size) + Arrays.hashCode(root);
  }

  @Override
  public String toString() {
    return text().strip().replace('\n', ' ');
  }
}
