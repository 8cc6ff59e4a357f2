package gatebook.events.journal.h2;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.ArrayList;
import java.util.List;
import org.h2.store.fs.FileBaseDefault;
import org.h2.store.fs.FilePath;
import org.h2.store.fs.FilePathWrapper;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class OrderedFileSystemTest {
  private static final List<String> OPERATIONS = new ArrayList<>();

  @BeforeAll
  static void register() {
    FilePath.register(new RecordingFileSystem());
    OrderedFileSystem.register();
  }

  @BeforeEach
  void forget() {
    OPERATIONS.clear();
  }

  @Test
  void aWriteWaitsUntilTheOneBeforeItIsForced() throws IOException {
    try (FileChannel file = open()) {
      file.write(ByteBuffer.allocate(1), 10);
      file.write(ByteBuffer.allocate(1), 20);
    }

    assertThat(OPERATIONS).containsExactly("write 10", "force", "write 20");
  }

  @Test
  void aWriteAfterAForceIsNotForcedTwice() throws IOException {
    try (FileChannel file = open()) {
      file.write(ByteBuffer.allocate(1), 10);
      file.force(true);
      file.write(ByteBuffer.allocate(1), 20);
    }

    assertThat(OPERATIONS).containsExactly("write 10", "force", "write 20");
  }

  @Test
  void aTruncationKeepsItsPlaceAmongTheWrites() throws IOException {
    try (FileChannel file = open()) {
      file.write(ByteBuffer.allocate(1), 10);
      file.truncate(5);
      file.write(ByteBuffer.allocate(1), 20);
    }

    assertThat(OPERATIONS).containsExactly("write 10", "force", "truncate 5", "force", "write 20");
  }

  private static FileChannel open() throws IOException {
    return FilePath.get(OrderedFileSystem.SCHEME + ":recording:memFS:order").open("rw");
  }

  /** Records what reaches the disk. */
  public static final class RecordingFileSystem extends FilePathWrapper {
    @Override
    public String getScheme() {
      return "recording";
    }

    @Override
    public FileChannel open(String mode) throws IOException {
      FileChannel base = super.open(mode);
      return new FileBaseDefault() {
        @Override
        public synchronized int write(ByteBuffer source, long position) throws IOException {
          OPERATIONS.add("write " + position);
          return base.write(source, position);
        }

        @Override
        public void force(boolean metaData) {
          OPERATIONS.add("force");
        }

        @Override
        public synchronized int read(ByteBuffer target, long position) throws IOException {
          return base.read(target, position);
        }

        @Override
        public long size() throws IOException {
          return base.size();
        }

        @Override
        protected void implTruncate(long size) throws IOException {
          OPERATIONS.add("truncate " + size);
          base.truncate(size);
        }

        @Override
        protected void implCloseChannel() throws IOException {
          base.close();
        }
      };
    }
  }
}
