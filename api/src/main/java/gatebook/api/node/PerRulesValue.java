package gatebook.api.node;

import gatebook.command.rules.Rules;
import java.lang.ref.WeakReference;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * A value computed per rules, and remembered for the rules that came last: those in force, a
 * candidate, and those of recorded calls. The rules themselves, which are large, are not kept.
 */
final class PerRulesValue<T> {

  /** More than are used at the same time. */
  static final int REMEMBERED_MAX = 20;

  private final Function<Rules, T> factory;
  private volatile List<Computed<T>> newestFirst = List.of();

  private record Computed<T>(WeakReference<Rules> rules, T value) {
    boolean isOf(Rules other) {
      return rules.refersTo(other);
    }

    boolean isInUse() {
      return !rules.refersTo(null);
    }
  }

  PerRulesValue(Function<Rules, T> factory) {
    this.factory = factory;
  }

  T get(Rules rules) {
    for (Computed<T> each : newestFirst) {
      if (each.isOf(rules)) {
        return each.value;
      }
    }
    return compute(rules);
  }

  /** Of two threads that compute at once, either may win. */
  private T compute(Rules rules) {
    T value = factory.apply(rules);
    synchronized (this) {
      newestFirst =
          Stream.concat(
                  Stream.of(new Computed<>(new WeakReference<>(rules), value)),
                  newestFirst.stream().filter(Computed::isInUse))
              .limit(REMEMBERED_MAX)
              .toList();
    }
    return value;
  }

  @SuppressWarnings("ReferenceEquality") // rules are read once, and expensive to compare
  static boolean isSame(Rules one, Rules other) {
    return one == other;
  }
}
