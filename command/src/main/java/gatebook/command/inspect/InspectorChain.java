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

/** The chain of the inspectors that the rules name, in that order. */
public final class InspectorChain {

  private final Function<Rules, Scrubber> scrubbers;

  /** {@code scrubbers} returns the scrubber that knows the secrets of the given rules. */
  public InspectorChain(Function<Rules, Scrubber> scrubbers) {
    this.scrubbers = scrubbers;
  }

  /** The fault of the first inspector that refuses the call. */
  public Optional<Fault> inspect(GateInput gateInput, Source source, Rules rules) {
    if (rules.inspectors().isEmpty()) {
      return Optional.empty();
    }
    InspectedCall inspectedCall = inspected(gateInput, source);
    for (Inspector inspector :
        InspectorRegistry.create(rules.inspectors(), scrubbers.apply(rules))) {
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
        gateInput.targetSummary(),
        arguments == null ? null : JsonValue.parse(arguments));
  }
}
