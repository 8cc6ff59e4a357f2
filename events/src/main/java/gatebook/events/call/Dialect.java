package gatebook.events.call;

import com.fasterxml.jackson.annotation.JsonValue;

/** The JSON-RPC dialect of a caller; an error code means nothing without it. */
public enum Dialect implements Word {
  MCP("mcp"),
  DAEMON("daemon"),
  FLOW("flow"),
  A2A("a2a");

  private final String word;

  Dialect(String word) {
    this.word = word;
  }

  @Override
  @JsonValue
  public String word() {
    return word;
  }
}
