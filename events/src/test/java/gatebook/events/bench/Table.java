package gatebook.events.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A table of plain text that is also valid Markdown. */
public final class Table {
  private final List<List<String>> rows = new ArrayList<>();

  public Table(String... heads) {
    rows.add(List.of(heads));
  }

  public void add(String... cells) {
    rows.add(List.of(cells));
  }

  @Override
  public String toString() {
    int[] widths =
        IntStream.range(0, rows.getFirst().size())
            .map(column -> rows.stream().mapToInt(row -> row.get(column).length()).max().orElse(0))
            .toArray();
    List<String> lines = new ArrayList<>(rows.stream().map(row -> line(row, widths)).toList());
    lines.add(
        1,
        IntStream.of(widths).mapToObj("-"::repeat).collect(Collectors.joining(" | ", "| ", " |")));
    return String.join("\n", lines);
  }

  private static String line(List<String> row, int[] widths) {
    return IntStream.range(0, widths.length)
        .mapToObj(i -> row.get(i) + " ".repeat(widths[i] - row.get(i).length()))
        .collect(Collectors.joining(" | ", "| ", " |"));
  }
}
