package gatebook.api.operator.rpc;

import gatebook.api.rpc.DeclaredParams;
import gatebook.api.rpc.RequestMember;
import gatebook.command.rules.KnownOperator.Role;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * A JSON-RPC method for operators.
 *
 * @param roles any one of them is enough
 * @param showsCalls whether the response shows what callers did; such a response is sent only when
 *     the request is recorded
 */
public record OperatorMethod(
    String name,
    String summary,
    DeclaredParams params,
    Set<Role> roles,
    boolean showsCalls,
    Handler handler) {

  public OperatorMethod {
    roles = Set.copyOf(roles);
  }

  public OperatorMethod(
      String name,
      String summary,
      List<RequestMember> params,
      Set<Role> roles,
      boolean showsCalls,
      Handler handler) {
    this(name, summary, new DeclaredParams(params), roles, showsCalls, handler);
  }

  /** Handles a call of the method; may block. */
  @FunctionalInterface
  public interface Handler {
    Outcome handle(CallParams callParams, Operator operator) throws InterruptedException;
  }

  /** The outcome of a method call. */
  public sealed interface Outcome {
    /**
     * A result.
     *
     * @param result serialised as JSON
     * @param call the one call that the result is about
     */
    record Answered(Object result, Optional<UUID> call) implements Outcome {}

    /**
     * How far work is that was recorded when it began. It shows nothing of calls, and is not
     * recorded, since programs ask for it often.
     *
     * @param result serialised as JSON
     */
    record Progress(Object result) implements Outcome {}

    /**
     * The request names a call that does not exist.
     *
     * @param data what a program needs to know of it
     */
    record UnknownCall(String sentence, UUID call, Map<String, String> data) implements Outcome {
      public UnknownCall(String sentence, UUID call) {
        this(sentence, call, Map.of());
      }
    }

    /** The call exists, and what was asked of it cannot be shown; the sentence says why. */
    record NotShown(String sentence, UUID call) implements Outcome {}

    /**
     * A param is invalid for a reason that its type does not express.
     *
     * @param data what a program needs to know of it
     */
    record InvalidParams(
        String sentence, String param, String expected, String received, Map<String, String> data)
        implements Outcome {
      public InvalidParams(String sentence, String param, String expected, String received) {
        this(sentence, param, expected, received, Map.of());
      }
    }

    /**
     * The method takes one call, and the id matches none or several.
     *
     * @param data what a program needs to know of it
     */
    record NotOneCall(String sentence, Map<String, String> data) implements Outcome {
      public NotOneCall(String sentence) {
        this(sentence, Map.of());
      }
    }

    /**
     * The method cannot run now; the sentence says what to do.
     *
     * @param data what a program needs to know of it
     */
    record Busy(String sentence, Map<String, String> data) implements Outcome {
      public Busy(String sentence) {
        this(sentence, Map.of());
      }
    }

    /** The operator lacks a role that the method needs for this; the sentence says which. */
    record NotPermitted(String sentence) implements Outcome {}

    static Outcome answered(Object result) {
      return new Answered(result, Optional.empty());
    }
  }
}
