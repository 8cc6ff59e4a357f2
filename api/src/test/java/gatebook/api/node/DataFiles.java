package gatebook.api.node;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The files of a directory, and how long they are. */
record DataFiles(Path directory) {

  /** Those whose names end with one of these. A node may delete files meanwhile. */
  private List<Path> files(String... endings) {
    List<Path> found = new ArrayList<>();
    try {
      Files.walkFileTree(
          directory,
          new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
              if (Stream.of(endings).anyMatch(file.toString()::endsWith)) {
                found.add(file);
              }
              return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException why) {
              return FileVisitResult.CONTINUE;
            }
          });
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return found;
  }

  long count(String ending) {
    return files(ending).size();
  }

  /** How many sealed segments of a journal have no event after this position. */
  long sealedUpTo(long position) {
    List<Long> firsts =
        files(".index", ".segment").stream()
            .map(file -> file.getFileName().toString().replaceAll("\\D", ""))
            .map(Long::valueOf)
            .distinct()
            .sorted()
            .toList();
    return Math.max(0, firsts.stream().filter(first -> first <= position + 1).count() - 1);
  }

  double bytes(String... endings) {
    return files(endings).stream().mapToDouble(file -> file.toFile().length()).sum();
  }

  /** The bytes of the first files by their names. */
  double bytesOfFirst(long count, String ending) {
    return files(ending).stream()
        .sorted()
        .limit(count)
        .mapToDouble(file -> file.toFile().length())
        .sum();
  }

  /** Returns when each segment but the last one is compressed. */
  void awaitCompressed() throws InterruptedException {
    while (count(".segment") > 1) {
      Thread.sleep(50);
    }
  }
}
