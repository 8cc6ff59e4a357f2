package gatebook.api.upstream.source;

import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;

import gatebook.api.gateway.LimitsFixture;
import gatebook.api.upstream.agent.client.AgentLimits;
import gatebook.api.upstream.http.ConnectionLimits;
import java.net.URI;
import java.util.Map;
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
                LimitsFixture.by(
                    Map.ofEntries(
                        entry("agentStreamIdleMillisMax", 1),
                        entry("streamMillisMax", 2),
                        entry("answerBytesMax", 3),
                        entry("agentStreamItemsMax", 4),
                        entry("agentStreamBytesMax", 5),
                        entry("depthMax", 6),
                        entry("agentCardMillisMax", 7),
                        entry("agentCardBytesMax", 12),
                        entry("streamsMax", 8),
                        entry("headerBytesMax", 9),
                        entry("answerMillisMax", 12))))
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
