package gatebook.api.http;

/** The two ports of a node: callers speak at one, probes and operators at the other. */
public enum Door {
  CALLERS("--port"),
  ADMIN("--admin-port");

  private final String option;

  Door(String option) {
    this.option = option;
  }

  /** The option of the command line that moves this door to another port. */
  String option() {
    return option;
  }
}
