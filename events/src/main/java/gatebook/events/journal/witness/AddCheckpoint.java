package gatebook.events.journal.witness;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import gatebook.events.journal.tree.Sha256;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/**
 * A request to cosign a checkpoint.
 *
 * @param old the size that the log believes the witness has seen
 * @param proof the hashes of the consistency proof from there
 * @param note the signed checkpoint
 */
@SuppressWarnings("ArrayRecordComponent") // read once and never compared
record AddCheckpoint(long old, List<byte[]> proof, byte[] note) {
  private static final int HASHES_MAX = 63;
  private static final String OLD = "old ";

  /** The body of this request. */
  byte[] body() {
    StringBuilder lines = new StringBuilder(OLD).append(old).append('\n');
    for (byte[] hash : proof) {
      lines.append(Base64.getEncoder().encodeToString(hash)).append('\n');
    }
    return lines.append('\n').append(new String(note, UTF_8)).toString().getBytes(UTF_8);
  }

  /** The result of reading a body. */
  sealed interface Reading {
    record Read(AddCheckpoint request) implements Reading {}

    record Malformed(String why) implements Reading {}
  }

  static Reading read(byte[] body) {
    String text = new String(body, ISO_8859_1); // a character is a byte
    int blank = text.indexOf("\n\n");
    if (blank < 0) {
      return new Reading.Malformed("no blank line stands before the checkpoint");
    }
    String[] lines = text.substring(0, blank).split("\n", -1);
    Optional<Long> old = old(lines[0]);
    if (old.isEmpty()) {
      return new Reading.Malformed("the first line is not 'old' and a size without leading zeros");
    }
    if (lines.length - 1 > HASHES_MAX) {
      return new Reading.Malformed("the proof has more than " + HASHES_MAX + " hashes");
    }
    List<byte[]> proof = new ArrayList<>();
    for (String line : Arrays.asList(lines).subList(1, lines.length)) {
      Optional<byte[]> hash = hash(line);
      if (hash.isEmpty()) {
        return new Reading.Malformed("a line of the proof is not a hash in base64");
      }
      proof.add(hash.get());
    }
    byte[] note = Arrays.copyOfRange(body, blank + 2, body.length);
    return new Reading.Read(new AddCheckpoint(old.get(), proof, note));
  }

  private static Optional<Long> old(String line) {
    String digits = line.startsWith(OLD) ? line.substring(OLD.length()) : "";
    return digits.matches("0|[1-9][0-9]{0,18}") ? parsed(digits) : Optional.empty();
  }

  private static Optional<Long> parsed(String digits) {
    try {
      return Optional.of(Long.parseLong(digits));
    } catch (NumberFormatException _) {
      return Optional.empty(); // more than any tree has
    }
  }

  private static Optional<byte[]> hash(String line) {
    try {
      byte[] hash = Base64.getDecoder().decode(line);
      return hash.length == Sha256.BYTES && Base64.getEncoder().encodeToString(hash).equals(line)
          ? Optional.of(hash)
          : Optional.empty();
    } catch (IllegalArgumentException _) {
      return Optional.empty();
    }
  }
}
