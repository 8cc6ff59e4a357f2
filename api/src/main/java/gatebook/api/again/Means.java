package gatebook.api.again;

import static java.util.stream.Collectors.toUnmodifiableMap;

import gatebook.api.border.Ground;
import gatebook.api.border.Methods;
import gatebook.command.again.DecideAgain;
import gatebook.command.keep.Keeper;
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
public record Means(
    Map<Dialect, Methods> methods, Supplier<Ground> ground, Keeper keeper, DecideAgain deciding) {

  public Means {
    methods = Map.copyOf(methods);
  }

  public static Means of(
      List<Methods> methods, Supplier<Ground> ground, Keeper keeper, DecideAgain deciding) {
    return new Means(
        methods.stream().collect(toUnmodifiableMap(Methods::dialect, Function.identity())),
        ground,
        keeper,
        deciding);
  }
}
