package gatebook.api.flow.task;

/** Listener of an execution, which receives each fact after it is recorded. */
@FunctionalInterface
public interface ExecutionListener {

  /**
   * Receives a fact. It must not block. What is told of one task comes in its order, and the end of
   * the execution comes last.
   *
   * @param share of the execution that is done, from 0 to 1
   */
  void on(ExecutionFact fact, double share);
}
