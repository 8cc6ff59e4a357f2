package gatebook.events;

import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.abort;

import com.sun.security.auth.module.UnixSystem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Checks what a test requires of its machine. Where that is missing, the test does not run and is
 * listed at the end of the build; in CI it fails.
 */
public final class Requires {

  private static final List<List<String>> AS_NOBODY =
      List.of(
          List.of("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"),
          List.of("unshare", "--user"));

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

  /** The program {@code java} of a JDK of this version, where a system has its JDKs. */
  public static Path java(int version) {
    Path own = Path.of(System.getProperty("java.home"));
    try (Stream<Path> installed = Files.list(Path.of("/usr/lib/jvm"))) {
      Optional<Path> found =
          Stream.concat(Stream.of(own), installed).filter(it -> isOf(version, it)).findFirst();
      if (found.isEmpty()) {
        missing("there is no JDK %d in /usr/lib/jvm".formatted(version));
      }
      return found.orElseThrow().resolve("bin/java");
    } catch (IOException _) {
      missing("there is no /usr/lib/jvm");
      return own;
    }
  }

  private static boolean isOf(int version, Path home) {
    try {
      return Files.isExecutable(home.resolve("bin/javac"))
          && Files.readString(home.resolve("release"))
              .contains("JAVA_VERSION=\"%d".formatted(version));
    } catch (IOException _) {
      return false;
    }
  }

  /** The packages of a lock file, installed by {@code npm}. */
  public static void packages(Path folder) {
    program("node");
    if (!Files.isDirectory(folder.resolve("node_modules"))) {
      missing("npm has not installed the packages of " + folder.getFileName());
    }
  }

  /** What the build collects for tests in a folder, such as the jars of a server. */
  public static void folder(Path folder) {
    if (!Files.isDirectory(folder)) {
      missing("the build has not made " + folder);
    }
  }

  /**
   * A file system of its own for one process.
   *
   * @param directory where it is mounted
   * @param size as {@code mount} knows it
   * @return what to put before the command of the process
   */
  public static List<String> disk(Path directory, String size) {
    List<String> mount =
        List.of(
            "sh",
            "-c",
            "mount -t tmpfs -o size=%s,mode=700 tmpfs \"$0\" && exec \"$@\"".formatted(size),
            directory.toString());
    return firstThatRuns(
        "true",
        List.of(
            join(List.of("unshare", "--mount"), mount),
            join(List.of("unshare", "--map-root-user", "--mount"), mount)),
        "this machine allows no mount in a namespace");
  }

  /**
   * A directory as the root of all files of one process.
   *
   * @param program in that directory; it ends with 0
   * @return what to put before the command of the process
   */
  public static List<String> root(Path directory, String program) {
    return firstThatRuns(
        program,
        List.of(
            List.of("unshare", "--root", directory.toString()),
            List.of("unshare", "--map-root-user", "--root", directory.toString())),
        "this machine allows no root directory in a namespace");
  }

  /**
   * A user who is not root and has a name, for servers that refuse the others.
   *
   * @return what to put before a command: nothing, unless this process is root's
   */
  public static List<String> namedUserOtherThanRoot() {
    boolean isRoot = new UnixSystem().getUid() == 0;
    return firstThatRuns(
        "whoami", // which fails without a name
        isRoot ? AS_NOBODY : List.of(List.of()),
        "no process can run as a user who is not root and has a name");
  }

  private static List<String> join(List<String> first, List<String> second) {
    return Stream.concat(first.stream(), second.stream()).toList();
  }

  private static List<String> firstThatRuns(
      String program, List<List<String>> prefixes, String otherwise) {
    Optional<List<String>> found =
        prefixes.stream().filter(prefix -> succeeds(join(prefix, List.of(program)))).findFirst();
    if (found.isEmpty()) {
      missing(otherwise);
    }
    return found.orElseThrow();
  }

  private static boolean succeeds(List<String> command) {
    try {
      return new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start()
              .waitFor()
          == 0;
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
