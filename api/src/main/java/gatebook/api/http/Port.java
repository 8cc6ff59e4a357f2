package gatebook.api.http;

/** The two ports of a node: callers speak at one, probes and operators at the other. */
public enum Port {
  CALLERS("--port"),
  ADMIN("--admin-port");

  private final String option;

  Port(String option) {
    this.option = option;
  }

  /** The option of the command line that moves this door to another port. */
  String option() {
    return option;
  }
}
