package gatebook.command.policy;

import com.cedarpolicy.model.AuthorizationResponse;
import com.cedarpolicy.model.AuthorizationSuccessResponse;
import com.cedarpolicy.model.AuthorizationSuccessResponse.AuthorizationError;
import gatebook.events.call.DenialReason;
import gatebook.events.call.Ruling;
import gatebook.events.call.Verdict;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The policies' answer to a question: the verdict, the deciding policies and the errors. */
record PolicyAnswer(Verdict verdict, List<String> reasons, List<String> errors) {

  static final PolicyAnswer NOTHING_PERMITS = deny(DenialReason.NO_POLICY_PERMITS, List.of());

  /** Converts the engine's response; any evaluation error denies. */
  static PolicyAnswer of(AuthorizationResponse response) {
    return response
        .success
        .map(PolicyAnswer::evaluated)
        .orElseGet(() -> failed("the policy engine could not read the question"));
  }

  /** A denial because there was no answer; {@code why} is for operators. */
  static PolicyAnswer failed(String why) {
    return new PolicyAnswer(new Verdict.Deny(DenialReason.POLICY_ERROR, why), List.of(), List.of());
  }

  private static PolicyAnswer evaluated(AuthorizationSuccessResponse response) {
    List<String> reasons = response.getReason().stream().sorted().toList();
    List<String> errors = response.getErrors().stream().map(PolicyAnswer::error).sorted().toList();
    if (!errors.isEmpty()) {
      return new PolicyAnswer(new Verdict.Deny(DenialReason.POLICY_ERROR, null), reasons, errors);
    }
    if (response.isAllowed()) {
      return new PolicyAnswer(new Verdict.Pass(), reasons, errors);
    }
    return reasons.isEmpty() ? NOTHING_PERMITS : deny(DenialReason.POLICY_FORBIDS, reasons);
  }

  private static PolicyAnswer deny(DenialReason reason, List<String> reasons) {
    return new PolicyAnswer(new Verdict.Deny(reason, null), reasons, List.of());
  }

  private static String error(AuthorizationError error) {
    return error.getPolicyId() + ": " + cause(error.getError().message);
  }

  /** The engine's message if it quotes only the policy and types, never a value. */
  private static String cause(String message) {
    int attribute = message.indexOf("does not have the attribute `");
    if (attribute >= 0) {
      return message.substring(attribute);
    }
    if (message.startsWith("type error: ") || message.equals("recursion limit reached")) {
      return message;
    }
    if (message.startsWith("integer overflow")) {
      return "integer overflow";
    }
    return "an expression could not be evaluated";
  }

  boolean isError() {
    return verdict instanceof Verdict.Deny(var reason, var _)
        && reason == DenialReason.POLICY_ERROR;
  }

  Ruling.Policy ruling(@Nullable String policyId, boolean cached, long tookMicros) {
    return new Ruling.Policy(
        verdict, policyId, reasons, errors, CedarEngine.VERSION, cached, tookMicros);
  }
}
