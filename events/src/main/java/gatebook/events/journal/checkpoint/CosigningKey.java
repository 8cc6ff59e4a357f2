package gatebook.events.journal.checkpoint;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Instant;

/**
 * The private key with which a witness cosigns checkpoints of logs. It signs nothing else: its type
 * keeps its signatures from being those of a log.
 */
public final class CosigningKey {
  private final CheckpointKey key;

  private CosigningKey(CheckpointKey key) {
    this.key = key;
  }

  /** Whether a key can have this name. */
  public static boolean isName(String name) {
    return CheckpointKeyName.isValid(name);
  }

  /** The key in this file, which is created when it is missing, under a name. */
  public static LoadedKey<CosigningKey> loadOrCreate(Path file, String name) {
    return switch (CheckpointKey.loadOrCreate(file, name, NoteKeyType.COSIGNATURE)) {
      case LoadedKey.Key<CheckpointKey>(CheckpointKey key) ->
          new LoadedKey.Key<>(new CosigningKey(key.named(name)));
      case LoadedKey.Refused<CheckpointKey>(String why) -> new LoadedKey.Refused<>(why);
    };
  }

  /** The key with which cosignatures are checked. */
  public VerifierKey verifier() {
    return key.verifier();
  }

  /**
   * Cosigns the text of a checkpoint.
   *
   * @return the signature line of a note, which ends with a line feed
   */
  public String cosign(String text, Instant at) {
    long seconds = at.getEpochSecond();
    byte[] signature = key.sign(Cosignature.message(seconds, text));
    byte[] cosignature =
        ByteBuffer.allocate(Cosignature.BYTES).putLong(seconds).put(signature).array();
    return SignedNote.line(verifier(), cosignature);
  }
}
