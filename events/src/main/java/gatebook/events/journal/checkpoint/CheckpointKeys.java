package gatebook.events.journal.checkpoint;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The keys of an open journal: the private key that signs, and the public ones that signed before
 * it.
 *
 * <p>The key that is to replace another is in a file beside it, until a checkpoint that both signed
 * is durable; then it takes the place of the old one. Whatever a killed process left, the newest
 * checkpoint says which of the two signs.
 */
public final class CheckpointKeys {
  private static final Logger log = LoggerFactory.getLogger(CheckpointKeys.class);

  private final @Nullable Path file;
  private volatile @Nullable CheckpointKey signing;
  private volatile VerifierKey verifier;
  private volatile KeyHistory history;
  private volatile Runnable onChange = () -> {};

  private CheckpointKeys(
      @Nullable Path file, @Nullable CheckpointKey signing, VerifierKey verifier) {
    this.file = file;
    this.signing = signing;
    this.verifier = verifier;
    this.history = KeyHistory.of(List.of(verifier));
  }

  /** A key of which the private half is not there: with it nothing is signed. */
  public static CheckpointKeys withoutPrivate(VerifierKey key) {
    return new CheckpointKeys(null, null, key);
  }

  /** A key that is never replaced. */
  public static CheckpointKeys of(CheckpointKey key) {
    return new CheckpointKeys(null, key, key.verifier());
  }

  /** The key in this file, which is created when it is missing. */
  public static LoadedKey<CheckpointKeys> loadOrCreate(Path file, String nameOfNewKey) {
    return switch (CheckpointKey.loadOrCreate(file, nameOfNewKey)) {
      case LoadedKey.Key<CheckpointKey>(CheckpointKey key) ->
          new LoadedKey.Key<>(new CheckpointKeys(file, key, key.verifier()));
      case LoadedKey.Refused<CheckpointKey>(String why) -> new LoadedKey.Refused<>(why);
    };
  }

  /** The key that signs. */
  public CheckpointKey signing() {
    return Objects.requireNonNull(signing, "the private key is not there");
  }

  public VerifierKey verifier() {
    return verifier;
  }

  /**
   * The signed note of a text that cannot be taken for a checkpoint; empty when the private key is
   * not there. Its first line is the name of no log.
   */
  public Optional<byte[]> sign(String text, String origin) {
    if (CheckpointKeyName.isValid(text.lines().findFirst().orElse(""))) {
      throw new IllegalArgumentException("the text begins like a checkpoint");
    }
    return Optional.ofNullable(signing).map(key -> SignedNote.sign(text, key.named(origin)));
  }

  public KeyHistory history() {
    return history;
  }

  /** Whether the newest checkpoint was signed with this key, and with no newer one. */
  public boolean isNewest(String newestNote) {
    return SignedNote.endsWith(newestNote.getBytes(UTF_8), verifier);
  }

  /** Calls back when another key begins to sign. */
  public void onChange(Runnable listener) {
    onChange = listener;
  }

  /** The rotations that the journal has, by ascending position. */
  public void learn(List<KeyRotation> recorded) {
    history = KeyHistory.of(List.of(verifier), recorded);
  }

  /**
   * Signs with the key that the newest checkpoint was signed with, when another node or a process
   * that was killed introduced it, and this node has its file.
   *
   * @return why this node must not sign; null when it may
   */
  public @Nullable String follow(String newestNote) {
    byte[] note = newestNote.getBytes(UTF_8);
    if (isNewest(newestNote)) {
      return null;
    }
    return isFollowed(note)
        ? null
        : SignedNote.lastSigner(note)
            .map(signer ->
                "the newest checkpoint is signed by %s, and this node has %s: copy the file of the new key beside that of the old one, or in its place"
                    .formatted(signer, verifier.label()))
            .orElse(null); // the check of the journal says what is wrong with it
  }

  private boolean isFollowed(byte[] note) {
    if (file == null) {
      return false;
    }
    for (Path candidate : List.of(CheckpointKey.fileOfNext(file), file)) {
      if (CheckpointKey.loadExisting(candidate)
              instanceof LoadedKey.Key<CheckpointKey>(CheckpointKey key)
          && SignedNote.endsWith(note, key.verifier())
          && Checkpoint.open(note, List.of(key.verifier()))
              instanceof OpenedNote.Valid<Checkpoint>) {
        use(key, candidate);
        return true;
      }
    }
    return false;
  }

  /** The checkpoint by which the signing key hands over to the next one is durable. */
  public void replaceWith(CheckpointKey next, long position) {
    history = history.with(new KeyRotation(position, verifier(), next.verifier()));
    if (file != null) {
      use(next, CheckpointKey.fileOfNext(file));
    }
  }

  private void use(CheckpointKey next, Path from) {
    log.atInfo()
        .addKeyValue("old_key", verifier().label())
        .addKeyValue("new_key", next.verifier().label())
        .log("checkpoints are signed by a new key");
    signing = next;
    verifier = next.verifier();
    if (!from.equals(file)) {
      replaceFile();
    }
    onChange.run();
  }

  /** A file that cannot be replaced does no harm: the next start finds the new key beside it. */
  private void replaceFile() {
    try {
      CheckpointKey.replace(Objects.requireNonNull(file));
    } catch (IOException e) {
      log.atWarn()
          .setCause(e)
          .addKeyValue("file", file)
          .log(
              "the new checkpoint key is used, and its file cannot take the place of the old one:"
                  + " replace the old file by the one beside it");
    }
  }
}
