package gatebook.events.journal.crash;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The command line of a Java process that a test kills. */
final class JavaProcess {
  private JavaProcess() {}

  /**
   * A process that runs the main method of a class of the tests.
   *
   * @param prefix a command that runs the rest of its command line
   */
  static ProcessBuilder of(List<String> prefix, Class<?> main, List<String> words) {
    List<String> command = new ArrayList<>(prefix);
    command.addAll(
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx512m",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-Dgatebook.proof=" + System.getProperty("gatebook.proof"),
            "-cp",
            System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
            main.getName()));
    command.addAll(words);
    return new ProcessBuilder(command);
  }
}
