package gatebook.command.policy.check;

import java.util.Set;

/** The type that an expression is expected to have where a policy uses it. */
enum ExpectedType {
  ANYTHING("anything"),
  NUMBER("a number"),
  TEXT("a string"),
  BOOLEAN("a boolean"),
  SET("a set"),
  RECORD("a record");

  private final String description;

  ExpectedType(String words) {
    this.description = words;
  }

  String description() {
    return description;
  }

  /** Whether a value of one of these JSON Schema types may have this type. */
  boolean allowsAnyOf(Set<String> types) {
    return this == ANYTHING || types.stream().anyMatch(this::allows);
  }

  private boolean allows(String type) {
    return switch (this) {
      case ANYTHING -> true;
      case NUMBER -> type.equals("integer") || type.equals("number");
      case TEXT -> type.equals("string");
      case BOOLEAN -> type.equals("boolean");
      case SET -> type.equals("array");
      case RECORD -> type.equals("object") || type.equals("null");
    };
  }
}
