package gatebook.api.cli.text;

import com.fasterxml.jackson.databind.JsonNode;
import gatebook.api.log.VisibleText;
import java.lang.Character.UnicodeScript;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BinaryOperator;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Formats texts and table cells for a terminal. */
public final class TextCells {

  private static final String NOTHING = "-";
  private static final String MILLIS = "Millis";

  /** A longer cell shifts what follows it in its own row, and no other row. */
  private static final int CELL_WIDTH_MAX = 64;

  private static final Pattern COLOUR = Pattern.compile("\u001b\\[\\d+m");
  private static final Pattern FRACTION = Pattern.compile("\\.\\d+Z$");

  private TextCells() {}

  /** The text of a value on one line: names that callers chose must not control a terminal. */
  public static String of(@Nullable JsonNode value) {
    return value == null ? "" : of(value.isValueNode() ? value.asText("") : value.toString());
  }

  /** The text of a member; empty when there is none. */
  public static String of(JsonNode object, String member) {
    return of(object.path(member));
  }

  /** The text on one line. */
  public static String of(String text) {
    return VisibleText.of(text);
  }

  /** A time to the second. */
  public static String toSecond(JsonNode time) {
    return FRACTION.matcher(of(time)).replaceFirst("Z");
  }

  /** A table: the column names, then a row for each object; times are cut to the second. */
  public static List<String> table(List<String> columns, JsonNode objects) {
    return table(columns, objects, (_, text) -> text);
  }

  /**
   * The same in colours.
   *
   * @param paint adds a colour to the text of a column
   */
  public static List<String> table(
      List<String> columns, JsonNode objects, BinaryOperator<String> paint) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(columns.stream().map(TextCells::heading).toList());
    objects.forEach(object ->
        rows.add(columns.stream().map(it -> paint.apply(it, cell(it, object.path(it)))).toList()));
    return aligned(rows);
  }

  private static String cell(String column, JsonNode value) {
    String text =
        isTime(column)
            ? toSecond(value)
            : column.endsWith(MILLIS) ? Durations.ofMillis(value) : of(value);
    return text.isEmpty() ? NOTHING : text;
  }

  /** The word for a member at the head of its column. */
  private static String heading(String column) {
    return switch (column) {
      case "target" -> "tool";
      case String millis when millis.endsWith(MILLIS) ->
          millis.substring(0, millis.length() - MILLIS.length());
      default -> column;
    };
  }

  private static boolean isTime(String column) {
    return column.endsWith("At") || column.equals("at") || column.equals("deadline");
  }

  /** One line for each row with aligned cells; the last cell of a row may have any width. */
  public static List<String> aligned(List<List<String>> rows) {
    return rows.stream().map(row -> line(row, rows)).toList();
  }

  private static String line(List<String> row, List<List<String>> all) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < row.size(); i++) {
      line.append(row.get(i));
      if (i < row.size() - 1) {
        line.repeat(' ', Math.max(width(all, i) - width(row.get(i)), 0) + 2);
      }
    }
    return line.toString().stripTrailing();
  }

  private static int width(List<List<String>> all, int column) {
    return all.stream()
        .filter(row -> row.size() > column + 1)
        .mapToInt(row -> width(row.get(column)))
        .filter(width -> width <= CELL_WIDTH_MAX)
        .max()
        .orElse(0);
  }

  /** The columns that a text takes on a terminal, where colour codes take none. */
  private static int width(String text) {
    return COLOUR.matcher(text).replaceAll("").codePoints().map(TextCells::width).sum();
  }

  private static int width(int point) {
    return switch (Character.getType(point)) {
      case Character.NON_SPACING_MARK, Character.ENCLOSING_MARK -> 0;
      default -> isWide(point) ? 2 : 1;
    };
  }

  private static boolean isWide(int point) {
    return switch (UnicodeScript.of(point)) {
      case HAN, HANGUL, HIRAGANA, KATAKANA -> true;
      default -> Character.isEmojiPresentation(point);
    };
  }
}
