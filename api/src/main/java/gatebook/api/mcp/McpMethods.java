package gatebook.api.mcp;

import gatebook.api.gateway.message.CallObserver;
import gatebook.api.gateway.message.DialectHandler;
import gatebook.api.gateway.message.RoutingSnapshot;
import gatebook.api.mcp.McpSession.SourceOpening;
import gatebook.api.mcp.SubscriptionFanIn.Part;
import gatebook.api.upstream.FutureList;
import gatebook.api.upstream.Upstream.Ended;
import gatebook.api.upstream.Upstream.InitializeRequest;
import gatebook.api.upstream.Upstream.Opening;
import gatebook.api.upstream.mcp.McpMethod;
import gatebook.api.upstream.mcp.SubscriptionFilter;
import gatebook.command.call.Deferral;
import gatebook.command.call.Intent;
import gatebook.command.call.ReceiveCall;
import gatebook.command.call.task.TaskStatus;
import gatebook.command.gate.SourceFamily;
import gatebook.command.gate.VisibilityGate;
import gatebook.command.gate.VisibilityGate.VisibilityResult;
import gatebook.command.rules.Rules;
import gatebook.command.rules.Source;
import gatebook.events.CallReceived;
import gatebook.events.TaskCreated;
import gatebook.events.call.Dialect;
import gatebook.events.call.Transport;
import gatebook.events.fault.Fault;
import gatebook.events.fault.Misdirected.MethodNotFound;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The methods of MCP. Calls that act on a target pass the gates and go to one source. The other
 * methods are answered by all sources together, or by the one server that is wrapped, which alone
 * knows its capabilities. No method requires an earlier one.
 */
public final class McpMethods implements DialectHandler {

  private static final Ended EMPTY = new Ended.Result("{}", false);
  private static final Answer HERE = (_, _) -> CompletableFuture.completedFuture(EMPTY);

  private final GovernedTargets governedTargets = new GovernedTargets();
  private final TaskMethods tasks = new TaskMethods();
  private final SourceTaskMethods sourceTasks;

  /** The methods that no gate governs, except lists, and what answers each. */
  private final Map<String, Answer> ungoverned;

  /** The wrapped server, which answers all other methods; absent when there is none. */
  private final @Nullable Answer wrappedServer;

  /** Answers a method that no gate governs. */
  @FunctionalInterface
  private interface Answer {
    CompletableFuture<Ended> of(DialectCall dialectCall, AnswerContext answerContext);
  }

  private McpMethods(
      SourceTaskMethods sourceTasks,
      Map<String, Answer> ungoverned,
      @Nullable Answer wrappedServer) {
    this.sourceTasks = sourceTasks;
    this.ungoverned = ungoverned;
    this.wrappedServer = wrappedServer;
  }

  /** The methods of all sources. {@code version} is that of Gatebook, as sent to clients. */
  public static McpMethods ofSources(String version) {
    InitializeResults results = new InitializeResults(version);
    SourceTaskMethods sourceTasks = new SourceTaskMethods();
    return new McpMethods(
        sourceTasks,
        Map.ofEntries(
            row(McpMethod.INITIALIZE, (call, context) -> initialize(results, call, context)),
            row(McpMethod.PING, HERE),
            row(McpMethod.LOGGING_SET_LEVEL, McpMethods::askAll),
            row(McpMethod.SERVER_DISCOVER, (call, context) -> discover(results, call, context)),
            row(McpMethod.SUBSCRIPTIONS_LISTEN, McpMethods::askFirst),
            row(McpMethod.RESOURCES_UNSUBSCRIBE, McpMethods::unsubscribe),
            row(McpMethod.TASKS_LIST, sourceTasks::answer),
            row(McpMethod.TASKS_GET, sourceTasks::answer),
            row(McpMethod.TASKS_RESULT, sourceTasks::answer),
            row(McpMethod.TASKS_UPDATE, sourceTasks::answer),
            row(McpMethod.TASKS_CANCEL, sourceTasks::answer)),
        null);
  }

  /** The methods of the one server that a process wraps. */
  public static McpMethods ofWrappedServer() {
    return new McpMethods(
        new SourceTaskMethods(),
        Map.of(
            McpMethod.INITIALIZE, McpMethods::initializeServer,
            McpMethod.SERVER_DISCOVER, McpMethods::discoverServer),
        McpMethods::askServer);
  }

  private static Map.Entry<String, Answer> row(String method, Answer answer) {
    return Map.entry(method, answer);
  }

  @Override
  public Dialect dialect() {
    return Dialect.MCP;
  }

  @Override
  public Intent intent(DialectCall dialectCall) {
    return refusal(dialectCall)
        .<Intent>map(Intent.Unservable::new)
        .or(() -> GovernedTargets.refusal(dialectCall))
        .or(() -> tasks.intent(dialectCall))
        .or(() -> governedTargets.intent(dialectCall))
        .orElseGet(() -> ungoverned(dialectCall.method()));
  }

  /**
   * A call that is sent again for its outcome is governed like the first. A list is empty without
   * rules, which has to be told.
   */
  @Override
  public boolean mayAct(DialectCall dialectCall, Intent intent) {
    return intent instanceof Intent.Act
        || ListAggregator.of(dialectCall.method()).isPresent()
        || (intent instanceof Intent.AnswerHere && tasks.intent(dialectCall).isPresent());
  }

  @Override
  public String targetParam(DialectCall dialectCall) {
    return governedTargets.param(dialectCall);
  }

  @Override
  public Optional<String> arguments(DialectCall dialectCall) {
    return governedTargets.arguments(dialectCall);
  }

  @Override
  public Optional<Deferral> deferral(DialectCall dialectCall, UUID callId) {
    return tasks.deferral(dialectCall, callId);
  }

  @Override
  public String deferredResult(DialectCall dialectCall, TaskStatus.Known standing) {
    return tasks.deferred(dialectCall, standing);
  }

  /**
   * The sources of the rules are the same in every process that has these rules. A wrapped server
   * may be another one under other rules, since these contain its command.
   */
  @Override
  public boolean canTakeOver(CallReceived call, String rulesHash, Rules rules) {
    return wrappedServer == null
        ? call.transport() == Transport.HTTP
        : call.transport() == Transport.LINES && rulesHash.equals(rules.hash());
  }

  @Override
  public SourceRoute backgroundRoute(
      ReceiveCall call, TaskCreated task, Source source, ClientContext clientContext) {
    return new SourceRoute(
        clientContext.snapshot().upstream(source),
        call.method(),
        TaskMethods.backgroundParams(call));
  }

  /** Why a request is refused before its target is looked for; a wrapped server checks its own. */
  private Optional<Fault> refusal(DialectCall dialectCall) {
    return wrappedServer == null ? StatelessRequest.refusal(dialectCall) : Optional.empty();
  }

  private Intent ungoverned(String method) {
    return answer(method).isPresent() || McpMethod.isNotification(method)
        ? new Intent.AnswerHere()
        : new Intent.Unservable(new MethodNotFound(method));
  }

  /** What answers a method that no gate governs; empty when it is unknown. */
  private Optional<Answer> answer(String method) {
    return ListAggregator.of(method)
        .<Answer>map(list -> list::answer)
        .or(() -> Optional.ofNullable(ungoverned.get(method)))
        .or(() ->
            Optional.ofNullable(wrappedServer).filter(_ -> !LookalikeCheck.isLookalike(method)));
  }

  @Override
  public CompletableFuture<Ended> answer(DialectCall dialectCall, AnswerContext answerContext) {
    return tasks
        .answer(dialectCall, answerContext)
        .orElseGet(() -> answer(dialectCall.method()).orElse(HERE).of(dialectCall, answerContext));
  }

  private static CompletableFuture<Ended> initialize(
      InitializeResults results, DialectCall dialectCall, AnswerContext answerContext) {
    String params = dialectCall.params() == null ? "{}" : dialectCall.params();
    List<Source> sources = ListAggregator.sources(answerContext.snapshot().rules());
    CompletableFuture<List<SourceOpening>> openings =
        answerContext.channel() instanceof McpExchange mcpExchange && mcpExchange.session() != null
            ? mcpExchange.initialize(
                new InitializeRequest(params, answerContext.headers()),
                answerContext.callId(),
                answerContext.snapshot(),
                sources)
            : CompletableFuture.completedFuture(
                sources.stream().map(it -> new SourceOpening(it, new Opening.None())).toList());
    return openings.thenApply(all ->
        TaskCapabilities.initialized(results.of(all, params), answerContext.snapshot().rules()));
  }

  private static CompletableFuture<Ended> initializeServer(
      DialectCall dialectCall, AnswerContext answerContext) {
    Rules rules = answerContext.snapshot().rules();
    rules.sources().forEach(it -> answerContext.channel().onInitialize(answerContext.callId(), it));
    return askServer(dialectCall, answerContext)
        .thenApply(result -> TaskCapabilities.initialized(result, rules));
  }

  /** The first result wins; without one, the first failure is the answer. */
  private static CompletableFuture<Ended> askAll(
      DialectCall dialectCall, AnswerContext answerContext) {
    return askEach(
            ListAggregator.sources(answerContext.snapshot().rules()), dialectCall, answerContext)
        .thenApply(all ->
            all.stream()
                .filter(Ended.Result.class::isInstance)
                .findFirst()
                .or(() -> all.stream().findFirst())
                .orElse(EMPTY));
  }

  private static CompletableFuture<Ended> discover(
      InitializeResults results, DialectCall dialectCall, AnswerContext answerContext) {
    List<Source> sources = ListAggregator.sources(answerContext.snapshot().rules());
    CompletableFuture<Ended> discovered =
        sources.size() == 1
            ? ask(sources.getFirst(), dialectCall, answerContext)
            : askEach(sources, dialectCall, answerContext)
                .thenApply(all -> results.discover(sources, all));
    return withTasks(discovered, answerContext);
  }

  private static CompletableFuture<Ended> discoverServer(
      DialectCall dialectCall, AnswerContext answerContext) {
    return withTasks(askServer(dialectCall, answerContext), answerContext);
  }

  private static CompletableFuture<Ended> withTasks(
      CompletableFuture<Ended> discovered, AnswerContext answerContext) {
    return discovered.thenApply(
        result -> TaskCapabilities.discovered(result, answerContext.snapshot().rules()));
  }

  private static CompletableFuture<List<Ended>> askEach(
      List<Source> sources, DialectCall dialectCall, AnswerContext answerContext) {
    return FutureList.all(
        sources.stream().map(source -> ask(source, dialectCall, answerContext)).toList());
  }

  /** Asks the first source, which stands for all of them: see {@link #route}. */
  private static CompletableFuture<Ended> askFirst(
      DialectCall dialectCall, AnswerContext answerContext) {
    return ListAggregator.sources(answerContext.snapshot().rules()).stream()
        .findFirst()
        .map(source -> ask(source, dialectCall, answerContext))
        .orElseGet(() -> failure(new MethodNotFound(dialectCall.method())));
  }

  /** Asks the wrapped server, unless the rules have no source whose place it takes. */
  private static CompletableFuture<Ended> askServer(
      DialectCall dialectCall, AnswerContext answerContext) {
    RoutingSnapshot routingSnapshot = answerContext.snapshot();
    Fault obstacle = routingSnapshot.obstacle();
    return obstacle == null
        ? ask(routingSnapshot.rules().sources().getFirst(), dialectCall, answerContext)
        : failure(obstacle);
  }

  private static CompletableFuture<Ended> ask(
      Source source, DialectCall dialectCall, AnswerContext answerContext) {
    return answerContext.sources().send(source, dialectCall.method(), dialectCall.params());
  }

  private static boolean hasOneSource(RoutingSnapshot routingSnapshot) {
    return ListAggregator.sources(routingSnapshot.rules()).size() == 1;
  }

  /** Merges several sources for a subscription, and leaves out tasks of other callers. */
  @Override
  public SourceRoute route(DialectCall dialectCall, Source source, ClientContext clientContext) {
    SourceRoute route = DialectHandler.super.route(dialectCall, source, clientContext);
    if (!dialectCall.method().equals(McpMethod.SUBSCRIPTIONS_LISTEN) || wrappedServer != null) {
      return route;
    }
    SubscriptionFilter subscriptionFilter = SubscriptionFilter.of(dialectCall.members());
    boolean isPlain =
        hasOneSource(clientContext.snapshot())
            && (SourceTaskMethods.isIdSufficient(clientContext.snapshot().rules())
                || !subscriptionFilter.hasMember(SubscriptionFilter.TASKS));
    return isPlain
        ? route
        : route.withUpstream(
            new SubscriptionFanIn(
                route.upstream(), subscriptionFilter, parts(subscriptionFilter, clientContext)));
  }

  private List<Part> parts(SubscriptionFilter subscriptionFilter, ClientContext clientContext) {
    List<Part> all =
        ListAggregator.sources(clientContext.snapshot().rules()).stream()
            .map(each ->
                new Part(
                    each,
                    clientContext.channel().upstream(clientContext.snapshot(), each),
                    subscriptionFilter.only(
                        (member, name) -> isOf(member, name, each, clientContext))))
            .toList();
    List<Part> concerned = all.stream().filter(part -> !part.filter().isEmpty()).toList();
    return concerned.isEmpty() ? all : concerned;
  }

  private boolean isOf(String member, String name, Source source, ClientContext clientContext) {
    return member.equals(SubscriptionFilter.TASKS)
        ? sourceTasks.isOf(clientContext.principal(), name, source.id())
        : VisibilityGate.sourceFor(name, SourceFamily.TOOLS, clientContext.snapshot().rules())
            .filter(source::equals)
            .isPresent();
  }

  private static CompletableFuture<Ended> unsubscribe(
      DialectCall dialectCall, AnswerContext answerContext) {
    return shown(dialectCall.members().text("uri").orElseThrow(), answerContext)
        .map(source -> ask(source, dialectCall, answerContext))
        .orElseGet(() -> failure(new MethodNotFound(dialectCall.method())));
  }

  private static Optional<Source> shown(String name, AnswerContext answerContext) {
    return VisibilityGate.evaluate(name, SourceFamily.TOOLS, answerContext.snapshot().rules())
            instanceof VisibilityResult.Shown(var source, _)
        ? Optional.of(source)
        : Optional.empty();
  }

  private static CompletableFuture<Ended> failure(Fault fault) {
    return CompletableFuture.completedFuture(new Ended.Failure(fault));
  }

  @Override
  public CallObserver observer() {
    return wrappedServer == null ? sourceTasks : CallObserver.NONE;
  }

  @Override
  public void onNotification(DialectCall dialectCall, AnswerContext answerContext) {
    answerContext.channel().notifySources(dialectCall, answerContext.headers());
  }
}
