package gatebook.api.operator.whatif;

/** A what-if ended without a report; its message says why. */
final class NoReport extends Exception {
  private static final long serialVersionUID = 1L;

  private final String state;

  private NoReport(String state, String sentence) {
    super(sentence);
    this.state = state;
  }

  static NoReport cancelled() {
    return new NoReport("cancelled", "cancelled by an operator");
  }

  static NoReport failed(String sentence) {
    return new NoReport("failed", sentence);
  }

  static NoReport nodeStops() {
    return failed("this node is stopping: try again later");
  }

  /** The state in which the what-if ended. */
  String state() {
    return state;
  }
}
