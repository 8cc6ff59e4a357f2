package gatebook.api.flow.schema;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Collection;
import java.util.Map;
import java.util.Set;

/**
 * Ignored patterns match any text. This only loosens validation, unless a keyword negates the
 * match.
 */
final class IgnoredPatterns {
  /** Keywords that may refuse inputs because a part of the schema accepts them. */
  private static final Set<String> REFUSING = Set.of("not", "if", "oneOf", "maxContains");

  private static final String NAME_PATTERNS = "patternProperties";

  private final Collection<String> patterns;

  private IgnoredPatterns(Collection<String> patterns) {
    this.patterns = patterns;
  }

  /**
   * Whether ignoring these patterns of a schema only loosens validation. A member that is named
   * like a keyword counts as one.
   */
  static boolean refuseNothing(Collection<String> patterns, JsonNode schema) {
    return new IgnoredPatterns(patterns).refuseNothing(schema);
  }

  private boolean refuseNothing(JsonNode node) {
    return node.isObject()
        ? node.properties().stream().allMatch(this::refuseNothing)
        : node.valueStream().allMatch(this::refuseNothing);
  }

  private boolean refuseNothing(Map.Entry<String, JsonNode> member) {
    String keyword = member.getKey();
    JsonNode value = member.getValue();
    boolean isOfNames =
        keyword.equals(NAME_PATTERNS)
            && value.propertyStream().anyMatch(it -> patterns.contains(it.getKey()));
    return !REFUSING.contains(keyword) && !isOfNames && refuseNothing(value);
  }
}
