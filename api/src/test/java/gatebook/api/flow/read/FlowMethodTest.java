package gatebook.api.flow.read;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The methods of the task-flow protocol, as the documents list them. */
final class FlowMethodTest {
  private static final Path PAGE =
      Path.of(Objects.requireNonNull(System.getProperty("gatebook.root")), "api", "FLOW.md");

  @Test
  void theDocumentedTableMatchesTheMethods() throws IOException {
    List<String> rows =
        Files.readAllLines(PAGE).stream()
            .dropWhile(line -> !line.equals("| method | what it does |"))
            .skip(2)
            .takeWhile(line -> !line.isEmpty())
            .toList();

    assertThat(rows)
        .isEqualTo(
            Stream.of(FlowMethod.values())
                .map(method -> "| `%s` | %s |".formatted(method.wireName(), method.description()))
                .toList());
  }
}
