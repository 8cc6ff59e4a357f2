package gatebook.api.gateway.message;

import gatebook.api.upstream.Upstream;
import gatebook.command.rules.Rules;
import gatebook.command.rules.Source;
import gatebook.events.fault.ServerFault;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Snapshot of the rules and upstreams that calls are served with.
 *
 * @param rules those in force, or none
 * @param upstreams by the ids of the rules' sources
 * @param obstacle why calls that the rules govern cannot be served; absent when they can
 */
public record RoutingSnapshot(
    Rules rules, Map<String, Upstream> upstreams, @Nullable ServerFault obstacle) {
  public RoutingSnapshot {
    upstreams = Map.copyOf(upstreams);
  }

  /** The upstream of a source of these rules. */
  public Upstream upstream(Source source) {
    return Objects.requireNonNull(upstreams.get(source.id()), "every source has an upstream");
  }
}
