package gatebook.api.flow.read;

import static java.util.stream.Collectors.toMap;

import gatebook.api.rpc.CheckedMembers;
import gatebook.api.rpc.RequestMember;
import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Checks the schedule of a task. It is stored, and runs nothing. */
final class ScheduleFields {
  private static final String HOUR_MINUTE = "([01][0-9]|2[0-3]):[0-5][0-9]";
  private static final String WEEKDAY = "(mon|tue|wed|thu|fri|sat|sun)";
  private static final String DAY = "(0?[1-9]|[12][0-9]|3[01])";
  private static final String CRON_ITEM = "(\\*|[0-9A-Za-z]+(-[0-9A-Za-z]+)?)(/[0-9]+)?";
  private static final String CRON_FIELD = CRON_ITEM + "(," + CRON_ITEM + ")*";

  /** The type of a schedule, with the form of its expressions. */
  enum Type {
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

  static final Map<String, Type> TYPES =
      Stream.of(Type.values())
          .collect(toMap(type -> type.name().toLowerCase(Locale.ROOT), type -> type));

  private ScheduleFields() {}

  static void check(CheckedMembers task) {
    Optional<Type> type = task.word(TaskMembers.SCHEDULE_TYPE, TYPES);
    Optional<String> expression = task.text(TaskMembers.SCHEDULE_EXPRESSION);
    if (task.flag(TaskMembers.SCHEDULE_ENABLED)) {
      task.require(TaskMembers.SCHEDULE_TYPE, "a type when schedule_enabled is true");
      task.require(TaskMembers.SCHEDULE_EXPRESSION, "an expression when schedule_enabled is true");
    }
    if (type.isPresent() && expression.filter(text -> !type.get().accepts(text)).isPresent()) {
      task.add(TaskMembers.SCHEDULE_EXPRESSION, "Invalid schedule expression", type.get().form);
    }
    Optional<Instant> start = time(task, TaskMembers.SCHEDULE_START);
    Optional<Instant> end = time(task, TaskMembers.SCHEDULE_END);
    if (start.isPresent() && end.filter(start.get()::isAfter).isPresent()) {
      task.add(
          TaskMembers.SCHEDULE_END, CheckedMembers.OUT_OF_RANGE, "not before schedule_start_at");
    }
  }

  private static Optional<Instant> time(CheckedMembers task, RequestMember member) {
    return task.text(member).flatMap(ScheduleTimes::instant);
  }
}
