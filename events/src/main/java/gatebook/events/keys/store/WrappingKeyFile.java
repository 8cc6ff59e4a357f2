package gatebook.events.keys.store;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Optional;

/**
 * The file of a wrapping key: 32 random bytes as base64. While the key is replaced, the next one is
 * in a file beside it; the fingerprint in the store says which of both it uses.
 */
final class WrappingKeyFile {

  static final String FILE = "wrapping.key";
  private static final String NEXT = "wrapping.key.next";

  private final Path file;
  private final Path next;
  private final KeyDisk disk;

  WrappingKeyFile(Path directory, KeyDisk disk) {
    this.file = directory.resolve(FILE);
    this.next = directory.resolve(NEXT);
    this.disk = disk;
  }

  Path file() {
    return file;
  }

  /** The key in the file; empty when there is no file, or no key in it. */
  Optional<WrappingKey> key() throws IOException {
    return read(file);
  }

  boolean exists() {
    return Files.exists(file);
  }

  /** Creates the file with a new key. */
  WrappingKey create() throws IOException {
    WrappingKey key = prepareNext();
    disk.move(next, file);
    return key;
  }

  /** Writes the next key beside the file. */
  WrappingKey prepareNext() throws IOException {
    WrappingKey key = WrappingKey.random();
    try (FileChannel channel = disk.create(next)) {
      String text = Base64.getEncoder().encodeToString(key.bytes()) + "\n";
      disk.append(channel, ByteBuffer.wrap(text.getBytes(US_ASCII)));
      disk.force(channel);
    }
    disk.forceDirectory(next);
    return key;
  }

  /**
   * The key with this fingerprint, which the store uses. Finishes what a killed process left: the
   * other key is destroyed, and this one gets the name of the file. Empty, and nothing is changed,
   * when neither is that key.
   */
  Optional<WrappingKey> settle(long fingerprint) throws IOException {
    Optional<WrappingKey> current = key().filter(it -> it.fingerprintBits() == fingerprint);
    if (current.isPresent()) {
      disk.destroy(next);
      return current;
    }
    Optional<WrappingKey> prepared = read(next).filter(it -> it.fingerprintBits() == fingerprint);
    if (prepared.isPresent()) {
      if (Files.exists(file)) {
        disk.overwrite(file);
      }
      disk.move(next, file);
    }
    return prepared;
  }

  private static Optional<WrappingKey> read(Path file) throws IOException {
    if (!Files.exists(file)) {
      return Optional.empty();
    }
    try {
      byte[] key =
          Base64.getDecoder().decode(new String(Files.readAllBytes(file), US_ASCII).strip());
      return key.length == WrappingKey.BYTES ? Optional.of(new WrappingKey(key)) : Optional.empty();
    } catch (IllegalArgumentException _) {
      return Optional.empty();
    }
  }
}
