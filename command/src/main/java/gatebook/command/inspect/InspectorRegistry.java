package gatebook.command.inspect;

import gatebook.command.redact.Scrubber;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/** The registry of all inspectors, by the names that rules may use. */
public final class InspectorRegistry {

  private static final Map<String, Function<Scrubber, Inspector>> BY_NAME =
      Map.of(SecretsInspector.NAME, SecretsInspector::new);

  /** The names that rules may use. */
  public static final Set<String> NAMES = BY_NAME.keySet();

  private InspectorRegistry() {}

  /**
   * Creates the inspectors with these names, in their order.
   *
   * @param scrubber knows the rules' secrets
   * @throws IllegalArgumentException when a name is not among {@link #NAMES}; the validation of the
   *     rules excludes that
   */
  public static List<Inspector> create(List<String> names, Scrubber scrubber) {
    return names.stream().map(name -> create(name, scrubber)).toList();
  }

  private static Inspector create(String name, Scrubber scrubber) {
    Function<Scrubber, Inspector> inspector = BY_NAME.get(name);
    if (inspector == null) {
      throw new IllegalArgumentException("no inspector is called " + name);
    }
    return inspector.apply(scrubber);
  }
}
