package gatebook.api.proof;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.MILLISECONDS;

import gatebook.events.Requires;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/**
 * Clients and servers of the Model Context Protocol that others wrote, as npm has them: which ones,
 * and of which versions, is in their lock file. The build installs them before its tests.
 */
final class Peers {
  private static final Path FOLDER =
      Path.of(System.getProperty("gatebook.root"), "api/src/test/peers/mcp");

  private Peers() {}

  /** The command that runs a script of theirs or of ours. */
  static List<String> node(String script, String... arguments) {
    Requires.packages(FOLDER);
    return Stream.concat(
            Stream.of(file("node_modules/node/bin/node"), file(script)), Stream.of(arguments))
        .toList();
  }

  private static String file(String name) {
    return FOLDER.resolve(name).toString();
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
