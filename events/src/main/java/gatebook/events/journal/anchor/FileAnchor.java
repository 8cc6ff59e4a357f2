package gatebook.events.journal.anchor;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An anchor that is a file. Each checkpoint is written to its end, followed by an empty line, and
 * nothing before it is changed. A checkpoint that a crash cut off is closed by empty lines, and
 * read by nobody.
 */
public final class FileAnchor implements CheckpointAnchor {
  private static final String END = "\n\n";

  /** Of the end of the file; longer than the longest note. */
  private static final int READ_BYTES = 512 * 1024;

  private static final Pattern NOTE =
      Pattern.compile("(?:[^\n]+\n){3}\n(?:\u2014 [^\n]+\n)+(?=\n)");

  private final Path file;

  public FileAnchor(Path file) {
    this.file = file;
  }

  @Override
  public Optional<String> newest() throws IOException {
    return newestIn(file);
  }

  /** The last checkpoint in a file that is followed by an empty line. */
  static Optional<String> newestIn(Path file) throws IOException {
    if (Files.notExists(file)) {
      return Optional.empty();
    }
    Optional<String> newest = Optional.empty();
    Matcher notes = NOTE.matcher(end(file, READ_BYTES));
    while (notes.find()) {
      newest = Optional.of(notes.group());
    }
    return newest;
  }

  private static String end(Path file, int bytesMax) throws IOException {
    try (RandomAccessFile open = new RandomAccessFile(file.toFile(), "r")) {
      long start = Math.max(0, open.length() - bytesMax);
      byte[] end = new byte[(int) (open.length() - start)];
      open.seek(start);
      open.readFully(end);
      return new String(end, UTF_8);
    }
  }

  @Override
  public void add(String note) throws IOException {
    boolean isNew = Files.notExists(file);
    boolean isCutOff = !isNew && Files.size(file) > 0 && !end(file, END.length()).equals(END);
    AnchoredNotes.write(file, (isCutOff ? END : "") + note + "\n", StandardOpenOption.APPEND);
    if (isNew) {
      AnchoredNotes.force(Objects.requireNonNull(file.toAbsolutePath().getParent()));
    }
  }
}
