package gatebook.api.cli.replay;

import com.fasterxml.jackson.databind.JsonNode;
import gatebook.api.cli.TextCells;
import java.time.Duration;
import java.util.Locale;

/** How far a replay has come, in one line. */
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

  /** For a cell of a table; empty when there is no replay. */
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

  /** Not known before the first events. */
  private static String rate(JsonNode replay) {
    long perSecond = Math.round(replay.path("eventsPerSecond").asDouble());
    return perSecond > 0 ? String.format(Locale.ROOT, ", %,d events/s", perSecond) : "";
  }

  /** Of the way from where it began. */
  private static int percent(JsonNode replay) {
    long from = replay.path("from").asLong();
    long way = replay.path("target").asLong() - from;
    long gone = replay.path("position").asLong() - from;
    return way <= 0 ? WHOLE : Math.clamp(WHOLE * gone / way, 0, WHOLE);
  }

  /** Not known while there is no rate. */
  private static String left(JsonNode replay) {
    JsonNode seconds = replay.path("secondsLeft");
    return seconds.isNumber() ? ", " + words(Duration.ofSeconds(seconds.asLong())) + " left" : "";
  }

  /** It is tried again until somebody cancels it. */
  private static String failing(JsonNode replay) {
    JsonNode failure = replay.path("failure");
    return failure.isTextual() ? ", fails: " + TextCells.of(failure) : "";
  }

  private static String words(Duration left) {
    if (left.toHours() > 0) {
      return "%d h %d min".formatted(left.toHours(), left.toMinutesPart());
    }
    return left.toMinutes() > 0
        ? "%d min %d s".formatted(left.toMinutes(), left.toSecondsPart())
        : left.toSeconds() + " s";
  }
}
