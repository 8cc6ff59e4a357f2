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
import java.util.function.Supplier;

/** What calls stand on: the rules in force together with the sources they name. */
final class Grounds implements Supplier<Ground> {

  private static final long RETRY_SECONDS = 1;

  private final Upstreams upstreams;
  private volatile Supplier<Standing> standing = Standing.NotRecorded::new;
  private volatile Ground last = nothing(new ConfigurationError("no rules were read yet"));

  Grounds(Upstreams upstreams) {
    this.upstreams = upstreams;
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
    Ground ground = last;
    return PerRules.same(ground.rules(), rules) ? ground : changed(rules);
  }

  private synchronized Ground changed(Rules rules) {
    if (!PerRules.same(last.rules(), rules)) {
      Limits limits = rules.limits();
      last =
          new Ground(rules, upstreams.of(rules.sources(), bounds(limits), limits.depthMax()), null);
    }
    return last;
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

  private static Ground nothing(ServerFault obstacle) {
    return new Ground(Rules.NONE, Map.of(), obstacle);
  }
}
