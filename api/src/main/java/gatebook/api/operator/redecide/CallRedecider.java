package gatebook.api.operator.redecide;

import static gatebook.api.rpc.JsonStrings.quoted;

import gatebook.api.gateway.DialectHandler;
import gatebook.api.gateway.DialectHandler.Asking;
import gatebook.api.upstream.mcp.CallTargets;
import gatebook.command.call.Intent;
import gatebook.command.gate.GateInput.On;
import gatebook.command.redact.Scrubber;
import gatebook.command.redecide.CallRedecision;
import gatebook.command.redecide.Redecision;
import gatebook.command.rules.Rules;
import gatebook.events.CallReceived;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One recorded call, as often decided again as wanted. */
final class CallRedecider {

  private final CallReceived call;
  private final OriginalParams originalParams;
  private final DialectHandler dialectHandler;
  private final CallRedecision deciding;

  /** What deciding again ends in. */
  sealed interface Result {
    record Done(Redecision decided) implements Result {}

    record Impossible(NotRedecidable why) implements Result {}
  }

  CallRedecider(CallReceived call, RedecideContext redecideContext) {
    this.call = call;
    this.originalParams = OriginalParams.of(call, redecideContext.keeper());
    this.dialectHandler =
        Objects.requireNonNull(
            redecideContext.methods().get(call.dialect()), "a dialect not spoken here");
    this.deciding = redecideContext.deciding();
  }

  Result under(Rules rules, Instant at) {
    if (Scrubber.isMarked(call.method()) && call.target() != null) {
      return new Result.Impossible(notNamed("method"));
    }
    return switch (originalParams) {
      case OriginalParams.Whole(var params) -> new Result.Done(decided(params, at, rules));
      case OriginalParams.Arguments(var arguments) -> byParts(arguments, null, at, rules);
      case OriginalParams.Missing(var why) -> byParts(null, why, at, rules);
    };
  }

  /** Params that mean the same as those that were sent, as far as {@code missing} is absent. */
  private Result byParts(
      @Nullable String arguments, @Nullable NotRedecidable missing, Instant at, Rules rules) {
    if (call.target() != null && Scrubber.isMarked(call.target())) {
      return new Result.Impossible(Objects.requireNonNullElse(missing, notNamed("target")));
    }
    String params = params(arguments);
    Redecision redecision = decided(params, at, rules);
    if (!redecision.byArguments()) {
      return new Result.Done(redecision);
    }
    if (missing != null) {
      return new Result.Impossible(missing);
    }
    return isMethod(aim(params, rules)) == wasMethod()
        ? new Result.Done(redecision)
        : new Result.Impossible(
            new NotRedecidable(
                "not-kept",
                "the call now goes to a source that is given all of its params, of which only the"
                    + " arguments are kept: see record.originals"));
  }

  private static NotRedecidable notNamed(String what) {
    return new NotRedecidable(
        "not-kept",
        "a secret was taken out of the %s, and gates decide by all of it".formatted(what));
  }

  private Redecision decided(@Nullable String params, Instant at, Rules rules) {
    Asking asking = asking(params, rules);
    return deciding.decide(
        CallRedecision.command(
            call,
            dialectHandler.aim(asking),
            params,
            dialectHandler.arguments(asking).orElse(null),
            at,
            rules));
  }

  private Intent aim(@Nullable String params, Rules rules) {
    return dialectHandler.aim(asking(params, rules));
  }

  private Asking asking(@Nullable String params, Rules rules) {
    return Asking.of(call, params, rules);
  }

  private @Nullable String params(@Nullable String arguments) {
    Optional<String> member = wasMethod() ? Optional.empty() : CallTargets.member(call.method());
    return member.map(name -> params(name, arguments)).orElse(arguments);
  }

  private String params(String member, @Nullable String arguments) {
    return "{%s:%s%s}"
        .formatted(
            quoted(member),
            quoted(Objects.requireNonNullElse(call.target(), "")),
            arguments == null ? "" : ",\"arguments\":" + arguments);
  }

  /** A method that a source answers for is its own target. */
  private boolean wasMethod() {
    return call.method().equals(call.target());
  }

  private static boolean isMethod(Intent intent) {
    return intent instanceof Intent.Act(_, var on, _) && on == On.METHOD;
  }
}
