package gatebook.api.mcp;

import gatebook.api.gateway.DialectHandler;
import gatebook.api.gateway.RoutingSnapshot;
import gatebook.api.mcp.SubscriptionFanIn.Part;
import gatebook.api.mcp.session.McpExchange;
import gatebook.api.mcp.session.McpSession;
import gatebook.api.mcp.session.McpSession.Met;
import gatebook.api.upstream.Upstream;
import gatebook.api.upstream.Upstream.Ended;
import gatebook.api.upstream.Upstream.Introduction;
import gatebook.api.upstream.Upstream.Opening;
import gatebook.api.upstream.mcp.SubscriptionFilter;
import gatebook.command.call.Deferral;
import gatebook.command.call.Intent;
import gatebook.command.call.TaskStatus;
import gatebook.command.gate.SourceFamily;
import gatebook.command.gate.VisibilityGate;
import gatebook.command.gate.VisibilityGate.Sight;
import gatebook.command.rules.Rules;
import gatebook.command.rules.Source;
import gatebook.events.CallReceived;
import gatebook.events.call.Dialect;
import gatebook.events.call.Transport;
import gatebook.events.fault.Misdirected.MethodNotFound;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The methods of MCP that are served: what acts on something by the sources behind the gates, and
 * the rest by the sources together. Nothing has to be asked before anything else.
 */
public final class McpMethods implements DialectHandler {

  private static final String INITIALIZE = "initialize";
  private static final String DISCOVER = "server/discover";
  private static final String LISTEN = "subscriptions/listen";
  private static final String CANCELLED = "notifications/cancelled";

  /** What everybody who has conversations answers for himself. */
  private static final Set<String> OURS = Set.of(INITIALIZE, "ping");

  /** What concerns the whole conversation, and so every source in it. */
  private static final Set<String> ALL = Set.of("logging/setLevel");

  /** What only the one that is meant can answer. */
  private static final Set<String> ONE = Set.of(DISCOVER, LISTEN);

  private static final String UNSUBSCRIBE = "resources/unsubscribe";

  private final GovernedTargets governedTargets = new GovernedTargets();
  private final TaskMethods tasks = new TaskMethods();
  private final SourceTaskMethods sourceTasks = new SourceTaskMethods();
  private final InitializeResults initializeResults;

  /** {@code version} is what clients are told of our own. */
  public McpMethods(String version) {
    this.initializeResults = new InitializeResults(version);
  }

  @Override
  public Dialect dialect() {
    return Dialect.MCP;
  }

  @Override
  public Intent aim(Asking asking) {
    return StatelessRequest.refusal(asking)
        .<Intent>map(Intent.Unservable::new)
        .or(() -> tasks.aim(asking))
        .or(() -> governedTargets.aim(asking))
        .orElseGet(() -> ungoverned(asking.method()));
  }

  @Override
  public String targetParam(Asking asking) {
    return governedTargets.param(asking);
  }

  @Override
  public Optional<String> arguments(Asking asking) {
    return governedTargets.arguments(asking);
  }

  @Override
  public Optional<Deferral> deferral(Asking asking, UUID callId) {
    return tasks.deferral(asking, callId);
  }

  @Override
  public String deferred(Asking asking, TaskStatus.Known standing) {
    return tasks.deferred(asking, standing);
  }

  /** Sources that the rules name are the same wherever these rules are. */
  @Override
  public boolean goesOnHere(CallReceived call, String rulesHash, Rules rules) {
    return call.transport() == Transport.HTTP;
  }

  @Override
  public @Nullable String onward(@Nullable String params) {
    return TaskMethods.onward(params);
  }

  private Intent ungoverned(String method) {
    return isKnown(method) || method.startsWith("notifications/")
        ? new Intent.Ask()
        : new Intent.Unservable(new MethodNotFound(method));
  }

  private boolean isKnown(String method) {
    return OURS.contains(method)
        || ALL.contains(method)
        || ONE.contains(method)
        || method.equals(UNSUBSCRIBE)
        || sourceTasks.knows(method)
        || ListAggregator.of(method).isPresent();
  }

  @Override
  public CompletableFuture<Ended> answer(Asking asking, Setting setting) {
    return tasks.answer(asking, setting).orElseGet(() -> others(asking, setting));
  }

  private CompletableFuture<Ended> others(Asking asking, Setting setting) {
    String method = asking.method();
    if (method.equals(INITIALIZE)) {
      return initialize(asking, setting);
    }
    if (ALL.contains(method)) {
      return everybody(asking, setting);
    }
    if (method.equals(DISCOVER)) {
      return discover(asking, setting);
    }
    if (method.equals(LISTEN) && !isAlone(setting.ground())) {
      return heard(asking, setting);
    }
    if (ONE.contains(method)) {
      return only(asking, setting);
    }
    if (method.equals(UNSUBSCRIBE)) {
      return named(asking, setting);
    }
    if (sourceTasks.knows(method)) {
      return sourceTasks.answer(asking, setting);
    }
    return ListAggregator.of(method)
        .map(list -> list.answer(asking, setting))
        .orElseGet(() -> result("{}"));
  }

  private CompletableFuture<Ended> initialize(Asking asking, Setting setting) {
    String params = asking.params() == null ? "{}" : asking.params();
    List<Source> sources = ListAggregator.sources(setting.ground().rules());
    CompletableFuture<List<Met>> met =
        setting.conversation() instanceof McpExchange mcpExchange && mcpExchange.session() != null
            ? mcpExchange.introduce(
                new Introduction(params, setting.headers()),
                setting.callId(),
                setting.ground(),
                sources)
            : CompletableFuture.completedFuture(
                sources.stream().map(it -> new Met(it, new Opening.None())).toList());
    return met.thenApply(all ->
        TaskCapabilities.introduced(
            initializeResults.of(all, params, setting.callId()), setting.ground().rules()));
  }

  /** The first that answers something else than that it does so is the answer. */
  private static CompletableFuture<Ended> everybody(Asking asking, Setting setting) {
    return asked(ListAggregator.sources(setting.ground().rules()), asking, setting)
        .thenApply(all ->
            all.stream()
                .filter(Ended.Result.class::isInstance)
                .findFirst()
                .or(() -> all.stream().findFirst())
                .orElseGet(() -> new Ended.Result("{}", false)));
  }

  private CompletableFuture<Ended> discover(Asking asking, Setting setting) {
    List<Source> sources = ListAggregator.sources(setting.ground().rules());
    CompletableFuture<Ended> discovered =
        sources.size() == 1
            ? setting.sources().ask(sources.getFirst(), asking.method(), asking.params())
            : asked(sources, asking, setting)
                .thenApply(all -> initializeResults.discovered(sources, all, setting.callId()));
    return discovered.thenApply(
        said -> TaskCapabilities.discovered(said, setting.ground().rules()));
  }

  private static CompletableFuture<List<Ended>> asked(
      List<Source> sources, Asking asking, Setting setting) {
    List<CompletableFuture<Ended>> asked =
        sources.stream()
            .map(source -> setting.sources().ask(source, asking.method(), asking.params()))
            .toList();
    return CompletableFuture.allOf(asked.toArray(CompletableFuture<?>[]::new))
        .thenApply(_ -> asked.stream().map(CompletableFuture::join).toList());
  }

  private static CompletableFuture<Ended> only(Asking asking, Setting setting) {
    List<Source> sources = ListAggregator.sources(setting.ground().rules());
    return sources.size() == 1
        ? setting.sources().ask(sources.getFirst(), asking.method(), asking.params())
        : unknown(asking.method());
  }

  /** Who has anything to say speaks for all: see {@link #upstream}. */
  private static CompletableFuture<Ended> heard(Asking asking, Setting setting) {
    List<Source> sources = ListAggregator.sources(setting.ground().rules());
    return sources.isEmpty()
        ? unknown(asking.method())
        : setting.sources().ask(sources.getFirst(), asking.method(), asking.params());
  }

  private static boolean isAlone(RoutingSnapshot routingSnapshot) {
    return ListAggregator.sources(routingSnapshot.rules()).size() == 1;
  }

  /** Whoever wants to hear several sources has them as one, and hears of no other's tasks. */
  @Override
  public Upstream upstream(Asking asking, Source source, Party party) {
    Upstream outside = party.conversation().upstream(party.ground(), source);
    if (!asking.method().equals(LISTEN)) {
      return outside;
    }
    SubscriptionFilter subscriptionFilter = SubscriptionFilter.of(asking.members());
    boolean isPlain =
        isAlone(party.ground())
            && (SourceTaskMethods.isAnybodys(party.ground().rules())
                || !subscriptionFilter.names(SubscriptionFilter.TASKS));
    return isPlain
        ? outside
        : new SubscriptionFanIn(outside, subscriptionFilter, parts(subscriptionFilter, party));
  }

  private List<Part> parts(SubscriptionFilter subscriptionFilter, Party party) {
    List<Part> all =
        ListAggregator.sources(party.ground().rules()).stream()
            .map(each ->
                new Part(
                    each,
                    party.conversation().upstream(party.ground(), each),
                    subscriptionFilter.about((member, name) -> isOf(member, name, each, party))))
            .toList();
    List<Part> concerned = all.stream().filter(part -> !part.wanted().isNothing()).toList();
    return concerned.isEmpty() ? all : concerned;
  }

  private boolean isOf(String member, String name, Source source, Party party) {
    return member.equals(SubscriptionFilter.TASKS)
        ? sourceTasks.isOf(party.principal(), name, source.id())
        : VisibilityGate.answering(name, SourceFamily.TOOLS, party.ground().rules())
            .filter(source::equals)
            .isPresent();
  }

  private static CompletableFuture<Ended> named(Asking asking, Setting setting) {
    return asking
        .members()
        .text("uri")
        .flatMap(uri -> shown(uri, setting))
        .map(source -> setting.sources().ask(source, asking.method(), asking.params()))
        .orElseGet(() -> unknown(asking.method()));
  }

  private static Optional<Source> shown(String name, Setting setting) {
    return VisibilityGate.of(name, SourceFamily.TOOLS, setting.ground().rules())
            instanceof Sight.Shown(var source, _)
        ? Optional.of(source)
        : Optional.empty();
  }

  private static CompletableFuture<Ended> unknown(String method) {
    return CompletableFuture.completedFuture(new Ended.Failure(new MethodNotFound(method)));
  }

  @Override
  public void ended(Asking asking, Source source, String principal, Ended ended) {
    sourceTasks.ended(asking, source, principal, ended);
  }

  @Override
  public void taken(Asking asking, Setting setting) {
    McpSession mcpSession =
        setting.conversation() instanceof McpExchange mcpExchange ? mcpExchange.session() : null;
    if (mcpSession != null) {
      if (asking.method().equals(CANCELLED)) {
        // before the source hears of it, and hangs up
        asking.members().json("requestId").ifPresent(mcpSession::cancel);
      }
      mcpSession.tellAll(asking.method(), asking.params(), setting.headers());
    }
  }

  private static CompletableFuture<Ended> result(String json) {
    return CompletableFuture.completedFuture(new Ended.Result(json, false));
  }
}
