package gatebook.command.call;

import gatebook.command.redact.Scrubber;
import gatebook.events.call.JsonValue;
import gatebook.events.fault.Fault;
import gatebook.events.fault.FaultComponents;

/**
 * Scrubs faults before they are recorded: removes secrets from texts that callers chose. Text from
 * an upstream was scrubbed on receipt.
 */
public final class FaultScrubber {

  private FaultScrubber() {}

  /** Returns the same fault when there is nothing to remove. */
  public static Fault scrub(Fault fault, Scrubber names) {
    return FaultComponents.rewrite(fault, new CallersValues(names));
  }

  private record CallersValues(Scrubber names) implements FaultComponents.Rewrite {

    @Override
    public String text(String text) {
      return names.scrub(text);
    }

    /** An id of this gateway stays: it looks like a secret, but operators find the call by it. */
    @Override
    public String taskId(String id) {
      return TaskId.parse(id).isPresent() ? id : names.scrub(id);
    }

    @Override
    public JsonValue json(JsonValue json) {
      return names.scrub(json);
    }
  }
}
