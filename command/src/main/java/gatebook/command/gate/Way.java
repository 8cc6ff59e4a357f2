package gatebook.command.gate;

import gatebook.command.rules.Source;
import gatebook.command.rules.Workflow;
import gatebook.events.call.DenialReason;
import gatebook.events.call.Ruling;
import gatebook.events.fault.Fault;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Where the gates let a call go; {@code rulings} are those of every gate that was asked. */
public sealed interface Way {

  List<Ruling> rulings();

  /** To the source, now. */
  record Open(Source source, List<Ruling> rulings) implements Way {}

  /** To the source, when a person says so. */
  record Ask(Source source, Workflow workflow, List<Ruling> rulings) implements Way {}

  /** Nowhere; {@code source} is absent when none answers for the target. */
  record Shut(@Nullable Source source, Fault fault, DenialReason reason, List<Ruling> rulings)
      implements Way {}
}
