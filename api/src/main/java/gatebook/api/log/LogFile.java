package gatebook.api.log;

import java.io.File;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.FileLockInterruptionException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A file of lines, for its owner's eyes only. When a line has no room in it, it is moved aside as
 * {@code .1}, that one as {@code .2}, and so on; the oldest is deleted. Several processes may write
 * to one file: each finds out when another has moved it.
 *
 * <p>What cannot be written any longer goes to standard error. Whoever writes may be interrupted,
 * and still writes.
 */
final class LogFile extends OutputStream {

  private static final Logger LOG = LoggerFactory.getLogger(LogFile.class);

  private static final Set<PosixFilePermission> OWNER_ONLY =
      PosixFilePermissions.fromString("rw-------");

  /** How long the reader of a pipe may take to come. */
  private static final long READER_MILLIS_MAX = 1_000;

  private final LogSink.Where where;

  /** No channel: an interrupt would close it. */
  private FileOutputStream out;

  private State opened;
  private boolean isLost;

  /**
   * What a name stands for.
   *
   * @param key tells a file from another of its name; null for what is no regular file
   */
  private record State(@Nullable Object key, long sizeBytes) {}

  /** Makes the file where there is none; empty for a pipe that nobody reads. */
  static Optional<LogFile> open(LogSink.Where where) throws IOException {
    Optional<FileOutputStream> out =
        Files.exists(where.file()) && !Files.isRegularFile(where.file())
            ? read(where.file())
            : Optional.of(stream(where.file()));
    return out.isPresent() ? Optional.of(new LogFile(where, out.get())) : Optional.empty();
  }

  private LogFile(LogSink.Where where, FileOutputStream out) throws IOException {
    this.where = where;
    this.out = out;
    this.opened = state();
  }

  /** Opening a pipe waits until somebody reads it, so that another thread has to. */
  private static Optional<FileOutputStream> read(Path file) throws IOException {
    FutureTask<FileOutputStream> opening =
        new FutureTask<>(() -> new FileOutputStream(file.toString(), true));
    Thread.ofPlatform().daemon().name("log-pipe").start(opening);
    try {
      return Optional.of(opening.get(READER_MILLIS_MAX, TimeUnit.MILLISECONDS));
    } catch (TimeoutException _) {
      return Optional.empty();
    } catch (ExecutionException e) {
      throw new IOException("cannot be opened", e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    }
  }

  private static FileOutputStream stream(Path file) throws IOException {
    FileChannel.open(
            file,
            Set.of(StandardOpenOption.CREATE, StandardOpenOption.APPEND),
            PosixFilePermissions.asFileAttribute(OWNER_ONLY))
        .close();
    if (Files.isRegularFile(file)) {
      Files.setPosixFilePermissions(file, OWNER_ONLY);
    }
    return new FileOutputStream(new File(file.toString()), true);
  }

  @Override
  public void write(int b) throws IOException {
    write(new byte[] {(byte) b}, 0, 1);
  }

  /** Takes a whole line. */
  @Override
  public void write(byte[] bytes, int from, int length) throws IOException {
    try {
      if (!isLost) {
        makeRoom(length);
        out.write(bytes, from, length);
        return;
      }
    } catch (IOException e) {
      lost(e);
    }
    System.err.write(bytes, from, length);
  }

  private void lost(IOException why) {
    isLost = true;
    LOG.atWarn()
        .addKeyValue("file", where.file())
        .setCause(why)
        .log("cannot write the log file any longer, so lines go to stderr: see to its disk");
  }

  private void makeRoom(int length) throws IOException {
    if (opened.key == null) {
      return;
    }
    State now = state();
    if (!opened.key.equals(now.key)) {
      reopen();
      now = opened;
    }
    if (!hasRoom(now, length)) {
      moveAside(length);
    }
  }

  /** A line that is longer than any file may be has one of its own. */
  private boolean hasRoom(State file, int length) {
    return file.sizeBytes == 0 || file.sizeBytes + length <= where.bytesMax();
  }

  /** Only one process at a time does it, and whoever comes second finds it done. */
  private void moveAside(int length) throws IOException {
    try (FileChannel channel = FileChannel.open(where.file(), StandardOpenOption.WRITE);
        FileLock _ = channel.lock()) {
      State now = state();
      if (Objects.equals(opened.key, now.key) && !hasRoom(now, length)) {
        for (int age = where.filesMax() - 1; age > 0; age--) {
          move(aged(age - 1), aged(age));
        }
        Files.deleteIfExists(where.file());
      }
    } catch (ClosedByInterruptException | FileLockInterruptionException _) {
      return; // the process ends, and its last lines may be too many
    }
    reopen();
  }

  private static void move(Path from, Path to) throws IOException {
    try {
      Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
    } catch (NoSuchFileException _) {
      // there are not yet so many
    }
  }

  private Path aged(int age) {
    Path file = where.file();
    return age == 0 ? file : file.resolveSibling(file.getFileName() + "." + age);
  }

  private void reopen() throws IOException {
    out.close();
    out = stream(where.file());
    opened = state();
  }

  private State state() throws IOException {
    try {
      BasicFileAttributes file = Files.readAttributes(where.file(), BasicFileAttributes.class);
      return new State(file.isRegularFile() ? file.fileKey() : null, file.size());
    } catch (NoSuchFileException _) {
      return new State(null, 0);
    }
  }

  @Override
  public void close() throws IOException {
    out.close();
  }
}
