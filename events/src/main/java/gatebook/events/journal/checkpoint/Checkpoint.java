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
    return switch (SignedNote.open(note, known)) {
      case OpenedNote.Valid<String>(String text, VerifierKey key) -> parse(text, key);
      case OpenedNote.WrongSignature<String>(String key) -> new OpenedNote.WrongSignature<>(key);
      case OpenedNote.UnknownKey<String>(List<String> keys) -> new OpenedNote.UnknownKey<>(keys);
      case OpenedNote.NotInForce<String>(String key, long size, String inForce) ->
          new OpenedNote.NotInForce<>(key, size, inForce);
      case OpenedNote.Malformed<String>(int line, String why) ->
          new OpenedNote.Malformed<>(line, why);
    };
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
