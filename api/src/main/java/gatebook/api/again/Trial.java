package gatebook.api.again;

import static gatebook.api.rpc.Quoted.quoted;

import gatebook.api.border.Methods;
import gatebook.api.border.Methods.Asking;
import gatebook.api.upstream.Names;
import gatebook.command.again.DecideAgain;
import gatebook.command.again.Decided;
import gatebook.command.gate.Asked.On;
import gatebook.command.receive.Aim;
import gatebook.command.redact.Scrubber;
import gatebook.command.rules.Rules;
import gatebook.events.CallReceived;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One recorded call, as often decided again as wanted. */
final class Trial {

  private final CallReceived call;
  private final Original original;
  private final Methods methods;
  private final DecideAgain deciding;

  /** What deciding again ends in. */
  sealed interface Result {
    record Done(Decided decided) implements Result {}

    record Impossible(NotReplayable why) implements Result {}
  }

  Trial(CallReceived call, Means means) {
    this.call = call;
    this.original = Original.of(call, means.keeper());
    this.methods =
        Objects.requireNonNull(means.methods().get(call.dialect()), "a dialect not spoken here");
    this.deciding = means.deciding();
  }

  Result under(Rules rules, Instant at) {
    if (Scrubber.isMarked(call.method()) && call.target() != null) {
      return new Result.Impossible(notNamed("method"));
    }
    return switch (original) {
      case Original.Whole(var params) -> new Result.Done(decided(params, at, rules));
      case Original.Arguments(var arguments) -> byParts(arguments, null, at, rules);
      case Original.Missing(var why) -> byParts(null, why, at, rules);
    };
  }

  /** Params that mean the same as those that were sent, as far as {@code missing} is absent. */
  private Result byParts(
      @Nullable String arguments, @Nullable NotReplayable missing, Instant at, Rules rules) {
    if (call.target() != null && Scrubber.isMarked(call.target())) {
      return new Result.Impossible(Objects.requireNonNullElse(missing, notNamed("target")));
    }
    String params = params(arguments);
    Decided decided = decided(params, at, rules);
    if (!decided.byArguments()) {
      return new Result.Done(decided);
    }
    if (missing != null) {
      return new Result.Impossible(missing);
    }
    return isMethod(aim(params, rules)) == wasMethod()
        ? new Result.Done(decided)
        : new Result.Impossible(
            new NotReplayable(
                "not-kept",
                "the call now goes to a source that is given all of its params, of which only the"
                    + " arguments are kept: see record.originals"));
  }

  private static NotReplayable notNamed(String what) {
    return new NotReplayable(
        "not-kept",
        "a secret was taken out of the %s, and gates decide by all of it".formatted(what));
  }

  private Decided decided(@Nullable String params, Instant at, Rules rules) {
    Asking asking = asking(params, rules);
    return deciding.decide(
        DecideAgain.command(
            call, methods.aim(asking), params, methods.arguments(asking).orElse(null), at, rules));
  }

  private Aim aim(@Nullable String params, Rules rules) {
    return methods.aim(asking(params, rules));
  }

  private Asking asking(@Nullable String params, Rules rules) {
    return Asking.of(call, params, rules);
  }

  private @Nullable String params(@Nullable String arguments) {
    Optional<String> member = wasMethod() ? Optional.empty() : Names.member(call.method());
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

  private static boolean isMethod(Aim aim) {
    return aim instanceof Aim.Act(_, var on, _) && on == On.METHOD;
  }
}
