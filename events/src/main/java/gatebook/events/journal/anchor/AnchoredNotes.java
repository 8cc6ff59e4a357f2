package gatebook.events.journal.anchor;

import static java.nio.charset.StandardCharsets.UTF_8;

import gatebook.events.journal.checkpoint.Checkpoint;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** The signed notes that anchors keep. */
public final class AnchoredNotes {
  private AnchoredNotes() {}

  /**
   * The newest note in a place that is the directory or the file of an anchor; the whole file where
   * it is none of an anchor.
   */
  public static byte[] newest(Path place) throws IOException {
    if (Files.isDirectory(place)) {
      return Files.readAllBytes(
          DirectoryAnchor.newestIn(place)
              .orElseThrow(() -> new NoSuchFileException(place.toString())));
    }
    var newest = FileAnchor.newestIn(place);
    return newest.isPresent() ? newest.get().getBytes(UTF_8) : Files.readAllBytes(place);
  }

  /** What a note says; its signatures are not checked. */
  public static Checkpoint checkpoint(String note) throws IOException {
    return Checkpoint.ofNote(note)
        .orElseThrow(() -> new IOException("what is there is no checkpoint"));
  }

  /** Writes a text to a file, which is created when it is missing, and forces it to disk. */
  static void write(Path file, String text, OpenOption how) throws IOException {
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE, how)) {
      ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(UTF_8));
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
      channel.force(true);
    }
  }

  /** Forces the names in a directory to disk. */
  static void force(Path directory) throws IOException {
    try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }
}
