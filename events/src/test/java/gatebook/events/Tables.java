package gatebook.events;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Tables in documents, compared with the code; {@code -Dtables=write} writes them anew. */
public final class Tables {

  private static final Path ROOT =
      Path.of(requireNonNull(System.getProperty("gatebook.root"), "the build sets it"));

  private Tables() {}

  /** Expects a document that is made as a whole. */
  public static void expect(String path, String text) throws IOException {
    Path file = ROOT.resolve(path);
    if ("write".equals(System.getProperty("tables"))) {
      Files.writeString(file, text);
    }
    assertThat(Files.readString(file)).isEqualTo(text);
  }

  /** Expects a table at the end of a document, where its first line is the only one of its kind. */
  public static void expectLast(String path, String table) throws IOException {
    String document = Files.readString(ROOT.resolve(path));
    int start = document.indexOf(table.substring(0, table.indexOf('\n') + 1));
    assertThat(start).as("the table's first line in " + path).isNotNegative();
    expect(path, document.substring(0, start) + table);
  }
}
