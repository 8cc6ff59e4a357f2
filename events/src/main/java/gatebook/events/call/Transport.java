package gatebook.events.call;

import com.fasterxml.jackson.annotation.JsonValue;

/** The transport over which a message was received. */
public enum Transport {
  HTTP("http"),
  /** Frames with a {@code Content-Length} on standard input. */
  FRAMES("frames"),
  /** One message a line on standard input. */
  LINES("lines"),
  /** None: the gateway itself makes the call, for a task of a tree. */
  TREE("tree");

  private final String word;

  Transport(String word) {
    this.word = word;
  }

  /** The name used outside this program; it never changes. */
  @JsonValue
  public String word() {
    return word;
  }
}
