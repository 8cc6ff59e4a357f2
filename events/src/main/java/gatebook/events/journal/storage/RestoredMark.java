package gatebook.events.journal.storage;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Optional;

/**
 * The mark of a journal that was restored: nothing is appended to it until an operator lets it go
 * on. It is a file beside the journal.
 *
 * @param isWhole whether the restore was finished
 * @param origin under which the log was signed
 * @param size how many events were restored
 * @param root of the tree over them, in base64
 * @param coveredSize how many of them the newest restored checkpoint covers
 * @param key the public key that signed it
 * @param backup the name of the backup
 */
@JsonInclude(JsonInclude.Include.ALWAYS)
public record RestoredMark(
    boolean isWhole,
    String origin,
    long size,
    String root,
    long coveredSize,
    String key,
    String backup) {
  private static final JsonMapper JSON = new JsonMapper();

  /** The file of the mark of a journal. */
  public static Path file(JournalSettings settings) {
    return settings.checkpointFile().resolveSibling("restored");
  }

  /** The mark of a journal; empty when it was not restored, or has gone on since. */
  public static Optional<RestoredMark> of(JournalSettings settings) throws OpenRefusal {
    Path file = file(settings);
    try {
      return Optional.of(JSON.readValue(Files.readAllBytes(file), RestoredMark.class));
    } catch (NoSuchFileException _) {
      return Optional.empty();
    } catch (JsonProcessingException _) {
      throw new OpenRefusal("the file %s is damaged: restore the journal again".formatted(file));
    } catch (IOException e) {
      throw new OpenRefusal(
          "the file %s cannot be read: %s".formatted(file, StorageFailure.describe(e)));
    }
  }

  /** Writes the mark; it is on the disk when the method returns. */
  public void write(Path file) throws IOException {
    Path draft = file.resolveSibling(file.getFileName() + ".new");
    try (FileChannel channel =
        FileChannel.open(
            draft,
            StandardOpenOption.CREATE,
            StandardOpenOption.WRITE,
            StandardOpenOption.TRUNCATE_EXISTING)) {
      ByteBuffer bytes = ByteBuffer.wrap(JSON.writeValueAsBytes(this));
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
      channel.force(true);
    }
    Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    forceDirectory(file);
  }

  /** Removes the mark: the journal goes on. */
  public static void remove(Path file) throws IOException {
    if (Files.deleteIfExists(file)) {
      forceDirectory(file);
    }
  }

  private static void forceDirectory(Path file) throws IOException {
    try (FileChannel channel =
        FileChannel.open(file.toAbsolutePath().resolveSibling("."), StandardOpenOption.READ)) {
      channel.force(true);
    }
  }

  /** Why nothing is appended, and what to do. */
  public String sentence() {
    return "the journal was restored from the backup %s, with %d events, and is read-only: look at it, and let it go on with gatebook restore --continue REASON"
        .formatted(backup, size);
  }
}
