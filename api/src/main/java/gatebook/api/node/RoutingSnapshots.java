package gatebook.api.node;

import gatebook.api.gateway.message.RoutingSnapshot;
import gatebook.api.memory.InFlightMemory;
import gatebook.api.rules.RulesStatus;
import gatebook.api.upstream.source.UpstreamLimits;
import gatebook.api.upstream.source.Upstreams;
import gatebook.command.rules.Limit;
import gatebook.command.rules.Rules;
import gatebook.events.fault.ServerFault;
import gatebook.events.fault.ServerFault.Cause;
import gatebook.events.fault.ServerFault.ConfigurationError;
import gatebook.events.fault.ServerFault.ServiceUnavailable;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;

/** Supplies routing snapshots: the rules in force with the upstreams of their sources. */
final class RoutingSnapshots implements Supplier<RoutingSnapshot> {

  private static final long RETRY_SECONDS = 1;

  private final Function<Rules, RoutingSnapshot> factory;
  private volatile Supplier<RulesStatus> rulesStatus = RulesStatus.NotRecorded::new;
  private volatile Built last =
      new Built(Rules.NONE, unavailable(new ConfigurationError("no rules were read yet")));

  private record Built(Rules rules, RoutingSnapshot snapshot) {}

  /** {@code factory} builds the snapshot of rules; it is called once for each. */
  RoutingSnapshots(Function<Rules, RoutingSnapshot> factory) {
    this.factory = factory;
  }

  /** The snapshot of rules: each source's upstream, within the limits of the rules. */
  static RoutingSnapshot of(Rules rules, Upstreams upstreams) {
    return new RoutingSnapshot(
        rules, upstreams.update(rules.sources(), UpstreamLimits.of(rules.limits())), null);
  }

  /** Uses these rules from now on. */
  void useRules(Supplier<RulesStatus> rules) {
    rulesStatus = rules;
  }

  @Override
  public RoutingSnapshot get() {
    return switch (rulesStatus.get()) {
      case RulesStatus.InForce(var rules) -> of(rules);
      case RulesStatus.Broken _ ->
          unavailable(new ConfigurationError("the rules file has mistakes"));
      case RulesStatus.NotRecorded _ ->
          unavailable(new ServiceUnavailable(Cause.JOURNAL, RETRY_SECONDS));
    };
  }

  private RoutingSnapshot of(Rules rules) {
    Built built = last;
    return PerRulesValue.isSame(built.rules, rules) ? built.snapshot : rebuilt(rules);
  }

  private synchronized RoutingSnapshot rebuilt(Rules rules) {
    if (!PerRulesValue.isSame(last.rules, rules)) {
      last = new Built(rules, factory.apply(rules));
      InFlightMemory.OF_PROCESS.setPercentMax(
          rules.limits().getInt(Limit.IN_FLIGHT_HEAP_PERCENT_MAX));
    }
    return last.snapshot;
  }

  static RoutingSnapshot unavailable(ServerFault obstacle) {
    return new RoutingSnapshot(Rules.NONE, Map.of(), obstacle);
  }
}
