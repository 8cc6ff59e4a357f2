package gatebook.events.keys.store;

import gatebook.events.journal.storage.OpenRefusal;
import gatebook.events.keys.KeysUnavailable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The source of the wrapping key of a store: the environment, where several nodes share it, else a
 * file.
 */
final class WrappingKeySource {

  private final Optional<WrappingKey> given;
  private final WrappingKeyFile file;

  WrappingKeySource(Path directory, Optional<WrappingKey> given, KeyDisk disk) {
    this.given = given;
    this.file = new WrappingKeyFile(directory, disk);
  }

  /** The wrapping key of a new store. */
  WrappingKey initial() throws IOException {
    if (given.isPresent()) {
      return given.get();
    }
    Optional<WrappingKey> inFile = file.key();
    return inFile.isPresent() ? inFile.get() : file.create();
  }

  /**
   * The wrapping key with this fingerprint, which the store uses; the other one, of a replacement
   * that was interrupted, is destroyed.
   *
   * @param where names the store
   */
  WrappingKey of(long fingerprint, String where) throws OpenRefusal, IOException {
    if (given.isPresent()) {
      if (given.get().fingerprintBits() != fingerprint) {
        throw new OpenRefusal(
            "the content keys in %s are wrapped by the key %s, and GATEBOOK_WRAPPING_KEY is the key"
                    .formatted(where, WrappingKey.text(fingerprint))
                + " %s: set the one that was used before".formatted(given.get().fingerprint()));
      }
      return given.get();
    }
    return file.settle(fingerprint)
        .orElseThrow(() ->
            new OpenRefusal(
                "the content keys in %s are wrapped by the key %s, which is not in %s: copy that"
                        .formatted(where, WrappingKey.text(fingerprint), file.file())
                    + " file from a node or a backup that has it, or set GATEBOOK_WRAPPING_KEY"));
  }

  /** The next wrapping key, when it can be replaced; else the present one. */
  WrappingKey replacement() throws IOException {
    return given.isPresent() ? given.get() : file.prepareNext();
  }

  /** Destroys the wrapping key of before, now that the store uses this one. */
  void replaced(WrappingKey wrappingKey) throws IOException {
    if (given.isEmpty()) {
      file.settle(wrappingKey.fingerprintBits());
    }
  }

  /** Refuses to replace a key that is not in a file. */
  void requireReplaceable() {
    if (given.isPresent()) {
      throw new KeysUnavailable(
          "the wrapping key is not in a file but in the environment variable GATEBOOK_WRAPPING_KEY",
          null);
    }
  }
}
