package gatebook.api.a2a.card;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.databind.json.JsonMapper;
import gatebook.api.a2a.card.AgentCards.Shape;
import gatebook.api.a2a.message.A2aEndpoint;
import gatebook.api.a2a.upstream.AgentSkills;
import gatebook.api.gateway.message.RoutingSnapshot;
import gatebook.api.mcp.FixedToolsUpstream;
import gatebook.api.upstream.Upstream;
import gatebook.api.upstream.Upstream.Ended;
import gatebook.command.rules.ExposeRules;
import gatebook.command.rules.KnownPrincipal;
import gatebook.command.rules.Principals;
import gatebook.command.rules.Rules;
import gatebook.command.rules.Source.Kind;
import gatebook.events.call.Bytes;
import gatebook.events.call.Principal;
import gatebook.events.fault.UpstreamFault.UpstreamError;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The cards of agents, as they are sent. */
final class AgentCardsTest {
  private static final String BASE = "https://gate.example";
  private static final Path GOLDEN =
      Path.of(
          Objects.requireNonNull(System.getProperty("gatebook.root")),
          "api/src/test/resources/gatebook/api/a2a");
  private static final JsonMapper JSON = new JsonMapper();

  @ParameterizedTest
  @CsvSource({"BOTH,false", "V1,false", "BOTH,true", "V1,true"})
  void cardIsAsInItsGoldenFile(Shape shape, boolean hasPrincipals) throws IOException {
    ServedCard card = card(hasPrincipals, shape);

    Path file =
        GOLDEN.resolve(
            "card-%s%s.json"
                .formatted(
                    shape == Shape.V1 ? "1.0" : "both", hasPrincipals ? "-with-principals" : ""));
    assertThat(readable(card)).isEqualTo(Files.readString(file));
  }

  private static String readable(ServedCard card) throws IOException {
    DefaultPrettyPrinter printer = new DefaultPrettyPrinter();
    printer.indentArraysWith(DefaultIndenter.SYSTEM_LINEFEED_INSTANCE);
    return JSON.writer(printer).writeValueAsString(JSON.readTree(card.json())) + "\n";
  }

  @Test
  void missingSkillsAreTold() {
    ServedCard card =
        served(
            AgentCardsTest.cards(
                    FixedToolsUpstream.rules(
                        FixedToolsUpstream.source("a", Kind.MCP, "", ExposeRules.ALL)),
                    new Upstream.Listing.Failed(
                        new Ended.Failure(new UpstreamError("a", null, "no", null, null))))
                .of(A2aEndpoint.at("/a2a"), Shape.V1, BASE)
                .join());

    assertThat(card.isComplete()).isFalse();
    assertThat(new String(card.json(), UTF_8))
        .contains(" Some skills are missing: they could not be listed now.\"", "\"skills\":[]");
  }

  @ParameterizedTest
  @EnumSource
  void entityTagIsThatOfTheContent(Shape shape) {
    assertThat(card(false, shape).etag())
        .matches("\"[0-9a-f]{32}\"")
        .isEqualTo(card(false, shape).etag())
        .isNotEqualTo(card(true, shape).etag());
  }

  @ParameterizedTest
  @ValueSource(strings = {"/a2a/nobody", "/a2a/a", "/a2a/v2", "/a2a/nobody/v1"})
  void endpointWithoutAnAgentHasNoCard(String path) {
    assertThat(cards(rules(false), listing()).of(A2aEndpoint.at(path), Shape.BOTH, BASE).join())
        .isEqualTo(new CardLookup.Unknown());
  }

  private static ServedCard served(CardLookup lookup) {
    return ((CardLookup.Served) lookup).card();
  }

  private static ServedCard card(boolean hasPrincipals, Shape shape) {
    return served(
        cards(rules(hasPrincipals), listing()).of(A2aEndpoint.at(""), shape, BASE).join());
  }

  private static Upstream.Listing listing() {
    return new Upstream.Listing.Tools(
        List.of(
            new Upstream.Tool(
                "echo",
                """
                {"name":"echo","title":"Echoes \\"it\\"","description":"Says it\\nagain"}\
                """),
            new Upstream.Tool("pay", "{\"name\":\"pay\"}")));
  }

  private static AgentCards cards(Rules rules, Upstream.Listing listing) {
    RoutingSnapshot snapshot =
        new RoutingSnapshot(rules, Map.of("a", new FixedToolsUpstream("a", listing)), null);
    return new AgentCards(
        new AgentSkills(() -> snapshot, () -> Instant.EPOCH), () -> snapshot, "1.2.3");
  }

  private static Rules rules(boolean hasPrincipals) {
    Rules rules =
        FixedToolsUpstream.rules(FixedToolsUpstream.source("a", Kind.MCP, "x.", ExposeRules.ALL));
    return new Rules(
        rules.hash(),
        rules.sources(),
        rules.governance(),
        rules.workflows(),
        rules.policies(),
        rules.inspectors(),
        Principals.of(
            hasPrincipals
                ? List.of(
                    new KnownPrincipal(
                        Bytes.of(new byte[32]), new Principal("ci", List.of(), Map.of())))
                : List.of()),
        rules.operators(),
        rules.webhooks(),
        rules.redaction(),
        rules.recording(),
        rules.limits());
  }
}
