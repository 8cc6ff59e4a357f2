package gatebook.api.cli.option;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Parses a member by which a command groups what it counts. */
public abstract class GroupMember implements ITypeConverter<String> {

  /**
   * Accepts {@code tool} and {@code target} for what was called: denials have the one, errors the
   * other.
   */
  private static final Map<String, String> SYNONYMS = Map.of("tool", "target", "target", "tool");

  private final List<String> all;

  GroupMember(List<String> all) {
    this.all = List.copyOf(all);
  }

  @Override
  public final String convert(String text) {
    String word = text.strip().toLowerCase(Locale.ROOT);
    return Stream.of(word, SYNONYMS.getOrDefault(word, word))
        .filter(all::contains)
        .findFirst()
        .orElseThrow(() ->
            new TypeConversionException(
                "'%s' is none of %s".formatted(text, String.join(", ", words()))));
  }

  private List<String> words() {
    return all.stream().map(member -> member.equals("target") ? "tool" : member).toList();
  }

  /** Adds the members of the groups to the params of a request. */
  public static void addTo(ObjectNode params, List<String> by) {
    if (!by.isEmpty()) {
      ArrayNode members = params.putArray("by");
      by.stream().distinct().forEach(members::add);
    }
  }

  /**
   * The columns of the members: a code is shown with its dialect, without which it means nothing.
   */
  public static Stream<String> columns(List<String> by) {
    return by.stream()
        .distinct()
        .flatMap(it -> it.equals("code") ? Stream.of("dialect", it) : Stream.of(it));
  }
}
