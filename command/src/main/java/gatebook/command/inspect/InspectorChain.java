package gatebook.command.inspect;

import gatebook.command.gate.GateInput;
import gatebook.command.redact.Scrubber;
import gatebook.command.rules.Rules;
import gatebook.command.rules.Source;
import gatebook.events.call.JsonValue;
import gatebook.events.fault.Fault;
import gatebook.events.fault.Withheld.InspectionFailed;
import java.util.Optional;
import java.util.function.Function;

/** Every inspector the rules name, one after the other. */
public final class InspectorChain {

  private final Function<Rules, Scrubber> scrubbers;

  /** {@code scrubbers} gives who knows the secrets of some rules. */
  public InspectorChain(Function<Rules, Scrubber> scrubbers) {
    this.scrubbers = scrubbers;
  }

  /** What the first that refuses says. */
  public Optional<Fault> of(GateInput gateInput, Source source, Rules rules) {
    if (rules.inspectors().isEmpty()) {
      return Optional.empty();
    }
    InspectedCall inspectedCall = inspected(gateInput, source);
    for (Inspector inspector :
        InspectorRegistry.named(rules.inspectors(), scrubbers.apply(rules))) {
      if (inspector.inspect(inspectedCall) instanceof InspectorFinding.Refused(var reason)) {
        return Optional.of(new InspectionFailed(inspector.name(), reason));
      }
    }
    return Optional.empty();
  }

  private static InspectedCall inspected(GateInput gateInput, Source source) {
    String arguments = gateInput.arguments();
    return new InspectedCall(
        gateInput.principal(),
        source.id(),
        gateInput.method(),
        gateInput.targets(),
        arguments == null ? null : JsonValue.parse(arguments));
  }
}
