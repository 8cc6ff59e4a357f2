package gatebook.api.ask;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Texts on a terminal. */
public final class Cells {

  private Cells() {}

  /** What a caller chose as a name must not steer a terminal. */
  public static String of(@Nullable JsonNode value) {
    return value == null ? "" : of(value.isValueNode() ? value.asText("") : value.toString());
  }

  /** The text without what would steer a terminal. */
  public static String of(String text) {
    return text.replaceAll("\\p{Cntrl}", "?");
  }

  /**
   * A line for each row, its cells under each other; the last cell of a row may be of any width.
   */
  public static List<String> aligned(List<List<String>> rows) {
    return rows.stream().map(row -> line(row, rows)).toList();
  }

  private static String line(List<String> row, List<List<String>> all) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < row.size(); i++) {
      line.append(row.get(i));
      if (i < row.size() - 1) {
        line.repeat(' ', width(all, i) - row.get(i).length() + 2);
      }
    }
    return line.toString().stripTrailing();
  }

  private static int width(List<List<String>> all, int column) {
    return all.stream()
        .filter(row -> row.size() > column + 1)
        .mapToInt(row -> row.get(column).length())
        .max()
        .orElse(0);
  }
}
