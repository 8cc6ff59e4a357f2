package gatebook.events.journal.crash;

import gatebook.events.journal.h2.InterruptSafeFileSystem;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.random.RandomGenerator;
import org.h2.store.fs.FilePath;
import org.jspecify.annotations.Nullable;

/**
 * A faulty disk below the files of one database: it fails or stalls on command, and knows what a
 * loss of power would leave of them.
 */
final class FaultyDisk implements AutoCloseable {
  /** The H2 file system with such disks, above the one that the gateway uses. */
  static final String FILE_SYSTEM = FaultyFileSystem.SCHEME + ":" + InterruptSafeFileSystem.SCHEME;

  private static final List<String> ENDINGS = List.of(".mv.db", ".ahead.db");
  private static final Map<String, OneFile> FILES = new ConcurrentHashMap<>();

  static {
    FilePath.register(new FaultyFileSystem());
  }

  /** A change of the file, which a force makes durable. */
  private sealed interface Change {
    void applyTo(FileChannel file) throws IOException;
  }

  private record Written(long position, ByteBuffer bytes) implements Change {
    @Override
    public void applyTo(FileChannel file) throws IOException {
      ByteBuffer rest = bytes.duplicate();
      while (rest.hasRemaining()) {
        file.write(rest, position + rest.position());
      }
    }
  }

  private record Truncated(long size) implements Change {
    @Override
    public void applyTo(FileChannel file) throws IOException {
      file.truncate(size);
    }
  }

  private final Map<String, OneFile> files = new LinkedHashMap<>();
  private int forces;
  private int forcesUntilFailure = Integer.MAX_VALUE;
  private int stalled;
  private boolean writesFail;
  private @Nullable CountDownLatch stall;

  private FaultyDisk(Path database) throws IOException {
    for (String ending : ENDINGS) {
      Path file = database.resolveSibling(database.getFileName() + ending);
      files.put(ending, new OneFile(file));
      FILES.put(file.toString(), files.get(ending));
    }
  }

  /**
   * @param database as in the settings of the journal, without the endings of its files
   */
  static FaultyDisk under(Path database) {
    try {
      return new FaultyDisk(database);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Empty for files beside the database, such as temporary ones. */
  static Optional<OneFile> of(String file) {
    return Optional.ofNullable(FILES.get(file));
  }

  synchronized int forces() {
    return forces;
  }

  void failForces() {
    failForcesAfter(0);
  }

  synchronized void failForcesAfter(int successes) {
    forcesUntilFailure = successes;
  }

  synchronized void failWrites() {
    writesFail = true;
  }

  synchronized void heal() {
    forcesUntilFailure = Integer.MAX_VALUE;
    writesFail = false;
  }

  /** Stalls all forces until the stall is closed, also those that will fail. */
  synchronized Stall stallForces() {
    CountDownLatch latch = new CountDownLatch(1);
    stall = latch;
    stalled = 0;
    return () -> {
      synchronized (this) {
        stall = null;
      }
      latch.countDown();
    };
  }

  /** Whether a force waits for the end of a stall. */
  synchronized boolean isStalling() {
    return stall != null && stalled > 0;
  }

  /** Closing it ends the stall. */
  interface Stall extends AutoCloseable {
    @Override
    void close();
  }

  /** One of the files, with its forced content. All files are on one disk: they fail together. */
  final class OneFile {
    private final Path file;
    private final Path forcedFile;
    private final FileChannel forced;
    private final ArrayDeque<Change> unforced = new ArrayDeque<>();

    OneFile(Path file) throws IOException {
      this.file = file;
      this.forcedFile = file.resolveSibling(file.getFileName() + ".forced");
      if (Files.exists(file)) {
        Files.copy(file, forcedFile);
      }
      this.forced =
          FileChannel.open(
              forcedFile,
              StandardOpenOption.CREATE,
              StandardOpenOption.READ,
              StandardOpenOption.WRITE);
    }

    /**
     * @param bytes a copy for this call, from the first to the limit
     */
    void written(long position, ByteBuffer bytes) {
      synchronized (FaultyDisk.this) {
        unforced.add(new Written(position, bytes));
      }
    }

    void truncated(long size) {
      synchronized (FaultyDisk.this) {
        unforced.add(new Truncated(size));
      }
    }

    void beforeWrite() throws IOException {
      synchronized (FaultyDisk.this) {
        if (writesFail) {
          throw new IOException("no space left on device");
        }
      }
    }

    /**
     * Forces the real file: what was written before the force began is durable when it has ended.
     */
    void force(FileChannel real, boolean metaData) throws IOException {
      int before;
      CountDownLatch waiting;
      synchronized (FaultyDisk.this) {
        before = unforced.size();
        waiting = stall;
        stalled += waiting == null ? 0 : 1;
      }
      if (waiting != null) {
        awaitUninterruptibly(waiting);
      }
      synchronized (FaultyDisk.this) {
        if (forcesUntilFailure-- <= 0) {
          throw new IOException("input/output error");
        }
        real.force(metaData);
        for (int i = 0; i < before; i++) {
          unforced.remove().applyTo(forced);
        }
        forces++;
      }
    }

    private void losePower(Path image, RandomGenerator random) throws IOException {
      Files.copy(forcedFile, image);
      int likelihood = random.nextInt(3);
      try (FileChannel channel = FileChannel.open(image, StandardOpenOption.WRITE)) {
        for (Change change : unforced) {
          if (random.nextInt(2) < likelihood) {
            torn(change, random).applyTo(channel);
          }
        }
      }
    }

    private void close() throws IOException {
      FILES.remove(file.toString());
      forced.close();
      Files.delete(forcedFile);
    }
  }

  private static void awaitUninterruptibly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * The files as a loss of power at this moment may leave them: everything that was forced, and of
   * the rest any part, in any order and in pieces.
   */
  synchronized void losePower(Path database, RandomGenerator random) {
    try {
      for (Map.Entry<String, OneFile> file : files.entrySet()) {
        Path image = database.resolveSibling(database.getFileName() + file.getKey());
        file.getValue().losePower(image, random);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Change torn(Change change, RandomGenerator random) {
    if (change instanceof Written(long position, ByteBuffer bytes) && random.nextInt(4) == 0) {
      return new Written(position, bytes.duplicate().limit(random.nextInt(bytes.limit())));
    }
    return change;
  }

  @Override
  public void close() {
    try {
      for (OneFile file : files.values()) {
        file.close();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
