package gatebook.events.call;

import com.fasterxml.jackson.annotation.JsonValue;

/** How a source chooses the names it shows. */
public enum Exposure {
  ALL("all"),
  ALLOWLIST("allowlist"),
  BLOCKLIST("blocklist");

  private final String word;

  Exposure(String word) {
    this.word = word;
  }

  /** The name outside this program; it never changes. */
  @JsonValue
  public String word() {
    return word;
  }
}
