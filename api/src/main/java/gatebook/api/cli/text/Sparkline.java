package gatebook.api.cli.text;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/** Draws a sequence of counts as a sparkline of blocks. */
public final class Sparkline {

  private static final String[] BLOCKS = {"·", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  private static final int HIGHEST = BLOCKS.length - 1;

  private Sparkline() {}

  /** The highest block is the largest count; a count above 0 is never drawn as 0. */
  public static String of(JsonNode counts) {
    long largest = 0;
    for (JsonNode count : counts) {
      largest = Math.max(largest, count.asLong());
    }
    double unit = (double) Math.max(1, largest) / HIGHEST;
    return StreamSupport.stream(counts.spliterator(), false)
        .map(count -> block(count.asLong(), unit))
        .collect(Collectors.joining());
  }

  private static String block(long count, double unit) {
    return BLOCKS[Math.clamp((long) Math.ceil(count / unit), 0, HIGHEST)];
  }
}
