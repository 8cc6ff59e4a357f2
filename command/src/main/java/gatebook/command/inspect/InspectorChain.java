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
import java.util.function.Supplier;

/**
 * The chain of the inspectors that the rules name, in that order; before them, whether this node
 * can forward anything.
 */
public final class InspectorChain {

  private final Function<Rules, Scrubber> scrubbers;
  private final Supplier<Optional<Fault>> obstacle;

  /** {@code scrubbers} returns the scrubber that knows the secrets of the given rules. */
  public InspectorChain(Function<Rules, Scrubber> scrubbers) {
    this(scrubbers, Optional::empty);
  }

  /**
   * The same, with an obstacle.
   *
   * @param obstacle why this node forwards nothing at this moment
   */
  public InspectorChain(Function<Rules, Scrubber> scrubbers, Supplier<Optional<Fault>> obstacle) {
    this.scrubbers = scrubbers;
    this.obstacle = obstacle;
  }

  /** The fault of the first inspector that refuses the call. */
  public Optional<Fault> inspect(GateInput gateInput, Source source, Rules rules) {
    Optional<Fault> fault = obstacle.get();
    return fault.isPresent() ? fault : inspectByRules(gateInput, source, rules);
  }

  private Optional<Fault> inspectByRules(GateInput gateInput, Source source, Rules rules) {
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
