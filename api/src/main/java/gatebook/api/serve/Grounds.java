package gatebook.api.serve;

import gatebook.api.border.Ground;
import gatebook.api.rules.Standing;
import gatebook.api.upstream.Upstreams;
import gatebook.api.upstream.http.Bounds;
import gatebook.command.rules.Limits;
import gatebook.command.rules.Rules;
import gatebook.events.fault.ServerFault;
import gatebook.events.fault.ServerFault.Cause;
import gatebook.events.fault.ServerFault.ConfigurationError;
import gatebook.events.fault.ServerFault.ServiceUnavailable;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;

/** What calls stand on: the rules in force together with the sources they name. */
final class Grounds implements Supplier<Ground> {

  private static final long RETRY_SECONDS = 1;

  private final Function<Rules, Ground> making;
  private volatile Supplier<Standing> standing = Standing.NotRecorded::new;
  private volatile Made last =
      new Made(Rules.NONE, nothing(new ConfigurationError("no rules were read yet")));

  private record Made(Rules rules, Ground ground) {}

  /** {@code making} says what calls stand on under rules; it is asked once for each. */
  Grounds(Function<Rules, Ground> making) {
    this.making = making;
  }

  /** The sources that the rules name, each with all that the rules allow it. */
  static Ground on(Rules rules, Upstreams upstreams) {
    Limits limits = rules.limits();
    return new Ground(
        rules, upstreams.of(rules.sources(), bounds(limits), limits.depthMax()), null);
  }

  /** Goes by these rules from now on. */
  void standOn(Supplier<Standing> rules) {
    standing = rules;
  }

  @Override
  public Ground get() {
    return switch (standing.get()) {
      case Standing.InForce(var rules) -> on(rules);
      case Standing.Broken _ -> nothing(new ConfigurationError("the rules file has mistakes"));
      case Standing.NotRecorded _ -> nothing(new ServiceUnavailable(Cause.JOURNAL, RETRY_SECONDS));
    };
  }

  private Ground on(Rules rules) {
    Made made = last;
    return PerRules.same(made.rules, rules) ? made.ground : changed(rules);
  }

  private synchronized Ground changed(Rules rules) {
    if (!PerRules.same(last.rules, rules)) {
      last = new Made(rules, making.apply(rules));
    }
    return last.ground;
  }

  private static Bounds bounds(Limits limits) {
    Bounds normal = Bounds.DEFAULT;
    return new Bounds(
        normal.connectionsMax(),
        normal.waitingMax(),
        normal.idleMillisMax(),
        limits.connectMillisMax(),
        limits.headerBytesMax(),
        limits.answerBytesMax(),
        limits.streamsMax(),
        limits.streamMillisMax());
  }

  static Ground nothing(ServerFault obstacle) {
    return new Ground(Rules.NONE, Map.of(), obstacle);
  }
}
