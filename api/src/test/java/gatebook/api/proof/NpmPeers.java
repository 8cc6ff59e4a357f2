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
 * Peers from npm: clients and servers of the Model Context Protocol by other authors. Their lock
 * file lists them and their versions. The build installs them before the tests.
 */
public final class NpmPeers {
  private static final Path FOLDER =
      Path.of(System.getProperty("gatebook.root"), "api/src/test/peers/mcp");

  private NpmPeers() {}

  /** The command that runs a script, from a package or from this repository. */
  public static List<String> node(String script, String... arguments) {
    return Stream.concat(Stream.of(program(), file(script)), Stream.of(arguments)).toList();
  }

  /** Node.js at the version of the lock file. */
  public static String program() {
    Requires.packages(FOLDER);
    return file("node_modules/node/bin/node");
  }

  private static String file(String name) {
    return FOLDER.resolve(name).toString();
  }

  /** Runs a command, and fails unless it exits with 0 in time. */
  static void runSuccessfully(ProcessBuilder command, Duration timeout, Path log)
      throws IOException {
    if (run(command, timeout) != 0) {
      throw new AssertionError(
          "%s failed in %s: %s"
              .formatted(command.command(), command.directory(), Files.readString(log, UTF_8)));
    }
  }

  /** Runs a command and returns its exit code, or -1 when it does not exit in time. */
  static int run(ProcessBuilder command, Duration timeout) throws IOException {
    Process process = command.start();
    try {
      return process.waitFor(timeout.toMillis(), MILLISECONDS) ? process.exitValue() : -1;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return -1;
    } finally {
      process.destroyForcibly();
    }
  }
}
