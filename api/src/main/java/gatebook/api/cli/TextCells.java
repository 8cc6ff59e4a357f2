package gatebook.api.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BinaryOperator;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Texts on a terminal. */
public final class TextCells {

  private static final String NOTHING = "-";
  private static final Pattern COLOUR = Pattern.compile("\u001b\\[\\d+m");
  private static final Pattern FRACTION = Pattern.compile("\\.\\d+Z$");

  private TextCells() {}

  /** What a caller chose as a name must not steer a terminal. */
  public static String of(@Nullable JsonNode value) {
    return value == null ? "" : of(value.isValueNode() ? value.asText("") : value.toString());
  }

  /** The text of a member; empty when there is none. */
  public static String of(JsonNode object, String member) {
    return of(object.path(member));
  }

  /** The text without what would steer a terminal. */
  public static String of(String text) {
    return text.replaceAll("\\p{Cntrl}", "?");
  }

  /** A time to the second. */
  public static String second(JsonNode time) {
    return FRACTION.matcher(of(time)).replaceFirst("Z");
  }

  /** The names of the columns above a row for each object; times end at the second. */
  public static List<String> table(List<String> columns, JsonNode objects) {
    return table(columns, objects, (_, text) -> text);
  }

  /**
   * The same, in colours.
   *
   * @param paint gives a column's text its colour
   */
  public static List<String> table(
      List<String> columns, JsonNode objects, BinaryOperator<String> paint) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(columns);
    objects.forEach(object ->
        rows.add(columns.stream().map(it -> paint.apply(it, cell(it, object.path(it)))).toList()));
    return aligned(rows);
  }

  private static String cell(String column, JsonNode value) {
    String text = isTime(column) ? second(value) : of(value);
    return text.isEmpty() ? NOTHING : text;
  }

  private static boolean isTime(String column) {
    return column.endsWith("At") || column.equals("at") || column.equals("deadline");
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
        line.repeat(' ', width(all, i) - width(row.get(i)) + 2);
      }
    }
    return line.toString().stripTrailing();
  }

  private static int width(List<List<String>> all, int column) {
    return all.stream()
        .filter(row -> row.size() > column + 1)
        .mapToInt(row -> width(row.get(column)))
        .max()
        .orElse(0);
  }

  /** Colours take no room. */
  private static int width(String text) {
    return COLOUR.matcher(text).replaceAll("").length();
  }
}
