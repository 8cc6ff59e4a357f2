package gatebook.events;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.TestExecutionResult.Status;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;

/** Writes each test that did not run, and why, to a file that the build prints at its end. */
public final class SkippedTests implements TestExecutionListener {

  private static final Path FOLDER =
      Path.of(System.getProperty("gatebook.root", "."), "target/skipped-tests");

  @Override
  public void executionSkipped(TestIdentifier test, String reason) {
    add(test, reason);
  }

  @Override
  public void executionFinished(TestIdentifier test, TestExecutionResult result) {
    if (result.getStatus() == Status.ABORTED) {
      add(test, result.getThrowable().map(Throwable::getMessage).orElse("aborted"));
    }
  }

  private static void add(TestIdentifier test, String reason) {
    String line = "  %s: %s%n".formatted(name(test), reason.lines().findFirst().orElse(""));
    try {
      Files.createDirectories(FOLDER);
      Files.writeString(
          FOLDER.resolve(ProcessHandle.current().pid() + ".txt"),
          line,
          StandardOpenOption.CREATE,
          StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String name(TestIdentifier test) {
    return test.getSource()
        .filter(MethodSource.class::isInstance)
        .map(MethodSource.class::cast)
        .map(method -> method.getJavaClass().getSimpleName() + "." + method.getMethodName())
        .orElseGet(test::getDisplayName);
  }
}
