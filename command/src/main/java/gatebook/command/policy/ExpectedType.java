package gatebook.command.policy;

import java.util.Set;

/** What an expression has to be, for the place where a policy uses it. */
enum ExpectedType {
  ANYTHING("anything"),
  NUMBER("a number"),
  TEXT("a string"),
  TRUTH("a boolean"),
  SET("a set"),
  RECORD("a record");

  private final String words;

  ExpectedType(String words) {
    this.words = words;
  }

  String words() {
    return words;
  }

  /** Whether something that JSON Schema gives one of these types may be it. */
  boolean isMetByAnyOf(Set<String> types) {
    return this == ANYTHING || types.stream().anyMatch(this::isMetBy);
  }

  private boolean isMetBy(String type) {
    return switch (this) {
      case ANYTHING -> true;
      case NUMBER -> type.equals("integer") || type.equals("number");
      case TEXT -> type.equals("string");
      case TRUTH -> type.equals("boolean");
      case SET -> type.equals("array");
      case RECORD -> type.equals("object") || type.equals("null");
    };
  }
}
