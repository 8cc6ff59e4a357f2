package gatebook.api.http;

/** The two ports of a node: callers use one, probes and operators the other. */
public enum Port {
  CALLERS("--port"),
  ADMIN("--admin-port");

  private final String option;

  Port(String option) {
    this.option = option;
  }

  /** The command-line option that sets the number of this port. */
  String option() {
    return option;
  }
}
