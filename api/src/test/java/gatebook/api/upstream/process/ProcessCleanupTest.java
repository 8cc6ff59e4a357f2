package gatebook.api.upstream.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import gatebook.api.upstream.process.ChildProcess.Exit;
import gatebook.events.Proof;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** Ended processes leave no threads, open files or zombies in this process. */
@Isolated("counts the open files and the children of this process")
class ProcessCleanupTest {

  private static final int RESTARTS = Proof.rounds(100, 10_000);

  private final ProcessFixture processFixture = new ProcessFixture();

  @AfterEach
  void close() {
    processFixture.close();
  }

  @Test
  void manyEndedProcessesLeaveNothingBehind() throws IOException {
    endAll(10); // excludes what is loaded only once
    long files = openFiles();

    endAll(RESTARTS);

    await().until(() -> processFixture.threads() == 0);
    await().until(() -> openFiles() <= files + 3);
    assertThat(ProcessHandle.current().children().filter(it -> it.info().command().isEmpty()))
        .isEmpty();
  }

  private void endAll(int count) {
    for (int i = 0; i < count; i++) {
      assertThat(processFixture.shell("echo x; echo y >&2; exit 3").ended().join())
          .isEqualTo(new Exit.Ended(3));
    }
  }

  private static long openFiles() throws IOException {
    try (Stream<Path> files = Files.list(Path.of("/proc/self/fd"))) {
      return files.count();
    }
  }
}
