package gatebook.api.proof;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.MILLISECONDS;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/**
 * Clients and servers of the Model Context Protocol that others wrote, as npm has them: which ones,
 * and of which versions, is in their lock file. They are installed when they are not there or the
 * lock file is newer.
 */
final class Peers {
  private static final Path FOLDER =
      Path.of(System.getProperty("gatebook.root"), "api/src/test/peers/mcp");
  private static final Path INSTALLED = FOLDER.resolve("node_modules/.package-lock.json");
  private static final Duration INSTALLING = Duration.ofMinutes(5);

  private Peers() {}

  /** The command that runs a script of theirs or of ours. */
  static synchronized List<String> node(String script, String... arguments) {
    if (!isUpToDate()) {
      install();
    }
    return Stream.concat(
            Stream.of(file("node_modules/node/bin/node"), file(script)), Stream.of(arguments))
        .toList();
  }

  private static String file(String name) {
    return FOLDER.resolve(name).toString();
  }

  private static boolean isUpToDate() {
    try {
      return Files.exists(INSTALLED)
          && Files.getLastModifiedTime(INSTALLED)
                  .compareTo(Files.getLastModifiedTime(FOLDER.resolve("package-lock.json")))
              >= 0;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void install() {
    try {
      Path log = Files.createTempFile("npm", ".log");
      ended(
          new ProcessBuilder("npm", "ci")
              .directory(FOLDER.toFile())
              .redirectErrorStream(true)
              .redirectOutput(log.toFile()),
          INSTALLING,
          log);
      Files.delete(log);
    } catch (IOException e) {
      throw new AssertionError(
          "npm is missing: install Debian's packages nodejs and npm, or Node.js from its releases",
          e);
    }
  }

  /** Returns when a command has ended well. */
  static void ended(ProcessBuilder command, Duration patience, Path log) throws IOException {
    if (exitValue(command, patience) != 0) {
      throw new AssertionError(
          "%s failed in %s: %s"
              .formatted(command.command(), command.directory(), Files.readString(log, UTF_8)));
    }
  }

  /** Returns what a command ended with, or an impossible number when it did not end in time. */
  static int exitValue(ProcessBuilder command, Duration patience) throws IOException {
    Process process = command.start();
    try {
      return process.waitFor(patience.toMillis(), MILLISECONDS) ? process.exitValue() : -1;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return -1;
    } finally {
      process.destroyForcibly();
    }
  }
}
