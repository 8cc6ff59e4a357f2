package gatebook.events.journal.storage;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The checkpoint file: the newest checkpoint outside the storage, replaced atomically. */
public final class CheckpointFile {
  private final Path file;

  public CheckpointFile(Path file) {
    this.file = file;
  }

  /**
   * The note, or null when there is none; one that cannot be read is returned as an empty, invalid
   * one.
   */
  public byte @Nullable [] read() {
    try {
      return Files.readAllBytes(file);
    } catch (NoSuchFileException e) {
      return null;
    } catch (IOException e) {
      return new byte[0];
    }
  }

  public void write(String note) throws IOException {
    Path draft = file.resolveSibling(file.getFileName() + ".new");
    try (FileChannel channel =
        FileChannel.open(
            draft,
            StandardOpenOption.CREATE,
            StandardOpenOption.WRITE,
            StandardOpenOption.TRUNCATE_EXISTING)) {
      ByteBuffer bytes = ByteBuffer.wrap(note.getBytes(UTF_8));
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
      channel.force(true);
    }
    Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  /** The same; the name refers to the new note even after a loss of power. */
  public void writeDurably(String note) throws IOException {
    write(note);
    try (FileChannel directory =
        FileChannel.open(
            Objects.requireNonNull(file.toAbsolutePath().getParent()), StandardOpenOption.READ)) {
      directory.force(true);
    }
  }
}
