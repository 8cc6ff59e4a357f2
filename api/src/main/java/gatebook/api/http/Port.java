package gatebook.api.http;

import java.util.Locale;

/** The two ports of a node: callers use one, probes and operators the other. */
public enum Port {
  CALLERS("--port"),
  ADMIN("--admin-port");

  private final String option;

  Port(String option) {
    this.option = option;
  }

  /** The word for this port in metrics and log lines. */
  String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The command-line option that sets the number of this port. */
  String option() {
    return option;
  }
}
