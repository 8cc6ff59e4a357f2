package gatebook.api.cli.replay;

import com.fasterxml.jackson.databind.JsonNode;
import gatebook.api.cli.text.TextCells;
import java.time.Duration;
import java.util.Locale;

/** Formats the progress of a rebuild as a bar in one line. */
final class ProgressBar {

  private static final int WIDTH = 24;
  private static final int WHOLE = 100;

  private ProgressBar() {}

  static String of(String projection, JsonNode replay) {
    int percent = percent(replay);
    int full = WIDTH * percent / WHOLE;
    return "%s [%s%s] %3d %%  %s%s%s"
        .formatted(
            TextCells.of(projection),
            "█".repeat(full),
            "░".repeat(WIDTH - full),
            percent,
            counted(replay),
            left(replay),
            failing(replay));
  }

  /** For a table cell; empty when there is no rebuild. */
  static String brief(JsonNode replay) {
    return replay.isObject() ? percent(replay) + " %" + left(replay) + failing(replay) : "";
  }

  private static String counted(JsonNode replay) {
    return String.format(
        Locale.ROOT,
        "%,d of %,d%s",
        replay.path("position").asLong(),
        replay.path("target").asLong(),
        rate(replay));
  }

  /** Empty before the first events, when it is unknown. */
  private static String rate(JsonNode replay) {
    long perSecond = Math.round(replay.path("eventsPerSecond").asDouble());
    return perSecond > 0 ? String.format(Locale.ROOT, ", %,d events/s", perSecond) : "";
  }

  /** The percentage from the position where the rebuild started. */
  private static int percent(JsonNode replay) {
    long from = replay.path("from").asLong();
    long way = replay.path("target").asLong() - from;
    long gone = replay.path("position").asLong() - from;
    return way <= 0 ? WHOLE : Math.clamp(WHOLE * gone / way, 0, WHOLE);
  }

  /** The time left; empty while there is no rate. */
  private static String left(JsonNode replay) {
    JsonNode seconds = replay.path("secondsLeft");
    return seconds.isNumber()
        ? ", " + durationText(Duration.ofSeconds(seconds.asLong())) + " left"
        : "";
  }

  /** The failure of a rebuild, which is retried until it is cancelled. */
  private static String failing(JsonNode replay) {
    JsonNode failure = replay.path("failure");
    return failure.isTextual() ? ", fails: " + TextCells.of(failure) : "";
  }

  private static String durationText(Duration left) {
    if (left.toHours() > 0) {
      return "%d h %d min".formatted(left.toHours(), left.toMinutesPart());
    }
    return left.toMinutes() > 0
        ? "%d min %d s".formatted(left.toMinutes(), left.toSecondsPart())
        : left.toSeconds() + " s";
  }
}
