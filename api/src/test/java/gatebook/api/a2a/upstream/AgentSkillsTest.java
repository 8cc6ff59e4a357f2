package gatebook.api.a2a.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import gatebook.api.a2a.upstream.AgentSkills.Skill;
import gatebook.api.a2a.upstream.AgentSkills.SkillList;
import gatebook.api.gateway.message.RoutingSnapshot;
import gatebook.api.mcp.FixedToolsUpstream;
import gatebook.api.upstream.Upstream;
import gatebook.api.upstream.Upstream.Ended;
import gatebook.api.upstream.source.ScriptedUpstream;
import gatebook.command.rules.ExposeRules;
import gatebook.command.rules.GatewayLimits;
import gatebook.command.rules.Glob;
import gatebook.command.rules.Limit;
import gatebook.command.rules.Rules;
import gatebook.command.rules.Source;
import gatebook.command.rules.Source.Kind;
import gatebook.events.call.Exposure;
import gatebook.events.fault.UpstreamFault.UpstreamError;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The skills of the built-in agent, and how often sources are asked for their tools. */
final class AgentSkillsTest {
  private static final Skill ECHO = new Skill("x.echo", "Echoes", "Says it again");
  private static final Skill PAY = new Skill("x.pay", "x.pay", "Calls the tool x.pay");
  private static final Upstream.Listing TOOLS =
      new Upstream.Listing.Tools(
          List.of(
              new Upstream.Tool(
                  "echo",
                  """
                  {"name":"echo","title":"Echoes","description":"Says it again"}\
                  """),
              new Upstream.Tool("pay", "{\"name\":\"pay\",\"description\":\" \"}"),
              new Upstream.Tool("admin", "{\"name\":\"admin\"}")));

  private final ScriptedUpstream upstream = new ScriptedUpstream();
  private Instant now = Instant.parse("2026-10-01T12:00:00Z");
  private RoutingSnapshot routingSnapshot = snapshot();
  private final AgentSkills agentSkills = new AgentSkills(() -> routingSnapshot, () -> now);

  @BeforeEach
  void listTools() {
    upstream.listing = CompletableFuture.completedFuture(TOOLS);
  }

  private RoutingSnapshot snapshot() {
    return snapshot(60_000);
  }

  private RoutingSnapshot snapshot(long waitMillis) {
    Source source =
        FixedToolsUpstream.source(
            "a", Kind.MCP, "x.", new ExposeRules(Exposure.BLOCKLIST, List.of(new Glob("admin"))));
    return new RoutingSnapshot(
        rules(
            waitMillis,
            List.of(
                source,
                FixedToolsUpstream.source("off", Kind.MCP, "off.", false, ExposeRules.ALL),
                FixedToolsUpstream.source("rpc", Kind.JSONRPC, "", ExposeRules.ALL),
                FixedToolsUpstream.source(
                    "planner",
                    Kind.A2A,
                    "planner/",
                    new ExposeRules(Exposure.BLOCKLIST, List.of(new Glob("skills/hidden")))))),
        Map.of("a", upstream, "planner", upstream),
        null);
  }

  private static Rules rules(long waitMillis, List<Source> sources) {
    Rules rules = FixedToolsUpstream.rules(sources.toArray(Source[]::new));
    return new Rules(
        rules.hash(),
        rules.sources(),
        rules.governance(),
        rules.workflows(),
        rules.policies(),
        rules.inspectors(),
        rules.principals(),
        rules.operators(),
        rules.webhooks(),
        rules.redaction(),
        rules.recording(),
        GatewayLimits.DEFAULT.with(Limit.AGENT_CARD_WAIT_MILLIS_MAX, waitMillis));
  }

  @Test
  void toolsThatEverybodySeesAreSkills() {
    assertThat(skills()).isEqualTo(new SkillList(List.of(ECHO, PAY), true));
  }

  @Test
  void listIsRememberedForAMinute() {
    skills();
    now = now.plusSeconds(59);
    skills();
    assertThat(upstream.listings).hasValue(1);

    now = now.plusSeconds(1);
    skills();
    assertThat(upstream.listings).hasValue(2);
  }

  @Test
  void newRulesAskAgain() {
    skills();
    routingSnapshot = snapshot();
    skills();

    assertThat(upstream.listings).hasValue(2);
  }

  @Test
  void failedListIsIncompleteAndAskedForSoonAgain() {
    upstream.listing =
        CompletableFuture.completedFuture(
            new Upstream.Listing.Failed(
                new Ended.Failure(new UpstreamError("a", null, "no", null, null))));
    assertThat(skills()).isEqualTo(new SkillList(List.of(), false));

    now = now.plus(Duration.ofMillis(999));
    skills();
    assertThat(upstream.listings).hasValue(1);

    upstream.listing = CompletableFuture.completedFuture(TOOLS);
    now = now.plusMillis(1);
    assertThat(skills()).isEqualTo(new SkillList(List.of(ECHO, PAY), true));
  }

  @Test
  void skillThatIsInNoCardIsLacking() {
    assertThat(agentSkills.lacksShown("planner", "pay").join()).isFalse();
    assertThat(agentSkills.lacksShown("planner", "route").join()).isTrue();
    assertThat(agentSkills.lacksShown("planner", "hidden").join()).isFalse();
  }

  @Test
  void cardThatCannotBeHadMayHaveAnySkill() {
    upstream.listing = CompletableFuture.failedFuture(new IllegalStateException("no"));

    assertThat(agentSkills.lacksShown("planner", "route").join()).isFalse();
  }

  @Test
  void brokenListIsIncomplete() {
    upstream.listing = CompletableFuture.failedFuture(new IllegalStateException("no"));

    assertThat(skills()).isEqualTo(new SkillList(List.of(), false));
  }

  @Test
  void listThatComesInTimeIsWaitedFor() {
    upstream.listing = new CompletableFuture<>();
    CompletableFuture<SkillList> skills = agentSkills.ofTools();
    assertThat(skills).isNotDone();

    upstream.listing.complete(TOOLS);

    assertThat(skills.join()).isEqualTo(new SkillList(List.of(ECHO, PAY), true));
  }

  @Test
  void lateListIsMissingUntilItIsThere() {
    routingSnapshot = snapshot(10);
    upstream.listing = new CompletableFuture<>();
    assertThat(skills()).isEqualTo(new SkillList(List.of(), false));
    now = now.plusSeconds(3_600);
    assertThat(skills()).isEqualTo(new SkillList(List.of(), false));
    assertThat(upstream.listings).hasValue(1);

    upstream.listing.complete(TOOLS);

    assertThat(skills()).isEqualTo(new SkillList(List.of(ECHO, PAY), true));
  }

  @Test
  void incompleteListMayHaveAnySkill() {
    assertThat(new SkillList(List.of(ECHO), true).mayHave("x.echo")).isTrue();
    assertThat(new SkillList(List.of(ECHO), true).mayHave("echo")).isFalse();
    assertThat(new SkillList(List.of(ECHO), false).mayHave("echo")).isTrue();
  }

  private SkillList skills() {
    return agentSkills.ofTools().join();
  }
}
