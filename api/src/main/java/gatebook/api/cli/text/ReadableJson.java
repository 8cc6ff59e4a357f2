package gatebook.api.cli.text;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** Formats JSON as readable text: names and values, without empty members. */
public final class ReadableJson {

  private static final String MILLIS = " millis";

  private ReadableJson() {}

  /** Joins words with spaces, without empty ones. */
  public static String joined(String... words) {
    return Stream.of(words).filter(word -> !word.isEmpty()).collect(Collectors.joining(" "));
  }

  /** A text after its name; empty when the text is empty. */
  public static String named(String name, String text) {
    return text.isEmpty() ? "" : name + " " + text;
  }

  public static String of(JsonNode value) {
    return without(Set.of(), value);
  }

  /** Formats a value without these members of the value itself. */
  public static String without(Set<String> members, JsonNode value) {
    if (value.isArray()) {
      return StreamSupport.stream(value.spliterator(), false)
          .map(ReadableJson::of)
          .collect(Collectors.joining("; "));
    }
    if (!value.isObject()) {
      return TextCells.of(value);
    }
    return value.properties().stream()
        .filter(member -> !members.contains(member.getKey()) && isPresent(member.getValue()))
        .map(ReadableJson::member)
        .collect(Collectors.joining(", "));
  }

  private static boolean isPresent(JsonNode value) {
    boolean no = value.isBoolean() && !value.booleanValue();
    return !value.isNull() && !no && !(value.isContainerNode() && value.isEmpty());
  }

  public static String member(Map.Entry<String, JsonNode> member) {
    String name = spaced(TextCells.of(member.getKey()));
    JsonNode value = member.getValue();
    String duration = name.endsWith(MILLIS) ? Durations.ofMillis(value) : "";
    if (!duration.isEmpty()) {
      return name.substring(0, name.length() - MILLIS.length()) + " " + duration;
    }
    if (value.isBoolean()) {
      return name;
    }
    return name + " " + (value.isObject() ? "(" + of(value) + ")" : of(value));
  }

  /** {@code timeoutMillis} and {@code timeout_millis} are both {@code timeout millis}. */
  private static String spaced(String name) {
    return name.replaceAll("(?<=[a-z0-9])(?=[A-Z])|_", " ").toLowerCase(Locale.ROOT);
  }
}
