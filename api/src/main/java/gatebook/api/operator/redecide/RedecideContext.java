package gatebook.api.operator.redecide;

import static java.util.stream.Collectors.toUnmodifiableMap;

import gatebook.api.gateway.DialectHandler;
import gatebook.api.gateway.RoutingSnapshot;
import gatebook.command.keep.PayloadRecorder;
import gatebook.command.redecide.CallRedecision;
import gatebook.events.call.Dialect;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * What a node has for deciding again.
 *
 * @param methods of every dialect that is spoken here
 * @param ground what calls stand on now
 * @param keeper has the keys of this node
 */
public record RedecideContext(
    Map<Dialect, DialectHandler> methods,
    Supplier<RoutingSnapshot> ground,
    PayloadRecorder keeper,
    CallRedecision deciding) {

  public RedecideContext {
    methods = Map.copyOf(methods);
  }

  public static RedecideContext of(
      List<DialectHandler> methods,
      Supplier<RoutingSnapshot> ground,
      PayloadRecorder payloadRecorder,
      CallRedecision deciding) {
    return new RedecideContext(
        methods.stream().collect(toUnmodifiableMap(DialectHandler::dialect, Function.identity())),
        ground,
        payloadRecorder,
        deciding);
  }
}
