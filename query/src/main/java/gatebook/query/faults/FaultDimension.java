package gatebook.query.faults;

import java.util.List;

/** The dimensions by which rates of faults can be grouped. */
public enum FaultDimension {
  AGENT("agent"),
  SKILL("skill"),
  CODE("code");

  private final String word;

  FaultDimension(String word) {
    this.word = word;
  }

  /** The name used outside this program; it never changes. */
  public String word() {
    return word;
  }

  /**
   * The columns to group by, which are also the members of a group. A code has its dialect with it,
   * since alone it has no meaning.
   */
  List<String> columns() {
    return this == CODE ? List.of("dialect", word) : List.of(word);
  }

  /** Whether only calls of agents have it. */
  boolean isOfAgents() {
    return this != CODE;
  }
}
