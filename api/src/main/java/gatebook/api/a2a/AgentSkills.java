package gatebook.api.a2a;

import gatebook.api.gateway.RoutingSnapshot;
import gatebook.api.rpc.ObjectMembers;
import gatebook.api.upstream.FutureList;
import gatebook.api.upstream.Upstream;
import gatebook.command.gate.SourceFamily;
import gatebook.command.gate.VisibilityGate;
import gatebook.command.gate.VisibilityGate.VisibilityResult;
import gatebook.command.rules.GatewayLimits;
import gatebook.command.rules.Rules;
import gatebook.command.rules.Source;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The skills of agents. Those of the built-in agent are the tools that gate 1 shows to everybody,
 * from the lists of their sources. A list is remembered for some time and while the rules stay the
 * same. What a source lists too late is missing at first.
 */
public final class AgentSkills {
  /** A shorter time would let strangers ask the sources as often as they ask for cards. */
  private static final Duration AGE_LEAST = Duration.ofSeconds(1);

  private final Supplier<RoutingSnapshot> routingSnapshots;
  private final InstantSource clock;
  private volatile @Nullable Lists current;

  /** {@code routingSnapshots} are the rules and upstreams of now. */
  public AgentSkills(Supplier<RoutingSnapshot> routingSnapshots, InstantSource clock) {
    this.routingSnapshots = routingSnapshots;
    this.clock = clock;
  }

  /** One skill, by the name that callers use. */
  record Skill(String id, String name, String description) {}

  /**
   * The skills of an agent.
   *
   * @param isComplete whether every source has listed its tools
   */
  record SkillList(List<Skill> skills, boolean isComplete) {
    static final SkillList NONE = new SkillList(List.of(), true);

    SkillList {
      skills = List.copyOf(skills);
    }

    /** Whether the agent has a skill, as far as that is known. */
    boolean mayHave(String id) {
      return !isComplete || skills.stream().anyMatch(skill -> skill.id().equals(id));
    }
  }

  private record Lists(RoutingSnapshot routingSnapshot, Map<String, Listed> bySource) {}

  private record Listed(Instant at, CompletableFuture<Upstream.Listing> listing) {}

  /** {@code agent} is absent for the built-in one; the others are not asked yet. */
  CompletableFuture<SkillList> of(@Nullable String agent) {
    return agent == null
        ? ofTools(routingSnapshots.get())
        : CompletableFuture.completedFuture(SkillList.NONE);
  }

  /** Whether the rules show a skill that its source, which has listed its tools, does not have. */
  CompletableFuture<Boolean> lacksShown(String skillId) {
    RoutingSnapshot routingSnapshot = routingSnapshots.get();
    return VisibilityGate.evaluate(skillId, SourceFamily.TOOLS, routingSnapshot.rules())
            instanceof VisibilityResult.Shown(var source, _)
        ? ofSource(source, routingSnapshot).thenApply(skills -> !skills.mayHave(skillId))
        : CompletableFuture.completedFuture(false);
  }

  private CompletableFuture<SkillList> ofTools(RoutingSnapshot routingSnapshot) {
    List<CompletableFuture<SkillList>> each =
        routingSnapshot.rules().sources().stream()
            .filter(source -> source.enabled() && SourceFamily.TOOLS.includes(source.kind()))
            .map(source -> ofSource(source, routingSnapshot))
            .toList();
    return FutureList.all(each)
        .thenApply(lists ->
            new SkillList(
                lists.stream().flatMap(list -> list.skills().stream()).toList(),
                lists.stream().allMatch(SkillList::isComplete)));
  }

  private CompletableFuture<SkillList> ofSource(Source source, RoutingSnapshot routingSnapshot) {
    return listed(source, routingSnapshot)
        .thenApply(listing -> skills(source, listing, routingSnapshot.rules()))
        .exceptionally(_ -> unknown())
        .completeOnTimeout(
            unknown(),
            routingSnapshot.rules().limits().agentCardWaitMillisMax(),
            TimeUnit.MILLISECONDS);
  }

  private static SkillList unknown() {
    return new SkillList(List.of(), false);
  }

  private CompletableFuture<Upstream.Listing> listed(
      Source source, RoutingSnapshot routingSnapshot) {
    Instant now = clock.instant();
    return lists(routingSnapshot)
        .bySource
        .compute(
            source.id(),
            (_, last) ->
                last != null && isUsable(last, now, routingSnapshot.rules().limits())
                    ? last
                    : new Listed(now, routingSnapshot.upstream(source).listTools()))
        .listing;
  }

  /** A source that does not answer is not asked again before it does. */
  private static boolean isUsable(Listed last, Instant now, GatewayLimits limits) {
    Duration ageMax = Duration.ofMillis(limits.toolListMillisMax());
    boolean hasTools =
        last.listing.isDone()
            && !last.listing.isCompletedExceptionally()
            && last.listing.join() instanceof Upstream.Listing.Tools;
    Duration age = hasTools && ageMax.compareTo(AGE_LEAST) > 0 ? ageMax : AGE_LEAST;
    return !last.listing.isDone() || now.isBefore(last.at.plus(age));
  }

  @SuppressWarnings("ReferenceEquality") // a snapshot stays the same while the rules do
  private Lists lists(RoutingSnapshot routingSnapshot) {
    Lists last = current;
    if (last == null || last.routingSnapshot != routingSnapshot) {
      last = new Lists(routingSnapshot, new ConcurrentHashMap<>());
      current = last;
    }
    return last;
  }

  private static SkillList skills(Source source, Upstream.Listing listing, Rules rules) {
    return switch (listing) {
      case Upstream.Listing.Failed _ -> unknown();
      case Upstream.Listing.Tools(var tools) ->
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
