package gatebook.events.call;

import com.fasterxml.jackson.annotation.JsonValue;

/** The vocabulary a caller speaks; an error code means nothing without it. */
public enum Dialect {
  MCP("mcp"),
  DAEMON("daemon"),
  FLOW("flow"),
  A2A("a2a");

  private final String word;

  Dialect(String word) {
    this.word = word;
  }

  /** The name outside this program; it never changes. */
  @JsonValue
  public String word() {
    return word;
  }
}
