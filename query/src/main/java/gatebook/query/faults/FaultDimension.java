package gatebook.query.faults;

import java.util.List;

/** The dimensions by which rates of faults can be grouped. */
public enum FaultDimension {
  AGENT("agent", List.of("agent")),
  SKILL("skill", List.of("skill")),
  /** Together with the dialect: a code alone has no meaning. */
  CODE("code", List.of("dialect", "code"));

  private final String word;
  private final List<String> columns;

  FaultDimension(String word, List<String> columns) {
    this.word = word;
    this.columns = columns;
  }

  /** The name used outside this program; it never changes. */
  public String word() {
    return word;
  }

  /** The columns to group by, which are also the members of a group. */
  List<String> columns() {
    return columns;
  }

  /** Whether only calls of agents have it. */
  boolean isOfAgents() {
    return this != CODE;
  }
}
