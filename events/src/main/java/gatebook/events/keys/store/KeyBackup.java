package gatebook.events.keys.store;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A backup of content keys that was read from its file. */
public final class KeyBackup {

  private final Path file;
  private final Instant at;
  private final StoreContent content;

  private KeyBackup(Path file, Instant at, StoreContent content) {
    this.file = file;
    this.at = at;
    this.content = content;
  }

  /** The result of writing a backup. */
  public sealed interface Writing {
    /**
     * The backup is on the disk.
     *
     * @param newestKeyAt when the newest key in it was made; empty when it has none
     */
    record Written(long keys, Optional<Instant> newestKeyAt) implements Writing {}

    /** Nothing was written; the sentence says why. */
    record Refused(String sentence) implements Writing {}
  }

  /** The result of reading a backup. */
  public sealed interface Reading {
    record Read(KeyBackup backup) implements Reading {}

    /** The sentence says to an operator why it cannot be used. */
    record Refused(String sentence) implements Reading {}
  }

  /** Reads a backup and checks all of it. Deriving the key takes about half a second. */
  public static Reading read(Path file, String passphrase) {
    if (!Files.isRegularFile(file)) {
      return new Reading.Refused("there is no file %s".formatted(file));
    }
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      return switch (KeyBackupFile.header(file, channel)) {
        case KeyBackupFile.Header.Refused(var sentence) -> new Reading.Refused(sentence);
        case KeyBackupFile.Header.Read(var header, var bytes) ->
            read(file, channel, header, bytes, passphrase);
      };
    } catch (IOException e) {
      return new Reading.Refused(
          "%s cannot be read (%s): check its permissions"
              .formatted(file, e.getClass().getSimpleName()));
    }
  }

  private static Reading read(
      Path file, FileChannel channel, KeyBackupHeader header, byte[] bytes, String passphrase)
      throws IOException {
    BackupKey key = BackupKey.derive(passphrase, header.salt(), header.iterations());
    if (key.fingerprintBits() != header.fingerprint()) {
      return new Reading.Refused(
          "this passphrase does not open %s: it was made with another one".formatted(file));
    }
    KeyFile.Builder builder = new KeyFile.Builder(KeyBackup::plain);
    Long damagedAt = KeyBackupFile.read(channel, bytes, key.ofFile(header.random()), builder);
    return damagedAt == null
        ? new Reading.Read(
            new KeyBackup(
                file,
                header.at(),
                new StoreContent(
                    header.store(),
                    header.erasedUpTo(),
                    header.journal(),
                    Optional.empty(),
                    builder.keys())))
        : new Reading.Refused(KeyBackupFile.damaged(file, damagedAt));
  }

  private static @Nullable PlainKey plain(StoreRecord key) {
    return key instanceof StoreRecord.Plain(var plain) ? plain : null;
  }

  /** When it was made. */
  public Instant at() {
    return at;
  }

  /** Its keys, without the keys themselves. */
  public List<StoredKey> keys() {
    return content.keys().list(KeySelection.ALL);
  }

  /** Why these are not the keys of a journal; empty when they are. */
  public Optional<String> refusal(RecordedKeys recorded) {
    return recorded.isOfAnother(content)
        ? Optional.of("%s has the keys of another journal".formatted(file))
        : Optional.empty();
  }

  /**
   * The same without keys that were erased, which no store then gets from it.
   *
   * @param position the position up to which these are the erasures of the journal
   */
  public KeyBackup without(Collection<String> ids, long position) {
    return new KeyBackup(file, at, content.without(numbers(ids), position));
  }

  StoreContent content() {
    return content;
  }

  static long[] numbers(Collection<String> ids) {
    return ids.stream().map(PlainKey::id).filter(Objects::nonNull).mapToLong(it -> it).toArray();
  }
}
