package gatebook.api.a2a.upstream;

import gatebook.api.gateway.RememberedTools;
import gatebook.api.gateway.message.RoutingSnapshot;
import gatebook.api.rpc.ObjectMembers;
import gatebook.api.upstream.Upstream;
import gatebook.api.upstream.Upstream.Listing;
import gatebook.api.upstream.mcp.SourceTools;
import gatebook.command.gate.SourceFamily;
import gatebook.command.gate.VisibilityGate;
import gatebook.command.gate.VisibilityGate.VisibilityResult;
import gatebook.command.rules.GatewayLimits;
import gatebook.command.rules.Limit;
import gatebook.command.rules.Rules;
import gatebook.command.rules.Source;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * The skills of agents. Those of the built-in agent are the tools that gate 1 shows to everybody,
 * from the lists of their sources; those of an agent upstream are in its card. A list is remembered
 * for some time and while the rules stay the same. What a source lists too late is missing at
 * first.
 */
public final class AgentSkills {
  /** With a shorter time, each public request for a card would reach the sources. */
  private static final Duration AGE_LEAST = Duration.ofSeconds(1);

  private static final Listing NOT_LISTED =
      new Listing.Failed(new Upstream.Response.NotConnected("no list of tools"));

  private final Supplier<RoutingSnapshot> routingSnapshots;
  private final RememberedTools rememberedTools;

  /** {@code routingSnapshots} are the rules and upstreams of now. */
  public AgentSkills(Supplier<RoutingSnapshot> routingSnapshots, InstantSource clock) {
    this.routingSnapshots = routingSnapshots;
    this.rememberedTools = new RememberedTools(clock);
  }

  /** One skill, by the name that callers use. */
  public record Skill(String id, String name, String description) {}

  /**
   * The skills of an agent.
   *
   * @param isComplete whether every source has listed its tools
   */
  public record SkillList(List<Skill> skills, boolean isComplete) {
    public SkillList {
      skills = List.copyOf(skills);
    }

    /** Whether the agent has a skill, as far as that is known. */
    boolean mayHave(String id) {
      return !isComplete || skills.stream().anyMatch(skill -> skill.id().equals(id));
    }
  }

  /** The skills of the built-in agent. */
  public CompletableFuture<SkillList> ofTools() {
    return ofTools(routingSnapshots.get());
  }

  /** Whether the rules show a skill that is not in the card of its agent, which is at hand. */
  public CompletableFuture<Boolean> lacksShown(String agent, String skillId) {
    RoutingSnapshot routingSnapshot = routingSnapshots.get();
    return VisibilityGate.evaluate(
                UpstreamAgents.skill(agent, skillId), SourceFamily.AGENTS, routingSnapshot.rules())
            instanceof VisibilityResult.Shown(var source, _)
        ? inTime(source, routingSnapshot)
            .thenApply(listing ->
                listing instanceof Listing.Tools(var skills)
                    && skills.stream().noneMatch(skill -> skill.name().equals(skillId)))
        : CompletableFuture.completedFuture(false);
  }

  /** Whether the rules show a skill that its source, which has listed its tools, does not have. */
  public CompletableFuture<Boolean> lacksShown(String skillId) {
    RoutingSnapshot routingSnapshot = routingSnapshots.get();
    return VisibilityGate.evaluate(skillId, SourceFamily.TOOLS, routingSnapshot.rules())
            instanceof VisibilityResult.Shown(var source, _)
        ? ofSource(source, routingSnapshot).thenApply(skills -> !skills.mayHave(skillId))
        : CompletableFuture.completedFuture(false);
  }

  private CompletableFuture<SkillList> ofTools(RoutingSnapshot routingSnapshot) {
    Rules rules = routingSnapshot.rules();
    return SourceTools.listed(rules, source -> inTime(source, routingSnapshot))
        .thenApply(all -> all.stream().map(each -> skills(each, rules)).toList())
        .thenApply(lists ->
            new SkillList(
                lists.stream().flatMap(list -> list.skills().stream()).toList(),
                lists.stream().allMatch(SkillList::isComplete)));
  }

  private CompletableFuture<SkillList> ofSource(Source source, RoutingSnapshot routingSnapshot) {
    return inTime(source, routingSnapshot)
        .thenApply(listing -> skills(new SourceTools(source, listing), routingSnapshot.rules()));
  }

  private CompletableFuture<Listing> inTime(Source source, RoutingSnapshot routingSnapshot) {
    return rememberedTools
        .of(source, routingSnapshot, AgentSkills::isFresh)
        .exceptionally(_ -> NOT_LISTED)
        .completeOnTimeout(
            NOT_LISTED,
            routingSnapshot.rules().limits().get(Limit.AGENT_CARD_WAIT_MILLIS_MAX),
            TimeUnit.MILLISECONDS);
  }

  /** A source that does not answer is not asked again before it does. */
  private static boolean isFresh(
      CompletableFuture<Listing> listing, Duration age, GatewayLimits limits) {
    Duration ageMax = Duration.ofMillis(limits.get(Limit.TOOL_LIST_MILLIS_MAX));
    boolean hasTools =
        listing.isDone()
            && !listing.isCompletedExceptionally()
            && listing.join() instanceof Listing.Tools;
    Duration ageLimit = hasTools && ageMax.compareTo(AGE_LEAST) > 0 ? ageMax : AGE_LEAST;
    return !listing.isDone() || age.compareTo(ageLimit) < 0;
  }

  private static SkillList skills(SourceTools sourceTools, Rules rules) {
    Source source = sourceTools.source();
    return switch (sourceTools.listing()) {
      case Listing.Failed _ -> new SkillList(List.of(), false);
      case Listing.Tools(var tools) ->
          new SkillList(
              tools.stream()
                  .filter(tool -> isShown(source, source.prefix() + tool.name(), rules))
                  .map(tool -> skill(source, tool))
                  .toList(),
              true);
    };
  }

  private static boolean isShown(Source source, String name, Rules rules) {
    return VisibilityGate.evaluate(name, SourceFamily.TOOLS, rules)
            instanceof VisibilityResult.Shown(var answering, _)
        && answering.equals(source);
  }

  private static Skill skill(Source source, Upstream.Tool tool) {
    ObjectMembers members = ObjectMembers.of(tool.description());
    String id = source.prefix() + tool.name();
    return new Skill(
        id,
        members.text("title").filter(title -> !title.isBlank()).orElse(id),
        members
            .text("description")
            .filter(text -> !text.isBlank())
            .orElseGet(() -> "Calls the tool %s".formatted(id)));
  }
}
