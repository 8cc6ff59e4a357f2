package gatebook.events.fault;

/** How loudly a fault is logged. */
public enum Severity {
  INFO("info"),
  WARN("warn"),
  ERROR("error");

  private final String word;

  Severity(String word) {
    this.word = word;
  }

  /** The name outside this program; it never changes. */
  public String word() {
    return word;
  }
}
