package gatebook.query.denials;

/** The dimensions by which denials can be grouped. */
public enum DenialDimension {
  GATE("gate", "gate"),
  TOOL("tool", "tool"),
  PRINCIPAL("principal", "principal"),
  REASON("reason", "reason"),
  /** Together with the dialect: a code alone has no meaning. */
  CODE("code", "dialect, code"),
  /** The UTC minute, shown as its first moment. */
  MINUTE("minute", "at - MOD(at, 60000000000)"),
  /** The UTC hour, shown as its first moment. */
  HOUR("hour", "at - MOD(at, 3600000000000)"),
  /** The UTC day, shown as its first moment. */
  DAY("day", "at - MOD(at, 86400000000000)");

  private final String word;
  private final String columns;

  DenialDimension(String word, String columns) {
    this.word = word;
    this.columns = columns;
  }

  /** The name used outside this program; it never changes. */
  public String word() {
    return word;
  }

  /** Whether it is a part of the time, so that its groups have no trend. */
  boolean isTime() {
    return switch (this) {
      case GATE, TOOL, PRINCIPAL, REASON, CODE -> false;
      case MINUTE, HOUR, DAY -> true;
    };
  }

  /** The SQL columns to group by. */
  String columns() {
    return columns;
  }
}
