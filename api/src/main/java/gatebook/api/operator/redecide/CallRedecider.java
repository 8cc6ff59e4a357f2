package gatebook.api.operator.redecide;

import static gatebook.api.rpc.JsonStrings.quoted;

import gatebook.api.gateway.message.DialectHandler;
import gatebook.api.gateway.message.DialectHandler.DialectCall;
import gatebook.api.rpc.ObjectMembers;
import gatebook.api.upstream.mcp.McpMethod;
import gatebook.command.call.Intent;
import gatebook.command.gate.GateInput.TargetKind;
import gatebook.command.redact.Scrubber;
import gatebook.command.redecide.CallRedecision;
import gatebook.command.redecide.Redecision;
import gatebook.command.rules.Rules;
import gatebook.events.CallReceived;
import gatebook.events.call.Principal;
import gatebook.events.vocabulary.ContentState;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Redecides one recorded call, under any rules. */
final class CallRedecider {

  private final CallReceived call;
  private final OriginalParams originalParams;
  private final DialectHandler dialectHandler;
  private final CallRedecision callRedecision;
  private @Nullable String readParams;
  private @Nullable ObjectMembers members;

  /** The outcome of redeciding. */
  sealed interface Result {
    record Done(Redecision decided) implements Result {}

    record Impossible(NotRedecidable why) implements Result {}
  }

  CallRedecider(CallReceived call, ContentState contentState, RedecideContext redecideContext) {
    this.call = call;
    this.originalParams = OriginalParams.of(call, contentState, redecideContext.contentDigests());
    this.dialectHandler =
        Objects.requireNonNull(
            redecideContext.handlers().get(call.dialect()), "a dialect not spoken here");
    this.callRedecision = redecideContext.callRedecision();
  }

  /** Decides it with the recorded roles and attributes of its principal. */
  Result decide(Rules rules, Instant at) {
    return decide(rules, at, call.principal());
  }

  /**
   * Decides it.
   *
   * @param principal whose roles and attributes the gates see
   */
  Result decide(Rules rules, Instant at, Principal principal) {
    if (Scrubber.isMarked(call.method()) && call.target() != null) {
      return new Result.Impossible(secretRemoved("method"));
    }
    return switch (originalParams) {
      case OriginalParams.Whole(var params) ->
          new Result.Done(redecision(params, at, principal, rules));
      case OriginalParams.Arguments(var arguments) ->
          decideFromParts(arguments, null, at, principal, rules);
      case OriginalParams.Missing(var why) -> decideFromParts(null, why, at, principal, rules);
    };
  }

  /**
   * Redecides with params that are rebuilt from the recorded target and arguments; they mean the
   * same as the original ones, except for what is {@code missing}.
   */
  private Result decideFromParts(
      @Nullable String arguments,
      @Nullable NotRedecidable missing,
      Instant at,
      Principal principal,
      Rules rules) {
    if (call.target() != null && Scrubber.isMarked(call.target())) {
      return new Result.Impossible(Objects.requireNonNullElse(missing, secretRemoved("target")));
    }
    String params = params(arguments);
    Redecision redecision = redecision(params, at, principal, rules);
    if (!redecision.readsArguments()) {
      return new Result.Done(redecision);
    }
    if (missing != null) {
      return new Result.Impossible(missing);
    }
    return isMethodIntent(intent(params, rules)) == isMethodTarget()
        ? new Result.Done(redecision)
        : new Result.Impossible(
            new NotRedecidable(
                "not-kept",
                "the call now goes to a source that gets all of its params, of which only the"
                    + " arguments are kept: see record.originals"));
  }

  private static NotRedecidable secretRemoved(String what) {
    return new NotRedecidable(
        "not-kept",
        "a secret was removed from the %s, and gates decide by the whole value".formatted(what));
  }

  private Redecision redecision(
      @Nullable String params, Instant at, Principal principal, Rules rules) {
    DialectCall dialectCall = dialectCallOf(params, rules);
    return callRedecision.decide(
        CallRedecision.receiveCommand(
            call,
            principal,
            dialectHandler.recordedIntent(call, dialectCall),
            params,
            dialectHandler.arguments(dialectCall).orElse(null),
            at,
            rules),
        rules);
  }

  private Intent intent(@Nullable String params, Rules rules) {
    return dialectHandler.recordedIntent(call, dialectCallOf(params, rules));
  }

  /** Several rules decide a call, and its params are read once for all of them. */
  private DialectCall dialectCallOf(@Nullable String params, Rules rules) {
    ObjectMembers known = members;
    if (known == null || !Objects.equals(params, readParams)) {
      known = ObjectMembers.of(params);
      members = known;
      readParams = params;
    }
    return DialectCall.of(call, params, known, rules);
  }

  private @Nullable String params(@Nullable String arguments) {
    Optional<String> member =
        isMethodTarget() ? Optional.empty() : McpMethod.targetMember(call.method());
    return member.map(name -> params(name, arguments)).orElse(arguments);
  }

  private String params(String member, @Nullable String arguments) {
    return "{%s:%s%s}"
        .formatted(
            quoted(member),
            quoted(Objects.requireNonNullElse(call.target(), "")),
            arguments == null ? "" : ",\"arguments\":" + arguments);
  }

  /**
   * Whether the call's method is its own target, as it is when a source handles the method itself.
   */
  private boolean isMethodTarget() {
    return call.method().equals(call.target());
  }

  private static boolean isMethodIntent(Intent intent) {
    return intent instanceof Intent.Act(_, var targetKind, _, _) && targetKind == TargetKind.METHOD;
  }
}
