package gatebook.api.rpc;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The type of a member of a request, as data: the values that it accepts. */
public sealed interface MemberType {

  /** Whether a value of a JSON type can fit; {@link JsonType} has the words. */
  default boolean isOf(String jsonType) {
    return switch (this) {
      case Any _ -> true;
      case Text _, OrEmpty _, Time _, Word _ -> jsonType.equals("string");
      case Whole _, Decimal _ -> jsonType.equals("number");
      case Flag _ -> jsonType.equals("boolean");
      case Array _ -> jsonType.equals("array");
      case Members _ -> jsonType.equals("object");
      case Either(var types, _) -> types.stream().anyMatch(type -> type.isOf(jsonType));
      case OrNull(var type, _) -> jsonType.equals("null") || type.isOf(jsonType);
      case Some(var type, _, _, _) -> type.isOf(jsonType);
    };
  }

  /** The JSON type of the accepted values, as JSON Schema names it. */
  default String jsonType() {
    return switch (this) {
      case Text _, OrEmpty _, Time _, Word _ -> "string";
      case Whole _ -> "integer";
      case Decimal _ -> "number";
      case Flag _ -> "boolean";
      case Array _ -> "array";
      case Members _ -> "object";
      case OrNull(var type, _) -> type.jsonType();
      case Some(var type, _, _, _) -> type.jsonType();
      case Any _, Either _ -> expected();
    };
  }

  /** Whether a value of such a JSON type, as it was written, fits. */
  boolean isWithin(String json);

  /** Whether every value of such a JSON type fits. */
  default boolean isUnbounded() {
    return false;
  }

  /** The accepted JSON types, worded for an error. */
  default String words() {
    return switch (this) {
      case Text _, OrEmpty _, Time _ -> "a string";
      case Whole _ -> "a whole number";
      case Decimal _ -> "a number";
      case Array _ -> "an array";
      case Any _, Flag _, Word _, Members _, Either _, OrNull _, Some _ -> expected();
    };
  }

  /** The accepted values, worded for an error. */
  String expected();

  default boolean accepts(String json) {
    return isOf(JsonType.of(json)) && isWithin(json);
  }

  /** What the length of a text is counted in. */
  enum Unit {
    CHARACTERS,
    /** As in Java, where some characters count twice. */
    UTF_16,
    BYTES;

    int length(String text) {
      return switch (this) {
        case CHARACTERS -> text.codePointCount(0, text.length());
        case UTF_16 -> text.length();
        case BYTES -> text.getBytes(UTF_8).length;
      };
    }
  }

  /** Any value. */
  record Any() implements MemberType {
    @Override
    public boolean isUnbounded() {
      return true;
    }

    @Override
    public boolean isWithin(String json) {
      return true;
    }

    @Override
    public String expected() {
      return "any value";
    }
  }

  /**
   * A text.
   *
   * @param pattern what must be found in it, or what it must be as a whole if that begins with
   *     {@code ^}; it means the same in JSON Schema
   */
  record Text(@Nullable Pattern pattern, int min, int max, Unit unit, String expected)
      implements MemberType {

    /** A text of any length. */
    public static final Text ANY =
        new Text(null, 0, Integer.MAX_VALUE, Unit.CHARACTERS, "a string");

    public static Text atMost(int max, Unit unit) {
      return new Text(null, 0, max, unit, "at most %d characters".formatted(max));
    }

    public static Text between(int min, int max) {
      return new Text(
          null, min, max, Unit.CHARACTERS, "a string of %d to %d characters".formatted(min, max));
    }

    /** A text in which a pattern is found. */
    public static Text matching(Pattern pattern, String expected) {
      return new Text(pattern, 0, Integer.MAX_VALUE, Unit.CHARACTERS, expected);
    }

    @Override
    public boolean isUnbounded() {
      return pattern == null && min == 0 && max == Integer.MAX_VALUE;
    }

    @Override
    public boolean isWithin(String json) {
      String text = JsonStrings.unquoted(json);
      return hasLength(text) && (pattern == null || matches(pattern, text));
    }

    boolean hasLength(String text) {
      int length = unit.length(text);
      return min <= length && length <= max;
    }

    /** The end of a text is not a line end before it, as {@code $} alone would have it. */
    private static boolean matches(Pattern pattern, String text) {
      return pattern.pattern().startsWith("^")
          ? pattern.matcher(text).matches()
          : pattern.matcher(text).find();
    }
  }

  /** A text that is not empty; an empty one counts as none. */
  record OrEmpty(Text text) implements MemberType {

    public static OrEmpty atMost(int max) {
      return new OrEmpty(Text.between(1, max));
    }

    @Override
    public boolean isWithin(String json) {
      return text.isWithin(json);
    }

    @Override
    public String expected() {
      return text.expected() + "; an empty one counts as none";
    }
  }

  /** A time as {@link TimeText} reads it. */
  record Time(String expected) implements MemberType {
    @Override
    public boolean isWithin(String json) {
      return TimeText.parse(JsonStrings.unquoted(json)).isPresent();
    }
  }

  /** One of some words. */
  record Word(List<String> accepted, boolean isInAnyCase, String expected) implements MemberType {
    public Word {
      accepted = List.copyOf(accepted);
    }

    public static Word of(List<String> accepted) {
      return new Word(accepted, false, "one of " + String.join(", ", accepted));
    }

    /** One of the words of a table, in their order. */
    public static Word of(Map<String, ?> words) {
      return of(words.keySet().stream().sorted().toList());
    }

    @Override
    public boolean isWithin(String json) {
      String text = JsonStrings.unquoted(json);
      return accepted.stream()
          .anyMatch(it -> isInAnyCase ? it.equalsIgnoreCase(text) : it.equals(text));
    }
  }

  /** A whole number, written without a fraction and without an exponent. */
  record Whole(long min, long max, String expected) implements MemberType {

    /** A longer number is out of every range. */
    private static final int CHARS_MAX = 20;

    public static Whole between(long min, long max) {
      return new Whole(min, max, "a whole number from %d to %d".formatted(min, max));
    }

    @Override
    public boolean isWithin(String json) {
      if (json.length() > CHARS_MAX
          || !json.chars().allMatch(it -> it == '-' || Character.isDigit(it))) {
        return false;
      }
      BigInteger number = new BigInteger(json);
      return BigInteger.valueOf(min).compareTo(number) <= 0
          && number.compareTo(BigInteger.valueOf(max)) <= 0;
    }
  }

  /**
   * A number that is not too large for the numbers of JavaScript.
   *
   * @param range its bounds, within which it is short and has no exponent; absent where any is
   *     accepted
   */
  record Decimal(@Nullable Range range) implements MemberType {

    private static final Pattern SHORT = Pattern.compile("-?[0-9.]{1,20}");

    /** Both bounds are accepted. */
    record Range(BigDecimal min, BigDecimal max) {
      private boolean has(BigDecimal number) {
        return min.compareTo(number) <= 0 && number.compareTo(max) <= 0;
      }
    }

    public Decimal() {
      this(null);
    }

    public static Decimal between(BigDecimal min, BigDecimal max) {
      return new Decimal(new Range(min, max));
    }

    @Override
    public boolean isWithin(String json) {
      return range == null
          ? Double.isFinite(Double.parseDouble(json))
          : SHORT.matcher(json).matches() && range.has(new BigDecimal(json));
    }

    @Override
    public String expected() {
      return range == null ? "a number" : "a number from %s to %s".formatted(range.min, range.max);
    }
  }

  /** True or false. */
  record Flag() implements MemberType {
    @Override
    public boolean isUnbounded() {
      return true;
    }

    @Override
    public boolean isWithin(String json) {
      return true;
    }

    @Override
    public String expected() {
      return "true or false";
    }
  }

  /** An array of values of one type. */
  record Array(MemberType of, int min, int max, boolean isSet, String expected)
      implements MemberType {

    public static Array of(MemberType of, String expected) {
      return new Array(of, 0, Integer.MAX_VALUE, false, expected);
    }

    @Override
    public boolean isUnbounded() {
      return of instanceof Any && min == 0 && max == Integer.MAX_VALUE;
    }

    @Override
    public boolean isWithin(String json) {
      Optional<List<String>> elements = ArrayElements.of(json);
      return elements.isPresent()
          && hasSize(elements.get())
          && elements.get().stream().allMatch(of::accepts)
          && (!isSet || isSet(elements.get()));
    }

    boolean hasSize(List<String> elements) {
      return min <= elements.size() && elements.size() <= max;
    }

    private static boolean isSet(List<String> elements) {
      return elements.stream()
              .map(it -> it.startsWith("\"") ? JsonStrings.unquoted(it) : it)
              .distinct()
              .count()
          == elements.size();
    }
  }

  /** An object; the members that are declared are checked, and all others are accepted. */
  record Members(List<RequestMember> declared, String expected) implements MemberType {

    /** An object with any members. */
    public static final Members ANY = of(List.of());

    public Members {
      declared = List.copyOf(declared);
    }

    public static Members of(List<RequestMember> declared) {
      return new Members(declared, "an object");
    }

    @Override
    public boolean isUnbounded() {
      return declared.isEmpty();
    }

    @Override
    public boolean isWithin(String json) {
      ObjectMembers members = ObjectMembers.of(json);
      return declared.stream().allMatch(member -> member.problem("", members).isEmpty());
    }
  }

  /** A value of one of some types. */
  record Either(List<MemberType> types, String expected) implements MemberType {
    public Either {
      types = List.copyOf(types);
    }

    @Override
    public boolean isWithin(String json) {
      return types.stream().anyMatch(type -> type.accepts(json));
    }
  }

  /** A value of a type, or null. */
  record OrNull(MemberType type, String expected) implements MemberType {
    @Override
    public boolean isWithin(String json) {
      return json.equals("null") || type.isWithin(json);
    }
  }

  /**
   * Some values of a type, which only code can tell.
   *
   * @param reason what is wrong with the others
   * @param accepts whether a value, as it was written, is one of them
   */
  record Some(MemberType type, String reason, String expected, Predicate<String> accepts)
      implements MemberType {

    /** Some texts, without their quotes and escapes. */
    public static Some texts(Text type, String reason, String expected, Predicate<String> accepts) {
      return new Some(type, reason, expected, json -> accepts.test(JsonStrings.unquoted(json)));
    }

    @Override
    public boolean isWithin(String json) {
      return type.isWithin(json) && accepts.test(json);
    }
  }
}
