package gatebook.api.node;

import gatebook.api.daemon.DaemonMethods;
import gatebook.api.gateway.message.DialectHandler;
import gatebook.api.mcp.McpMethods;

/** The handlers of the dialects whose methods depend on the command that runs the gateway. */
record DialectHandlers(DialectHandler mcp, DaemonMethods daemon) {
  static DialectHandlers standard() {
    return new DialectHandlers(McpMethods.ofSources(Version.text()), new DaemonMethods());
  }
}
