package gatebook.events.journal.crash;

import gatebook.events.journal.segment.SegmentDisk;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A faulty disk below the segments of one journal: it fails or stalls on command, and knows what a
 * loss of power would leave of them.
 */
final class FaultyDisk implements SegmentDisk, AutoCloseable {
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

  private final Path journal;

  /** By what follows the path of the journal in their paths. */
  private final Map<String, OneFile> files = new LinkedHashMap<>();

  private int forces;
  private int forcesUntilFailure = Integer.MAX_VALUE;
  private int stalled;
  private boolean writesFail;
  private @Nullable CountDownLatch stall;

  /**
   * @param journal the directory of the segments
   */
  FaultyDisk(Path journal) {
    this.journal = journal;
  }

  private synchronized OneFile file(Path path) throws IOException {
    String key = path.toString().substring(journal.toString().length());
    OneFile file = files.get(key);
    if (file == null) {
      file = new OneFile(path);
      files.put(key, file);
    }
    return file;
  }

  @Override
  public WrittenFile open(Path path) throws IOException {
    OneFile onDisk = file(path);
    return new WrittenSegment(SegmentDisk.LOCAL.open(path), onDisk);
  }

  /** A segment on this disk. */
  private record WrittenSegment(WrittenFile real, OneFile disk) implements WrittenFile {
    @Override
    public void write(ByteBuffer source, long position) throws IOException {
      disk.beforeWrite();
      byte[] bytes = new byte[source.remaining()];
      source.duplicate().get(bytes);
      real.write(source, position);
      disk.written(position, ByteBuffer.wrap(bytes));
    }

    @Override
    public void truncate(long size) throws IOException {
      real.truncate(size);
      disk.truncated(size);
    }

    @Override
    public long size() throws IOException {
      return real.size();
    }

    @Override
    public void force() throws IOException {
      disk.force(real::force);
    }

    @Override
    public void close() throws IOException {
      real.close();
    }
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

  /** Forces the real file. */
  @FunctionalInterface
  interface RealForce {
    void force() throws IOException;
  }

  /** One of the files, with its forced content. All files are on one disk: they fail together. */
  final class OneFile {
    private final Path forcedFile;
    private final FileChannel forced;
    private final ArrayDeque<Change> unforced = new ArrayDeque<>();

    OneFile(Path file) throws IOException {
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
    void force(RealForce real) throws IOException {
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
        real.force();
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
  synchronized void losePower(Path target, RandomGenerator random) {
    try {
      Files.createDirectory(target);
      copyOthers(target, random);
      for (Map.Entry<String, OneFile> file : files.entrySet()) {
        file.getValue().losePower(Path.of(target + file.getKey()), random);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Segments that nobody writes any longer, whole; and parts of their indexes, never forced. */
  private void copyOthers(Path target, RandomGenerator random) throws IOException {
    try (DirectoryStream<Path> all = Files.newDirectoryStream(journal, "*.{segment,index}")) {
      for (Path file : all) {
        String name = file.getFileName().toString();
        if (name.endsWith(".index")) {
          byte[] bytes = Files.readAllBytes(file);
          int kept = random.nextBoolean() ? bytes.length : random.nextInt(bytes.length + 1);
          Files.write(target.resolve(name), Arrays.copyOf(bytes, kept));
        } else if (!files.containsKey("/" + name)) {
          Files.createLink(target.resolve(name), file); // a copy of each would take minutes
        }
      }
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
