package gatebook.api.rpc;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.math.BigInteger;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The type of a member of a request, as data: the values that it accepts. */
public sealed interface MemberType {

  /** Whether a value of a JSON type can fit; {@link JsonType} has the words. */
  default boolean isOf(String jsonType) {
    return switch (this) {
      case Text _, Time _, Word _ -> jsonType.equals("string");
      case Whole _, Decimal _ -> jsonType.equals("number");
      case Flag _ -> jsonType.equals("boolean");
      case Array _ -> jsonType.equals("array");
      case Members _ -> jsonType.equals("object");
      case Either(var types, _) -> types.stream().anyMatch(type -> type.isOf(jsonType));
      case OrNull(var type, _) -> jsonType.equals("null") || type.isOf(jsonType);
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
      case Text _, Time _ -> "a string";
      case Whole _ -> "a whole number";
      case Decimal _ -> "a number";
      case Array _ -> "an array";
      case Flag _, Word _, Members _, Either _, OrNull _ -> expected();
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

    private int length(String text) {
      return switch (this) {
        case CHARACTERS -> text.codePointCount(0, text.length());
        case UTF_16 -> text.length();
        case BYTES -> text.getBytes(UTF_8).length;
      };
    }
  }

  /**
   * A text.
   *
   * @param pattern what must be found in it, or what it must be as a whole if that begins with
   *     {@code ^}; it means the same in JSON Schema
   */
  record Text(@Nullable Pattern pattern, int max, Unit unit, String expected)
      implements MemberType {

    /** A text of any length. */
    public static final Text ANY = new Text(null, Integer.MAX_VALUE, Unit.CHARACTERS, "a string");

    public static Text atMost(int max, Unit unit) {
      return new Text(null, max, unit, "at most %d characters".formatted(max));
    }

    /** A text in which a pattern is found. */
    public static Text matching(Pattern pattern, String expected) {
      return new Text(pattern, Integer.MAX_VALUE, Unit.CHARACTERS, expected);
    }

    @Override
    public boolean isUnbounded() {
      return pattern == null && max == Integer.MAX_VALUE;
    }

    @Override
    public boolean isWithin(String json) {
      String text = JsonStrings.unquoted(json);
      return unit.length(text) <= max && (pattern == null || matches(pattern, text));
    }

    /** The end of a text is not a line end before it, as {@code $} alone would have it. */
    private static boolean matches(Pattern pattern, String text) {
      return pattern.pattern().startsWith("^")
          ? pattern.matcher(text).matches()
          : pattern.matcher(text).find();
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

  /** A number that is not too large for the numbers of JavaScript. */
  record Decimal() implements MemberType {
    @Override
    public boolean isWithin(String json) {
      return Double.isFinite(Double.parseDouble(json));
    }

    @Override
    public String expected() {
      return "a number";
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
  record Array(MemberType of, int max, boolean isSet, String expected) implements MemberType {
    @Override
    public boolean isWithin(String json) {
      Optional<List<String>> elements = ArrayElements.of(json);
      return elements.isPresent()
          && elements.get().size() <= max
          && elements.get().stream().allMatch(of::accepts)
          && (!isSet || isSet(elements.get()));
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
}
