package gatebook.events.journal.checkpoint;

import static java.nio.charset.StandardCharsets.UTF_8;

import gatebook.events.journal.tree.InclusionPath;
import gatebook.events.journal.tree.Sha256;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * A C2SP tlog-proof: an inclusion path, and the signed note of the checkpoint that it leads to.
 *
 * @param index of the leaf, counted from 0
 * @param hashes from the leaf upwards
 * @param note the whole signed note
 */
public record TlogProof(long index, List<byte[]> hashes, String note) {
  private static final String FIRST = "c2sp.org/tlog-proof@v1";
  private static final String INDEX = "index ";

  /** The longest path of a tree. */
  private static final int HASHES_MAX = 64;

  public TlogProof {
    hashes = List.copyOf(hashes);
  }

  /** The proof that a path leads to the root of a checkpoint. */
  public static TlogProof of(InclusionPath path, String note) {
    return new TlogProof(path.index(), path.hashes(), note);
  }

  /** The file of the proof. */
  public byte[] bytes() {
    StringBuilder text = new StringBuilder(FIRST + '\n' + INDEX + index + '\n');
    hashes.forEach(hash -> text.append(StrictBase64.encode(hash)).append('\n'));
    return text.append('\n').append(note).toString().getBytes(UTF_8);
  }

  /** Reads a file without extra data; empty when it is not one, or not written in this form. */
  public static Optional<TlogProof> read(byte[] file) {
    String text = new String(file, UTF_8);
    int blank = text.indexOf("\n\n");
    if (blank < 0) {
      return Optional.empty();
    }
    List<String> lines = text.substring(0, blank).lines().toList();
    if (lines.size() < 2 || lines.size() > 2 + HASHES_MAX || !lines.get(1).startsWith(INDEX)) {
      return Optional.empty();
    }
    List<byte[]> hashes = new ArrayList<>();
    for (String line : lines.subList(2, lines.size())) {
      Optional<byte[]> hash =
          StrictBase64.decode(line).filter(bytes -> bytes.length == Sha256.BYTES);
      if (hash.isEmpty()) {
        return Optional.empty();
      }
      hashes.add(hash.get());
    }
    return index(lines.get(1).substring(INDEX.length()))
        .map(index -> new TlogProof(index, hashes, text.substring(blank + 2)))
        .filter(proof -> Arrays.equals(proof.bytes(), file));
  }

  private static Optional<Long> index(String digits) {
    try {
      return Optional.of(Long.parseLong(digits)).filter(index -> index >= 0);
    } catch (NumberFormatException _) {
      return Optional.empty();
    }
  }

  /** Whether the path leads from a leaf to the root of a checkpoint. */
  public boolean leads(byte[] leaf, Checkpoint checkpoint) {
    return index < checkpoint.size()
        && hashes.size() == length(index, checkpoint.size())
        && Arrays.equals(
            new InclusionPath(index, checkpoint.size(), hashes).rootFrom(leaf), checkpoint.root());
  }

  /** How many hashes the path of a leaf has. */
  private static int length(long index, long size) {
    long last = size - 1;
    int inner = Long.SIZE - Long.numberOfLeadingZeros(index ^ last);
    return inner + Long.bitCount(index >>> Math.min(inner, Long.SIZE - 1));
  }
}
