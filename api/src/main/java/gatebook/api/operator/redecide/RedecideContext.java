package gatebook.api.operator.redecide;

import static java.util.stream.Collectors.toUnmodifiableMap;

import gatebook.api.gateway.message.DialectHandler;
import gatebook.api.gateway.message.RoutingSnapshot;
import gatebook.command.keep.ContentDigests;
import gatebook.command.redecide.CallRedecision;
import gatebook.events.call.Dialect;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The context that a node supplies for redeciding calls.
 *
 * @param handlers the method table of each dialect of this node
 * @param routingSnapshot supplies the rules and upstreams at this moment
 * @param contentDigests holds the keys of this node
 */
public record RedecideContext(
    Map<Dialect, DialectHandler> handlers,
    Supplier<RoutingSnapshot> routingSnapshot,
    ContentDigests contentDigests,
    CallRedecision callRedecision) {

  public RedecideContext {
    handlers = Map.copyOf(handlers);
  }

  public static RedecideContext of(
      List<DialectHandler> handlers,
      Supplier<RoutingSnapshot> routingSnapshot,
      ContentDigests contentDigests,
      CallRedecision callRedecision) {
    return new RedecideContext(
        handlers.stream().collect(toUnmodifiableMap(DialectHandler::dialect, Function.identity())),
        routingSnapshot,
        contentDigests,
        callRedecision);
  }
}
