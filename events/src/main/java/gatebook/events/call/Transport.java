package gatebook.events.call;

import com.fasterxml.jackson.annotation.JsonValue;

/** How a message reached us. */
public enum Transport {
  HTTP("http"),
  /** Frames with a {@code Content-Length} on standard input. */
  FRAMES("frames"),
  /** One message a line on standard input. */
  LINES("lines");

  private final String word;

  Transport(String word) {
    this.word = word;
  }

  /** The name outside this program; it never changes. */
  @JsonValue
  public String word() {
    return word;
  }
}
