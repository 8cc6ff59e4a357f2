package gatebook.api.http;

import gatebook.command.rules.GatewayLimits;

/** The limits of this moment. Those of connections are those of the moment the doors opened. */
@FunctionalInterface
public interface CurrentLimits {

  GatewayLimits now();
}
