package gatebook.api.node;

import gatebook.command.rules.Rules;
import java.util.function.Function;

/** A value computed per rules, and computed again only when the rules change. */
final class PerRulesValue<T> {

  private final Function<Rules, T> factory;
  private volatile Computed<T> last;

  private record Computed<T>(Rules rules, T value) {}

  PerRulesValue(Function<Rules, T> factory) {
    this.factory = factory;
    this.last = new Computed<>(Rules.NONE, factory.apply(Rules.NONE));
  }

  T get(Rules rules) {
    Computed<T> current = last;
    if (!isSame(current.rules, rules)) {
      current = new Computed<>(rules, factory.apply(rules));
      last = current;
    }
    return current.value;
  }

  @SuppressWarnings("ReferenceEquality") // rules are read once, and expensive to compare
  static boolean isSame(Rules one, Rules other) {
    return one == other;
  }
}
