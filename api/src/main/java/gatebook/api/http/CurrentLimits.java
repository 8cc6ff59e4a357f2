package gatebook.api.http;

import gatebook.command.rules.GatewayLimits;

/** The current limits. Those of connections are read once, when the ports are opened. */
@FunctionalInterface
public interface CurrentLimits {

  GatewayLimits now();
}
