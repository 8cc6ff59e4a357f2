package gatebook.api.dialect;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The names of the methods of A2A, and the document that lists them. */
final class A2aMethodTest {
  private static final Path DOCUMENT =
      Path.of(Objects.requireNonNull(System.getProperty("gatebook.root")), "api", "A2A.md");

  @Test
  void documentListsTheMethodsOfBothVersions() throws IOException {
    List<String> rows =
        Files.readString(DOCUMENT)
            .lines()
            .dropWhile(line -> !line.equals("| 0.3 | 1.0 | what it does |"))
            .skip(2)
            .takeWhile(line -> line.startsWith("|"))
            .map(line -> line.substring(0, line.lastIndexOf(" | ")))
            .toList();

    assertThat(rows)
        .isEqualTo(
            Stream.of(A2aMethod.values())
                .map(method ->
                    "| %s | %s"
                        .formatted(cell(method, A2aVersion.V0_3), cell(method, A2aVersion.V1_0)))
                .toList());
  }

  private static String cell(A2aMethod method, A2aVersion version) {
    return method.wireName(version).map("`%s`"::formatted).orElse("");
  }

  @Test
  void nameHasOneMethodAndVersion() {
    for (A2aMethod method : A2aMethod.values()) {
      for (A2aVersion version : A2aVersion.values()) {
        method
            .wireName(version)
            .ifPresent(name ->
                assertThat(A2aMethod.of(name))
                    .contains(new A2aMethod.VersionedMethod(method, version)));
      }
    }
    assertThat(A2aMethod.of("tasks/list")).isEmpty();
  }

  @Test
  void statesHaveAWordInEachVersion() {
    assertThat(A2aTaskState.INPUT_REQUIRED.word(A2aVersion.V0_3)).contains("input-required");
    assertThat(A2aTaskState.INPUT_REQUIRED.word(A2aVersion.V1_0))
        .contains("TASK_STATE_INPUT_REQUIRED");
    assertThat(A2aTaskState.UNKNOWN.word(A2aVersion.V1_0)).isEmpty();
    assertThat(Stream.of(A2aTaskState.values()).filter(A2aTaskState::isTerminal))
        .containsExactly(
            A2aTaskState.COMPLETED,
            A2aTaskState.FAILED,
            A2aTaskState.CANCELED,
            A2aTaskState.REJECTED);
    assertThat(Stream.of(A2aTaskState.values()).filter(A2aTaskState::isInterrupted))
        .containsExactly(A2aTaskState.INPUT_REQUIRED, A2aTaskState.AUTH_REQUIRED);
  }
}
