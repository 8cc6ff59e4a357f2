package gatebook.events;

import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Checks what a test requires of its machine. Where that is missing, the test does not run and is
 * listed at the end of the build; in CI it fails.
 */
public final class Requires {

  private Requires() {}

  /** A program on the path. */
  public static void program(String name) {
    boolean found =
        Pattern.compile(":")
            .splitAsStream(System.getenv("PATH"))
            .anyMatch(directory -> Files.isExecutable(Path.of(directory, name)));
    if (!found) {
      missing("there is no " + name);
    }
  }

  /** The packages of a lock file, installed by {@code npm}. */
  public static void packages(Path folder) {
    program("node");
    if (!Files.isDirectory(folder.resolve("node_modules"))) {
      missing("npm has not installed the packages of " + folder.getFileName());
    }
  }

  /**
   * The permission to mount file systems for one process.
   *
   * @param prefix the command that creates a mount namespace and runs another command in it
   */
  public static void mounts(List<String> prefix) {
    if (!succeeds(prefix)) {
      missing("this machine allows no mount in a namespace");
    }
  }

  private static boolean succeeds(List<String> prefix) {
    List<String> command = new ArrayList<>(prefix);
    command.add("true");
    try {
      return new ProcessBuilder(command).inheritIO().start().waitFor() == 0;
    } catch (IOException _) {
      return false;
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private static void missing(String what) {
    if ("true".equals(System.getenv("CI"))) {
      fail(what);
    }
    abort(what);
  }
}
