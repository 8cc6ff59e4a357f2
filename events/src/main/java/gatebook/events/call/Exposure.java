package gatebook.events.call;

import com.fasterxml.jackson.annotation.JsonValue;

/** The exposure of a source: how the names that callers see are chosen. */
public enum Exposure {
  ALL("all"),
  ALLOWLIST("allowlist"),
  BLOCKLIST("blocklist");

  private final String word;

  Exposure(String word) {
    this.word = word;
  }

  /** The name used outside this program; it never changes. */
  @JsonValue
  public String word() {
    return word;
  }
}
