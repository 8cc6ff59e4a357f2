package gatebook.api.gateway;

import gatebook.api.upstream.Upstream;
import gatebook.command.rules.Rules;
import gatebook.command.rules.Source;
import gatebook.events.fault.ServerFault;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What calls stand on at one moment.
 *
 * @param rules those in force, or none
 * @param upstreams by the ids of the rules' sources
 * @param obstacle why nothing that the rules govern can be served; absent when it can
 */
public record RoutingSnapshot(
    Rules rules, Map<String, Upstream> upstreams, @Nullable ServerFault obstacle) {
  public RoutingSnapshot {
    upstreams = Map.copyOf(upstreams);
  }

  /** Who answers for a source of these rules. */
  public Upstream upstream(Source source) {
    return Objects.requireNonNull(upstreams.get(source.id()), "every source has an upstream");
  }
}
