package gatebook.api.operator;

import gatebook.command.rules.KnownOperator.Role;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * One thing operators can ask.
 *
 * @param roles each of which is enough to ask it
 * @param showsCalls whether its answer shows what callers did, so that it must be recorded who saw
 *     it
 */
record OperatorMethod(
    String name,
    String summary,
    List<MethodParam> params,
    Set<Role> roles,
    boolean showsCalls,
    Answering answering) {

  OperatorMethod {
    params = List.copyOf(params);
    roles = Set.copyOf(roles);
  }

  /** Finds the answer; may block. */
  @FunctionalInterface
  interface Answering {
    Outcome answer(CallParams callParams, Operator asker) throws InterruptedException;
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

    /** There is nothing to answer with: the question was about a call that is not there. */
    record NoSuch(String sentence, UUID call) implements Outcome {}

    /** The params are wrong in a way that no type of theirs can tell. */
    record Wrong(String sentence) implements Outcome {}

    /** The question was about one call, and its id stands for none or for several. */
    record NotOne(String sentence) implements Outcome {}

    /** Not now; the sentence says what to do. */
    record Busy(String sentence) implements Outcome {}

    static Outcome answered(Object result) {
      return new Answered(result, Optional.empty());
    }
  }
}
