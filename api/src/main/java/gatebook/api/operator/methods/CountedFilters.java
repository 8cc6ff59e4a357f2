package gatebook.api.operator.methods;

import gatebook.api.operator.rpc.CallParams;
import gatebook.api.operator.rpc.MethodParam;
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
  static final List<MethodParam> DENIALS =
      List.of(
          MethodParam.optional("gate", MethodParam.Type.GATE, "The gate that denied."),
          MethodParam.optional("tool", MethodParam.Type.TEXT_OR_NULL, "The target of the call."),
          MethodParam.optional("principal", MethodParam.Type.TEXT, "The principal that called."),
          MethodParam.optional("reason", MethodParam.Type.REASON_WORD, "The reason of the denial."),
          MethodParam.optional(
              "dialect",
              MethodParam.Type.DIALECT_OR_NULL,
              "The dialect of the caller; null until it was told."),
          MethodParam.optional(
              "code",
              MethodParam.Type.CODE_OR_NULL,
              "The code of the error response; null until the caller was told."));

  static final List<MethodParam> ERRORS =
      List.of(
          MethodParam.optional(
              "fingerprint", MethodParam.Type.FINGERPRINT, "The fingerprint of a group."),
          MethodParam.optional("dialect", MethodParam.Type.DIALECT, "The dialect of the callers."),
          MethodParam.optional(
              "code",
              MethodParam.Type.ERROR_CODE,
              "The code as groups have it; null for counts of refused messages."),
          MethodParam.optional("fault", MethodParam.Type.TEXT, "The kind of fault."),
          MethodParam.optional("gate", MethodParam.Type.GATE_OR_NULL, "The gate that denied."),
          MethodParam.optional("target", MethodParam.Type.TEXT_OR_NULL, "The target of the call."),
          MethodParam.optional(
              "agent",
              MethodParam.Type.TEXT_OR_NULL,
              "The agent that was addressed; leaves out all errors but those of agents."),
          MethodParam.optional(
              "skill",
              MethodParam.Type.TEXT_OR_NULL,
              "The skill that was addressed; leaves out all errors but those of agents."));

  /** The members that name a target. */
  private static final Set<String> TARGETS = Set.of("tool", "target");

  private CountedFilters() {}

  static ErrorFilter denials(CallParams callParams, Optional<Instant> until) {
    return filter(Counted.DENIALS, DENIALS, callParams, until);
  }

  static ErrorFilter errors(CallParams callParams) {
    return filter(Counted.ERRORS, ERRORS, callParams, callParams.time("until"));
  }

  private static ErrorFilter filter(
      Counted counted, List<MethodParam> members, CallParams callParams, Optional<Instant> until) {
    return new ErrorFilter(
        counted,
        callParams.time("since"),
        until,
        members.stream()
            .collect(Collectors.toMap(MethodParam::name, it -> condition(callParams, it.name()))));
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
