package gatebook.api.flow.read;

import static java.util.stream.Collectors.toMap;

import gatebook.api.rpc.CheckedMembers;
import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Checks the schedule of a task. It is stored, and runs nothing. */
final class ScheduleFields {
  private static final int EXPRESSION_CHARS_MAX = 255;
  private static final String HOUR_MINUTE = "([01][0-9]|2[0-3]):[0-5][0-9]";
  private static final String WEEKDAY = "(mon|tue|wed|thu|fri|sat|sun)";
  private static final String DAY = "(0?[1-9]|[12][0-9]|3[01])";
  private static final String CRON_ITEM = "(\\*|[0-9A-Za-z]+(-[0-9A-Za-z]+)?)(/[0-9]+)?";
  private static final String CRON_FIELD = CRON_ITEM + "(," + CRON_ITEM + ")*";

  /** The type of a schedule, with the form of its expressions. */
  private enum Type {
    ONCE("ISO 8601", ".*"),
    INTERVAL("seconds", "[1-9][0-9]{0,8}"),
    CRON("5 fields of cron", CRON_FIELD + "( +" + CRON_FIELD + "){4}"),
    DAILY("HH:MM", HOUR_MINUTE),
    WEEKLY("WEEKDAY@HH:MM", listOf(WEEKDAY) + "@" + HOUR_MINUTE),
    MONTHLY("DAY@HH:MM", listOf(DAY) + "@" + HOUR_MINUTE);

    private final String form;
    private final Pattern pattern;

    Type(String form, String regex) {
      this.form = form;
      this.pattern = Pattern.compile(regex, Pattern.CASE_INSENSITIVE);
    }

    private static String listOf(String item) {
      return item + "(," + item + ")*";
    }

    boolean accepts(String expression) {
      return pattern.matcher(expression).matches()
          && (this != ONCE || ScheduleTimes.instant(expression).isPresent());
    }
  }

  private static final Map<String, Type> TYPES =
      Stream.of(Type.values())
          .collect(toMap(type -> type.name().toLowerCase(Locale.ROOT), type -> type));

  private ScheduleFields() {}

  static void check(CheckedMembers task) {
    Optional<Type> type = task.word("schedule_type", TYPES);
    Optional<String> expression = task.text("schedule_expression", EXPRESSION_CHARS_MAX);
    if (task.flag("schedule_enabled").orElse(false)) {
      task.require("schedule_type", "a type when schedule_enabled is true");
      task.require("schedule_expression", "an expression when schedule_enabled is true");
    }
    if (type.isPresent() && expression.filter(text -> !type.get().accepts(text)).isPresent()) {
      task.add("schedule_expression", "Invalid schedule expression", type.get().form, null);
    }
    checkTimes(task);
    task.whole("max_runs", 0, Integer.MAX_VALUE);
  }

  private static void checkTimes(CheckedMembers task) {
    Optional<Instant> start = task.time("schedule_start_at", ScheduleTimes::instant);
    Optional<Instant> end = task.time("schedule_end_at", ScheduleTimes::instant);
    if (start.isPresent() && end.filter(start.get()::isAfter).isPresent()) {
      task.add(
          "schedule_end_at", CheckedMembers.OUT_OF_RANGE, "not before schedule_start_at", null);
    }
  }
}
