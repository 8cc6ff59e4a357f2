package gatebook.api.log;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Recognises standard input and output under any of their names. */
enum StandardStream {
  INPUT("standard input", 0, Path.of("/dev/fd/0")),
  OUTPUT("standard output", 1, OriginalStdout.FILE);

  private static final Path DEV_NULL = Path.of("/dev/null");

  /** A chain of more links is none that the operating system follows. */
  private static final int LINKS_MAX = 40;

  private final String words;
  private final int descriptor;
  private final Path open;

  /** {@code open} is its name in this process. */
  StandardStream(String words, int descriptor, Path open) {
    this.words = words;
    this.descriptor = descriptor;
    this.open = open;
  }

  /** The stream to which writing to this file would write. */
  static Optional<StandardStream> of(Path file) {
    return Stream.of(values()).filter(stream -> stream.isNamed(file) || stream.is(file)).findAny();
  }

  String words() {
    return words;
  }

  private boolean isNamed(Path file) {
    return Stream.iterate(
            file.toAbsolutePath().normalize(), Objects::nonNull, StandardStream::target)
        .limit(LINKS_MAX)
        .anyMatch(names()::contains);
  }

  private List<Path> names() {
    return List.of(
        open,
        Path.of("/dev/fd/" + descriptor),
        Path.of("/proc/self/fd/" + descriptor),
        Path.of(this == INPUT ? "/dev/stdin" : "/dev/stdout"));
  }

  /** Where a link points; null when the file is none. */
  private static @Nullable Path target(Path file) {
    try {
      return file.resolveSibling(Files.readSymbolicLink(file)).normalize();
    } catch (IOException | UnsupportedOperationException _) {
      return null;
    }
  }

  private boolean is(Path file) {
    Object key = key(file);
    return key != null && !key.equals(key(DEV_NULL)) && key.equals(key(open));
  }

  /** The identity of a file; null when it does not exist. */
  private static @Nullable Object key(Path file) {
    try {
      return Files.readAttributes(file, BasicFileAttributes.class).fileKey();
    } catch (IOException | UnsupportedOperationException _) {
      return null;
    }
  }
}
