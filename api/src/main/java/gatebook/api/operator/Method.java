package gatebook.api.operator;

import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * One thing operators can ask.
 *
 * @param showsCalls whether its answer shows what callers did, so that it must be recorded who saw
 *     it
 */
record Method(
    String name, String summary, List<Param> params, boolean showsCalls, Answering answering) {

  Method {
    params = List.copyOf(params);
  }

  /** Finds the answer; may block. */
  @FunctionalInterface
  interface Answering {
    Outcome answer(Params params) throws InterruptedException;
  }

  /** What asking ends in. */
  sealed interface Outcome {
    /**
     * The answer.
     *
     * @param result what the answer shows, as objects that are written as JSON
     * @param call the one call it is about
     */
    record Answered(Object result, Optional<UUID> call) implements Outcome {}

    /** Not now; the sentence says what to do. */
    record Busy(String sentence) implements Outcome {}
  }
}
