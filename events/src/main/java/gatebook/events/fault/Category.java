package gatebook.events.fault;

/** Whose fault it is; a gate's denial is the caller's. */
public enum Category {
  CLIENT("client"),
  UPSTREAM("upstream"),
  SERVER("server");

  private final String word;

  Category(String word) {
    this.word = word;
  }

  /** The name outside this program; it never changes. */
  public String word() {
    return word;
  }
}
