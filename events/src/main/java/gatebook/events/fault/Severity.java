package gatebook.events.fault;

/** The severity of a fault: the level at which it is logged. */
public enum Severity {
  INFO("info"),
  WARN("warn"),
  ERROR("error");

  private final String word;

  Severity(String word) {
    this.word = word;
  }

  /** The name used outside this program; it never changes. */
  public String word() {
    return word;
  }
}
