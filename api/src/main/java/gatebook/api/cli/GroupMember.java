package gatebook.api.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Parses a member by which a command groups what it counts. */
abstract class GroupMember implements ITypeConverter<String> {

  private final List<String> all;

  GroupMember(List<String> all) {
    this.all = List.copyOf(all);
  }

  @Override
  public final String convert(String text) {
    String member = text.strip().toLowerCase(Locale.ROOT);
    if (!all.contains(member)) {
      throw new TypeConversionException(
          "'%s' is none of %s".formatted(text, String.join(", ", all)));
    }
    return member;
  }

  /** Adds the members of the groups to the params of a request. */
  static void addTo(ObjectNode params, List<String> by) {
    if (!by.isEmpty()) {
      ArrayNode members = params.putArray("by");
      by.stream().distinct().forEach(members::add);
    }
  }

  /**
   * The columns of the members: a code is shown with its dialect, without which it means nothing.
   */
  static Stream<String> columns(List<String> by) {
    return by.stream()
        .distinct()
        .flatMap(it -> it.equals("code") ? Stream.of("dialect", it) : Stream.of(it));
  }
}
