package gatebook.api.node;

import gatebook.command.rules.Rules;
import java.util.function.Function;

/** Something that is made of the rules, and made again only when they change. */
final class PerRulesValue<T> {

  private final Function<Rules, T> making;
  private volatile Made<T> last;

  private record Made<T>(Rules rules, T thing) {}

  PerRulesValue(Function<Rules, T> making) {
    this.making = making;
    this.last = new Made<>(Rules.NONE, making.apply(Rules.NONE));
  }

  T of(Rules rules) {
    Made<T> made = last;
    if (!same(made.rules, rules)) {
      made = new Made<>(rules, making.apply(rules));
      last = made;
    }
    return made.thing;
  }

  @SuppressWarnings("ReferenceEquality") // rules are read once, and long to compare
  static boolean same(Rules one, Rules other) {
    return one == other;
  }
}
