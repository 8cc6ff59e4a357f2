package gatebook.api.upstream.source;

import static org.assertj.core.api.Assertions.assertThat;

import gatebook.api.upstream.agent.client.AgentLimits;
import gatebook.api.upstream.http.ConnectionLimits;
import gatebook.command.rules.GatewayLimits;
import gatebook.command.rules.Limit;
import java.net.URI;
import org.junit.jupiter.api.Test;

/** The limits of upstreams, from those of the gateway and of their sources. */
final class UpstreamLimitsTest {

  @Test
  void defaultsAreThoseOfTheUpstreams() {
    assertThat(UpstreamLimits.DEFAULT)
        .isEqualTo(new UpstreamLimits(ConnectionLimits.DEFAULT, AgentLimits.DEFAULT, 256, 30_000));
  }

  @Test
  void limitsOfTheRulesAreUsed() {
    UpstreamLimits limits =
        UpstreamLimits.of(
                GatewayLimits.DEFAULT
                    .with(Limit.AGENT_STREAM_IDLE_MILLIS_MAX, 1)
                    .with(Limit.STREAM_MILLIS_MAX, 2)
                    .with(Limit.ANSWER_BYTES_MAX, 3)
                    .with(Limit.AGENT_STREAM_ITEMS_MAX, 4)
                    .with(Limit.AGENT_STREAM_BYTES_MAX, 5)
                    .with(Limit.DEPTH_MAX, 6)
                    .with(Limit.AGENT_CARD_MILLIS_MAX, 7)
                    .with(Limit.AGENT_CARD_BYTES_MAX, 12)
                    .with(Limit.STREAMS_MAX, 8)
                    .with(Limit.HEADER_BYTES_MAX, 9)
                    .with(Limit.ANSWER_MILLIS_MAX, 12))
            .of(TestSources.limited(URI.create("http://a"), 10, 11));

    assertThat(limits)
        .isEqualTo(
            new UpstreamLimits(
                new ConnectionLimits(64, 1_024, 30_000, 10, 9, 3, 8, 2),
                new AgentLimits(10, 11, 11, 1, 2, 3, 12, 3, 4, 5, 6, 1_024, 7),
                6,
                12));
  }
}
