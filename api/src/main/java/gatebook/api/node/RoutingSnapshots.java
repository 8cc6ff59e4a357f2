package gatebook.api.node;

import gatebook.api.gateway.RoutingSnapshot;
import gatebook.api.rules.RulesStatus;
import gatebook.api.upstream.http.ConnectionLimits;
import gatebook.api.upstream.source.Upstreams;
import gatebook.command.rules.GatewayLimits;
import gatebook.command.rules.Rules;
import gatebook.events.fault.ServerFault;
import gatebook.events.fault.ServerFault.Cause;
import gatebook.events.fault.ServerFault.ConfigurationError;
import gatebook.events.fault.ServerFault.ServiceUnavailable;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;

/** What calls stand on: the rules in force together with the sources they name. */
final class RoutingSnapshots implements Supplier<RoutingSnapshot> {

  private static final long RETRY_SECONDS = 1;

  private final Function<Rules, RoutingSnapshot> making;
  private volatile Supplier<RulesStatus> standing = RulesStatus.NotRecorded::new;
  private volatile Made last =
      new Made(Rules.NONE, nothing(new ConfigurationError("no rules were read yet")));

  private record Made(Rules rules, RoutingSnapshot ground) {}

  /** {@code making} says what calls stand on under rules; it is asked once for each. */
  RoutingSnapshots(Function<Rules, RoutingSnapshot> making) {
    this.making = making;
  }

  /** The sources that the rules name, each with all that the rules allow it. */
  static RoutingSnapshot on(Rules rules, Upstreams upstreams) {
    GatewayLimits gatewayLimits = rules.limits();
    return new RoutingSnapshot(
        rules,
        upstreams.of(rules.sources(), bounds(gatewayLimits), gatewayLimits.depthMax()),
        null);
  }

  /** Goes by these rules from now on. */
  void standOn(Supplier<RulesStatus> rules) {
    standing = rules;
  }

  @Override
  public RoutingSnapshot get() {
    return switch (standing.get()) {
      case RulesStatus.InForce(var rules) -> on(rules);
      case RulesStatus.Broken _ -> nothing(new ConfigurationError("the rules file has mistakes"));
      case RulesStatus.NotRecorded _ ->
          nothing(new ServiceUnavailable(Cause.JOURNAL, RETRY_SECONDS));
    };
  }

  private RoutingSnapshot on(Rules rules) {
    Made made = last;
    return PerRulesValue.same(made.rules, rules) ? made.ground : changed(rules);
  }

  private synchronized RoutingSnapshot changed(Rules rules) {
    if (!PerRulesValue.same(last.rules, rules)) {
      last = new Made(rules, making.apply(rules));
    }
    return last.ground;
  }

  private static ConnectionLimits bounds(GatewayLimits gatewayLimits) {
    ConnectionLimits normal = ConnectionLimits.DEFAULT;
    return new ConnectionLimits(
        normal.connectionsMax(),
        normal.waitingMax(),
        normal.idleMillisMax(),
        gatewayLimits.connectMillisMax(),
        gatewayLimits.headerBytesMax(),
        gatewayLimits.answerBytesMax(),
        gatewayLimits.streamsMax(),
        gatewayLimits.streamMillisMax());
  }

  static RoutingSnapshot nothing(ServerFault obstacle) {
    return new RoutingSnapshot(Rules.NONE, Map.of(), obstacle);
  }
}
