package gatebook.query.denials;

/** What denials can be counted by. */
public enum DenialDimension {
  GATE("gate", "gate"),
  TOOL("tool", "tool"),
  PRINCIPAL("principal", "principal"),
  REASON("reason", "reason"),
  /** A code means nothing without its dialect. */
  CODE("code", "dialect, code"),
  /** As the UTC hour's first moment. */
  HOUR("hour", "at - MOD(at, 3600000000000)");

  private final String word;
  private final String columns;

  DenialDimension(String word, String columns) {
    this.word = word;
    this.columns = columns;
  }

  /** The name outside this program; it never changes. */
  public String word() {
    return word;
  }

  /** What rows are told apart by, in SQL. */
  String columns() {
    return columns;
  }
}
