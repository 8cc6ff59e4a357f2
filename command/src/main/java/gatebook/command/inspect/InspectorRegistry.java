package gatebook.command.inspect;

import gatebook.command.redact.Scrubber;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/** All inspectors there are, by the names that the rules may give. */
public final class InspectorRegistry {

  private static final Map<String, Function<Scrubber, Inspector>> BY_NAME =
      Map.of(SecretsInspector.NAME, SecretsInspector::new);

  /** What the rules may name. */
  public static final Set<String> NAMES = BY_NAME.keySet();

  private InspectorRegistry() {}

  /**
   * Those of these names, in their order.
   *
   * @param scrubber knows the rules' secrets
   * @throws IllegalArgumentException when a name is not among {@link #NAMES}, which the rules'
   *     validation sees to
   */
  public static List<Inspector> named(List<String> names, Scrubber scrubber) {
    return names.stream().map(name -> named(name, scrubber)).toList();
  }

  private static Inspector named(String name, Scrubber scrubber) {
    Function<Scrubber, Inspector> inspector = BY_NAME.get(name);
    if (inspector == null) {
      throw new IllegalArgumentException("no inspector is called " + name);
    }
    return inspector.apply(scrubber);
  }
}
