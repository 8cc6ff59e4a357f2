package gatebook.events.keys.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;

/** A disk on which the process is killed at a step: that one is half done, and no later one is. */
final class StoppingDisk extends KeyDisk {
  private int stepsLeft = Integer.MAX_VALUE;
  private int forces;
  private boolean forcesFail;

  /** Ends the process. */
  static final class Killed extends Error {
    private static final long serialVersionUID = 1L;
  }

  StoppingDisk stoppingAfter(int steps) {
    stepsLeft = steps;
    return this;
  }

  void failForces(boolean fail) {
    forcesFail = fail;
  }

  int forces() {
    return forces;
  }

  private boolean isLast() {
    if (stepsLeft < 0) {
      throw new Killed();
    }
    return stepsLeft-- == 0;
  }

  private void step() {
    if (isLast()) {
      throw new Killed();
    }
  }

  @Override
  FileChannel create(Path file) throws IOException {
    FileChannel created = super.create(file);
    step();
    return created;
  }

  @Override
  void append(FileChannel file, ByteBuffer source) throws IOException {
    if (isLast()) {
      super.append(file, source.limit(source.position() + source.remaining() / 2));
      throw new Killed();
    }
    super.append(file, source);
  }

  @Override
  void truncate(FileChannel file, long size) throws IOException {
    step();
    super.truncate(file, size);
  }

  @Override
  void force(FileChannel file) throws IOException {
    step();
    if (forcesFail) {
      throw new IOException("input/output error");
    }
    super.force(file);
    forces++;
  }

  @Override
  void move(Path from, Path to) throws IOException {
    step();
    super.move(from, to);
  }

  @Override
  void overwrite(Path file) throws IOException {
    if (isLast()) {
      try (FileChannel channel = open(file)) {
        channel.write(ByteBuffer.allocate((int) channel.size() / 2), 0);
      }
      throw new Killed();
    }
    super.overwrite(file);
  }

  @Override
  void delete(Path file) throws IOException {
    step();
    super.delete(file);
  }

  @Override
  void forceDirectory(Path entry) throws IOException {
    step();
    super.forceDirectory(entry);
  }
}
