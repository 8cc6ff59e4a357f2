package gatebook.api.operator.methods;

import gatebook.api.operator.rpc.CallParams;
import gatebook.api.operator.rpc.OperatorMethod.Outcome;
import gatebook.api.operator.rpc.ParamTypes;
import gatebook.api.rpc.RequestMember;
import gatebook.command.redact.Scrubber;
import gatebook.query.errors.Counted;
import gatebook.query.errors.ErrorFilter;
import gatebook.query.projection.ColumnFilter;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The filters of the counting methods and of their lists, as params. The members of a group, with
 * null for one that it lacks, are the filter of exactly that group.
 */
final class CountedFilters {
  static final List<RequestMember> DENIALS =
      List.of(
          RequestMember.optional(
              "gate",
              ParamTypes.GATE_OR_NULL,
              "The gate that denied; null for a principal that the candidate does not know."),
          RequestMember.optional("tool", ParamTypes.TEXT_OR_NULL, "The target of the call."),
          RequestMember.optional("principal", ParamTypes.TEXT, "The principal that called."),
          RequestMember.optional("reason", ParamTypes.REASON_WORD, "The reason of the denial."),
          RequestMember.optional(
              "dialect",
              ParamTypes.DIALECT_OR_NULL,
              "The dialect of the caller; null until it was told."),
          RequestMember.optional(
              "code",
              ParamTypes.CODE_OR_NULL,
              "The code of the error response; null until the caller was told."));

  static final List<RequestMember> ERRORS =
      List.of(
          RequestMember.optional(
              "fingerprint", ParamTypes.FINGERPRINT, "The fingerprint of a group."),
          RequestMember.optional("dialect", ParamTypes.DIALECT, "The dialect of the callers."),
          RequestMember.optional(
              "code",
              ParamTypes.ERROR_CODE,
              "The code as groups have it; null for counts of refused messages."),
          RequestMember.optional("fault", ParamTypes.TEXT, "The kind of fault."),
          RequestMember.optional("gate", ParamTypes.GATE_OR_NULL, "The gate that denied."),
          RequestMember.optional("target", ParamTypes.TEXT_OR_NULL, "The target of the call."),
          RequestMember.optional(
              "agent",
              ParamTypes.TEXT_OR_NULL,
              "The agent that was addressed; leaves out all errors but those of agents."),
          RequestMember.optional(
              "skill",
              ParamTypes.TEXT_OR_NULL,
              "The skill that was addressed; leaves out all errors but those of agents."));

  private static final String OBSERVED = "observed";

  /** The members that a denial has once its caller is told. */
  private static final Set<String> TOLD = Set.of("dialect", "code");

  /** The members that name a target. */
  private static final Set<String> TARGETS = Set.of("tool", "target");

  private CountedFilters() {}

  /** The param that asks for what a candidate would deny. */
  static RequestMember observed(String description) {
    return RequestMember.optional(OBSERVED, ParamTypes.BOOLEAN, description).byDefault("false");
  }

  static ErrorFilter denials(CallParams callParams, Optional<Instant> until) {
    return isOfObserved(callParams)
        ? filter(
            Counted.OBSERVED,
            DENIALS.stream().filter(it -> !TOLD.contains(it.name())).toList(),
            callParams,
            until)
        : filter(Counted.DENIALS, DENIALS, callParams, until);
  }

  static boolean isOfObserved(CallParams callParams) {
    return callParams.isTrue(OBSERVED);
  }

  /**
   * The answer to params that ask for what a candidate would deny, and for what only callers that
   * were told have; empty for others.
   */
  static Optional<Outcome> contradiction(CallParams callParams) {
    return isOfObserved(callParams)
            && (TOLD.stream().anyMatch(callParams::has) || callParams.texts("by").contains("code"))
        ? Optional.of(
            new Outcome.InvalidParams(
                "observed leaves out dialect and code: no caller is told what is observed",
                OBSERVED,
                "false, or neither dialect nor code",
                "true"))
        : Optional.empty();
  }

  static ErrorFilter errors(CallParams callParams) {
    return filter(Counted.ERRORS, ERRORS, callParams, callParams.time("until"));
  }

  private static ErrorFilter filter(
      Counted counted,
      List<RequestMember> members,
      CallParams callParams,
      Optional<Instant> until) {
    return new ErrorFilter(
        counted,
        callParams.time("since"),
        until,
        members.stream()
            .collect(
                Collectors.toMap(RequestMember::name, it -> condition(callParams, it.name()))));
  }

  private static ColumnFilter condition(CallParams callParams, String member) {
    return TARGETS.contains(member) ? name(callParams, member) : callParams.textFilter(member);
  }

  /** The name of a target as it is recorded. */
  private static ColumnFilter name(CallParams callParams, String name) {
    return callParams
        .optionalText(name)
        .<ColumnFilter>map(text -> new ColumnFilter.Exactly(Scrubber.NAMES.scrub(text)))
        .orElseGet(() -> callParams.filter(name));
  }
}
