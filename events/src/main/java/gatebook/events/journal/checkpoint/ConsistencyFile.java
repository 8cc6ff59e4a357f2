package gatebook.events.journal.checkpoint;

import static java.nio.charset.StandardCharsets.UTF_8;

import gatebook.events.journal.tree.Sha256;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * A file that proves that one checkpoint of a log goes on from another: a line that names the
 * format, the hashes of the proof (RFC 9162, 2.1.4), the older and the newer signed note; each part
 * ends with an empty line, but for the last.
 *
 * @param hashes in the order of the RFC
 */
public record ConsistencyFile(List<byte[]> hashes, String older, String newer) {
  private static final String FIRST = "gatebook consistency proof 1";

  /** The longest proof of a tree. */
  private static final int HASHES_MAX = 127;

  /** Proof, text and signatures of the older note, text and signatures of the newer one. */
  private static final int PARTS = 5;

  public ConsistencyFile {
    hashes = List.copyOf(hashes);
  }

  public byte[] bytes() {
    StringBuilder text = new StringBuilder(FIRST + '\n');
    hashes.forEach(hash -> text.append(StrictBase64.encode(hash)).append('\n'));
    return text.append('\n').append(older).append('\n').append(newer).toString().getBytes(UTF_8);
  }

  /** Reads a file; empty when it is not one, or not written in this form. */
  public static Optional<ConsistencyFile> read(byte[] file) {
    String[] parts = new String(file, UTF_8).split("\n\n", -1);
    List<String> lines = parts[0].lines().toList();
    if (parts.length != PARTS || lines.size() > 1 + HASHES_MAX) {
      return Optional.empty();
    }
    List<byte[]> hashes = new ArrayList<>();
    for (String line : lines.subList(Math.min(1, lines.size()), lines.size())) {
      Optional<byte[]> hash = StrictBase64.decode(line).filter(it -> it.length == Sha256.BYTES);
      if (hash.isEmpty()) {
        return Optional.empty();
      }
      hashes.add(hash.get());
    }
    String older = parts[1] + "\n\n" + parts[2] + "\n";
    return Optional.of(new ConsistencyFile(hashes, older, parts[3] + "\n\n" + parts[4]))
        .filter(it -> Arrays.equals(it.bytes(), file));
  }
}
