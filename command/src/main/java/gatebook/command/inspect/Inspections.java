package gatebook.command.inspect;

import gatebook.command.gate.Asked;
import gatebook.command.redact.Scrubber;
import gatebook.command.rules.Rules;
import gatebook.command.rules.Source;
import gatebook.events.call.Json;
import gatebook.events.fault.Fault;
import gatebook.events.fault.Withheld.InspectionFailed;
import java.util.Optional;
import java.util.function.Function;

/** Every inspector the rules name, one after the other. */
public final class Inspections {

  private final Function<Rules, Scrubber> scrubbers;

  /** {@code scrubbers} gives who knows the secrets of some rules. */
  public Inspections(Function<Rules, Scrubber> scrubbers) {
    this.scrubbers = scrubbers;
  }

  /** What the first that refuses says. */
  public Optional<Fault> of(Asked asked, Source source, Rules rules) {
    if (rules.inspectors().isEmpty()) {
      return Optional.empty();
    }
    Inspected inspected = inspected(asked, source);
    for (Inspector inspector : Inspectors.named(rules.inspectors(), scrubbers.apply(rules))) {
      if (inspector.inspect(inspected) instanceof Finding.Refused(var reason)) {
        return Optional.of(new InspectionFailed(inspector.name(), reason));
      }
    }
    return Optional.empty();
  }

  private static Inspected inspected(Asked asked, Source source) {
    String arguments = asked.arguments();
    return new Inspected(
        asked.principal(),
        source.id(),
        asked.method(),
        asked.targets(),
        arguments == null ? null : Json.parse(arguments));
  }
}
