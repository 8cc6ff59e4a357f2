package gatebook.api.node.disk;

import java.io.File;
import java.nio.file.Path;
import java.util.Optional;

/** The space of a disk. */
@FunctionalInterface
public interface DiskSpace {

  /** Empty where it cannot be read. */
  Optional<Usage> usage();

  /**
   * How many bytes are used, and how many this process can still write; what only the system may
   * write is neither.
   */
  record Usage(long usedBytes, long freeBytes) {
    long totalBytes() {
      return usedBytes + freeBytes;
    }

    double usedRatio() {
      return (double) usedBytes / totalBytes();
    }
  }

  /** The file system that has this directory. */
  static DiskSpace of(Path directory) {
    File file = directory.toFile();
    return () -> {
      long totalBytes = file.getTotalSpace(); // 0 where it is unknown
      return totalBytes == 0
          ? Optional.empty()
          : Optional.of(new Usage(totalBytes - file.getFreeSpace(), file.getUsableSpace()));
    };
  }
}
