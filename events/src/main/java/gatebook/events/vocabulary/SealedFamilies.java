package gatebook.events.vocabulary;

import java.util.Arrays;
import java.util.stream.Stream;

/** Lists the members of sealed families. */
final class SealedFamilies {
  private SealedFamilies() {}

  /** Every type of the family that is not sealed itself, in the order of declaration. */
  static <F> Stream<Class<? extends F>> leaves(Class<F> family) {
    return all(family).map(type -> type.asSubclass(family));
  }

  private static Stream<Class<?>> all(Class<?> type) {
    return type.isSealed()
        ? Arrays.stream(type.getPermittedSubclasses()).flatMap(SealedFamilies::all)
        : Stream.of(type);
  }
}
