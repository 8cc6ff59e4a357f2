package gatebook.api.rpc;

import gatebook.api.rpc.MemberType.Whole;
import gatebook.events.call.JsonValue;
import gatebook.events.fault.Problem;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The members of an object, read by their expected types. What does not fit is a problem, and reads
 * as absent; so does {@code null}. Texts are not shown in problems, since they may be secrets.
 */
public final class CheckedMembers {

  public static final String MISSING = "Missing required field";
  public static final String WRONG_TYPE = "Wrong type";
  public static final String OUT_OF_RANGE = "Value out of range";
  public static final String UNKNOWN_VALUE = "Unknown value";
  public static final String WRONG_VALUE = "Value not allowed";
  public static final String UNKNOWN_FIELD = "Unknown field";

  private static final int DIGITS_MAX = 20;
  private static final Pattern WHOLE = Pattern.compile("-?[0-9]+");
  private static final Pattern NUMBER = Pattern.compile("-?[0-9.]{1,20}");
  private static final Pattern UUID_V4 =
      Pattern.compile(
          "[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}",
          Pattern.CASE_INSENSITIVE);

  private final ObjectMembers members;
  private final String path;
  private final List<Problem> problems;

  private CheckedMembers(ObjectMembers members, String path, List<Problem> problems) {
    this.members = members;
    this.path = path;
    this.problems = problems;
  }

  /**
   * The members of an object of a message that was read.
   *
   * @param path what stands before their names in problems
   */
  public static CheckedMembers of(@Nullable String json, String path) {
    return new CheckedMembers(ObjectMembers.of(json), path, new ArrayList<>());
  }

  public List<Problem> problems() {
    return Collections.unmodifiableList(problems);
  }

  public ObjectMembers members() {
    return members;
  }

  /** The JSON of a member. */
  public Optional<String> json(String name) {
    return members.json(name).filter(value -> !value.equals("null"));
  }

  public boolean has(String name) {
    return json(name).isPresent();
  }

  public void require(String name, String expected) {
    if (!has(name)) {
      add(name, MISSING, expected, null);
    }
  }

  /** A text that is not empty. */
  public Optional<String> text(String name, int charsMax) {
    return text(name, 1, charsMax);
  }

  public Optional<String> text(String name, int charsMin, int charsMax) {
    Optional<String> text = anyText(name);
    if (text.isEmpty()) {
      return text;
    }
    int chars = text.get().codePointCount(0, text.get().length());
    if (chars < charsMin || chars > charsMax) {
      add(name, OUT_OF_RANGE, charsMin + " to " + charsMax + " characters", number(chars));
      return Optional.empty();
    }
    return text;
  }

  /** A text of any length, also an empty one. */
  public Optional<String> anyText(String name) {
    return typed(name, "string").flatMap(_ -> members.text(name));
  }

  public Optional<String> uuid(String name) {
    Optional<String> text = anyText(name);
    if (text.isPresent() && !isUuid(text.get())) {
      add(name, "Invalid UUID format", "UUID v4 format", null);
      return Optional.empty();
    }
    return text;
  }

  public static boolean isUuid(String text) {
    return UUID_V4.matcher(text).matches();
  }

  /** One of some words. */
  public <E> Optional<E> word(String name, Map<String, E> values) {
    Optional<String> text = anyText(name);
    if (text.isPresent() && !values.containsKey(text.get())) {
      problems.add(
          new Problem(
              path + name, UNKNOWN_VALUE, null, null, values.keySet().stream().sorted().toList()));
    }
    return text.flatMap(word -> Optional.ofNullable(values.get(word)));
  }

  public Optional<Boolean> flag(String name) {
    return typed(name, "boolean").map(Boolean::valueOf);
  }

  public Optional<Integer> whole(String name, int min, int max) {
    Whole whole = Whole.between(min, max);
    return typed(name, "integer")
        .filter(json -> within(name, whole.isWithin(json), range(min, max)))
        .map(Integer::valueOf);
  }

  public Optional<BigDecimal> number(String name, BigDecimal min, BigDecimal max) {
    return typed(name, "number")
        .filter(value -> NUMBER.matcher(value).matches() || isOutOfRange(name, min, max))
        .map(BigDecimal::new)
        .filter(value ->
            within(name, min.compareTo(value) <= 0 && value.compareTo(max) <= 0, min + "-" + max));
  }

  private boolean isOutOfRange(String name, BigDecimal min, BigDecimal max) {
    return within(name, false, min + "-" + max);
  }

  private static String range(int min, int max) {
    return max == Integer.MAX_VALUE ? "at least " + min : min + "-" + max;
  }

  private boolean within(String name, boolean isWithin, String expected) {
    if (!isWithin) {
      add(name, OUT_OF_RANGE, expected, shown(json(name).orElseThrow()));
    }
    return isWithin;
  }

  /** A time as a text, in a format that {@code parse} reads. */
  public Optional<Instant> time(String name, Function<String, Optional<Instant>> parse) {
    Optional<String> text = anyText(name);
    Optional<Instant> time = text.flatMap(parse);
    if (text.isPresent() && time.isEmpty()) {
      add(name, "Invalid time format", "ISO 8601", null);
    }
    return time;
  }

  /** The JSON of a member that is an object. */
  public Optional<String> object(String name) {
    return typed(name, "object");
  }

  /** The members of a member that is an object; none when it is absent. */
  public CheckedMembers inner(String name) {
    return new CheckedMembers(
        ObjectMembers.of(object(name).orElse(null)), path + name + ".", problems);
  }

  /** The members of an element of a member that is an array. */
  public CheckedMembers element(String name, int index, String json) {
    return new CheckedMembers(
        ObjectMembers.of(json), "%s%s[%d].".formatted(path, name, index), problems);
  }

  /** The elements of a member that is an array. */
  public Optional<List<String>> array(String name) {
    return typed(name, "array").flatMap(ArrayElements::of);
  }

  private Optional<String> typed(String name, String type) {
    Optional<String> json = json(name);
    if (json.isPresent() && !isOfType(json.get(), type)) {
      addWrongType(name, type, json.get());
      return Optional.empty();
    }
    return json;
  }

  private static boolean isOfType(String json, String type) {
    return type.equals("integer") ? WHOLE.matcher(json).matches() : type.equals(JsonType.of(json));
  }

  public void addWrongType(String name, String expected, String json) {
    boolean isNumber = JsonType.of(json).equals("number");
    add(name, WRONG_TYPE, expected, isNumber ? shown(json) : JsonType.quotedOf(json));
  }

  private static @Nullable JsonValue shown(String number) {
    return number.length() > DIGITS_MAX ? null : JsonValue.parse(number);
  }

  private static JsonValue number(long number) {
    return JsonValue.parse(Long.toString(number));
  }

  /** Adds that a member is larger than it may be. */
  public void addTooLarge(String name, int bytesMax, long bytes) {
    add(name, "Value too large", "at most %d bytes".formatted(bytesMax), number(bytes));
  }

  /** Adds problems of members. */
  public void addAll(List<Problem> others) {
    others.forEach(it ->
        problems.add(
            new Problem(
                path + it.param(), it.reason(), it.expected(), it.received(), it.accepted())));
  }

  public void add(
      String name, String reason, @Nullable String expected, @Nullable JsonValue actual) {
    problems.add(new Problem(path + name, reason, expected, actual, List.of()));
  }
}
