package gatebook.command.call;

/** Decide how a task ended, unless it did before, and keep its result. */
public record SettleTask(String taskId, SettleCall call) {

  /** What settling ends in. */
  public sealed interface Outcome {
    record Settled(SettleOutcome settlement) implements Outcome {}

    /** Its caller has been told otherwise. */
    record EndedBefore() implements Outcome {}
  }
}
