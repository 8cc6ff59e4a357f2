package gatebook.events.fault;

/** The category of a fault: whose fault it is. A gate's denial is the caller's. */
public enum Category {
  CLIENT("client"),
  UPSTREAM("upstream"),
  SERVER("server");

  private final String word;

  Category(String word) {
    this.word = word;
  }

  /** The name used outside this program; it never changes. */
  public String word() {
    return word;
  }
}
