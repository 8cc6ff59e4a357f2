package gatebook.api.operator.redecide;

import static java.util.stream.Collectors.toUnmodifiableMap;

import gatebook.api.gateway.message.DialectHandler;
import gatebook.api.gateway.message.RoutingSnapshot;
import gatebook.command.call.FaultTranslator;
import gatebook.command.keep.ContentDigests;
import gatebook.command.redecide.CallRedecision;
import gatebook.command.rules.Rules;
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
 * @param translators translate faults under given rules; each is computed once, mostly
 */
public record RedecideContext(
    Map<Dialect, DialectHandler> handlers,
    Supplier<RoutingSnapshot> routingSnapshot,
    ContentDigests contentDigests,
    CallRedecision callRedecision,
    Function<Rules, FaultTranslator> translators) {

  public RedecideContext {
    handlers = Map.copyOf(handlers);
  }

  public static RedecideContext of(
      List<DialectHandler> handlers,
      Supplier<RoutingSnapshot> routingSnapshot,
      ContentDigests contentDigests,
      CallRedecision callRedecision,
      Function<Rules, FaultTranslator> translators) {
    return new RedecideContext(
        handlers.stream().collect(toUnmodifiableMap(DialectHandler::dialect, Function.identity())),
        routingSnapshot,
        contentDigests,
        callRedecision,
        translators);
  }
}
