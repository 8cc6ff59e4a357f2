package gatebook.api.mcp;

import gatebook.api.gateway.message.DialectHandler;
import gatebook.api.gateway.message.RoutingSnapshot;
import gatebook.api.mcp.McpSession.SourceOpening;
import gatebook.api.mcp.SubscriptionFanIn.Part;
import gatebook.api.upstream.FutureList;
import gatebook.api.upstream.Upstream;
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
import gatebook.events.call.Dialect;
import gatebook.events.call.Transport;
import gatebook.events.fault.Misdirected.MethodNotFound;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

/**
 * The supported methods of MCP. Calls that act on a target pass the gates and go to one source; the
 * other methods are answered by all sources together. No method requires an earlier one.
 */
public final class McpMethods implements DialectHandler {

  /** Methods that concern the session itself and are answered here. */
  private static final Set<String> ANSWERED_HERE = Set.of(McpMethod.INITIALIZE, McpMethod.PING);

  /** Methods that concern the whole session and go to every source. */
  private static final Set<String> EVERY_SOURCE = Set.of(McpMethod.LOGGING_SET_LEVEL);

  /** Methods that are passed on unchanged when there is a single source. */
  private static final Set<String> SINGLE_SOURCE =
      Set.of(McpMethod.SERVER_DISCOVER, McpMethod.SUBSCRIPTIONS_LISTEN);

  private final GovernedTargets governedTargets = new GovernedTargets();
  private final TaskMethods tasks = new TaskMethods();
  private final SourceTaskMethods sourceTasks = new SourceTaskMethods();
  private final InitializeResults initializeResults;

  /** {@code version} is that of Gatebook, as sent to clients. */
  public McpMethods(String version) {
    this.initializeResults = new InitializeResults(version);
  }

  @Override
  public Dialect dialect() {
    return Dialect.MCP;
  }

  @Override
  public Intent intent(DialectCall dialectCall) {
    return StatelessRequest.refusal(dialectCall)
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

  /** The sources of the rules are the same in every process that has these rules. */
  @Override
  public boolean canTakeOver(CallReceived call, String rulesHash, Rules rules) {
    return call.transport() == Transport.HTTP;
  }

  @Override
  public SourceRequest backgroundRequest(ReceiveCall call, Source source) {
    return TaskMethods.backgroundRequest(call);
  }

  private Intent ungoverned(String method) {
    return isKnown(method) || McpMethod.isNotification(method)
        ? new Intent.AnswerHere()
        : new Intent.Unservable(new MethodNotFound(method));
  }

  private boolean isKnown(String method) {
    return ANSWERED_HERE.contains(method)
        || EVERY_SOURCE.contains(method)
        || SINGLE_SOURCE.contains(method)
        || method.equals(McpMethod.RESOURCES_UNSUBSCRIBE)
        || sourceTasks.handles(method)
        || ListAggregator.of(method).isPresent();
  }

  @Override
  public CompletableFuture<Ended> answer(DialectCall dialectCall, AnswerContext answerContext) {
    return tasks
        .answer(dialectCall, answerContext)
        .orElseGet(() -> answerShared(dialectCall, answerContext));
  }

  private CompletableFuture<Ended> answerShared(
      DialectCall dialectCall, AnswerContext answerContext) {
    String method = dialectCall.method();
    if (method.equals(McpMethod.INITIALIZE)) {
      return initialize(dialectCall, answerContext);
    }
    if (EVERY_SOURCE.contains(method)) {
      return askAll(dialectCall, answerContext);
    }
    if (method.equals(McpMethod.SERVER_DISCOVER)) {
      return discover(dialectCall, answerContext);
    }
    if (method.equals(McpMethod.SUBSCRIPTIONS_LISTEN) && !hasOneSource(answerContext.snapshot())) {
      return listen(dialectCall, answerContext);
    }
    if (SINGLE_SOURCE.contains(method)) {
      return askOnly(dialectCall, answerContext);
    }
    if (method.equals(McpMethod.RESOURCES_UNSUBSCRIBE)) {
      return unsubscribe(dialectCall, answerContext);
    }
    if (sourceTasks.handles(method)) {
      return sourceTasks.answer(dialectCall, answerContext);
    }
    return ListAggregator.of(method)
        .map(list -> list.answer(dialectCall, answerContext))
        .orElseGet(() -> result("{}"));
  }

  private CompletableFuture<Ended> initialize(
      DialectCall dialectCall, AnswerContext answerContext) {
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
        TaskCapabilities.initialized(
            initializeResults.of(all, params), answerContext.snapshot().rules()));
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
                .orElseGet(() -> new Ended.Result("{}", false)));
  }

  private CompletableFuture<Ended> discover(DialectCall dialectCall, AnswerContext answerContext) {
    List<Source> sources = ListAggregator.sources(answerContext.snapshot().rules());
    CompletableFuture<Ended> discovered =
        sources.size() == 1
            ? answerContext
                .sources()
                .send(sources.getFirst(), dialectCall.method(), dialectCall.params())
            : askEach(sources, dialectCall, answerContext)
                .thenApply(all -> initializeResults.discover(sources, all));
    return discovered.thenApply(
        result -> TaskCapabilities.discovered(result, answerContext.snapshot().rules()));
  }

  private static CompletableFuture<List<Ended>> askEach(
      List<Source> sources, DialectCall dialectCall, AnswerContext answerContext) {
    return FutureList.all(
        sources.stream()
            .map(source ->
                answerContext.sources().send(source, dialectCall.method(), dialectCall.params()))
            .toList());
  }

  private static CompletableFuture<Ended> askOnly(
      DialectCall dialectCall, AnswerContext answerContext) {
    List<Source> sources = ListAggregator.sources(answerContext.snapshot().rules());
    return sources.size() == 1
        ? answerContext
            .sources()
            .send(sources.getFirst(), dialectCall.method(), dialectCall.params())
        : unknown(dialectCall.method());
  }

  /** Sends to the first source, which stands for all of them: see {@link #upstream}. */
  private static CompletableFuture<Ended> listen(
      DialectCall dialectCall, AnswerContext answerContext) {
    List<Source> sources = ListAggregator.sources(answerContext.snapshot().rules());
    return sources.isEmpty()
        ? unknown(dialectCall.method())
        : answerContext
            .sources()
            .send(sources.getFirst(), dialectCall.method(), dialectCall.params());
  }

  private static boolean hasOneSource(RoutingSnapshot routingSnapshot) {
    return ListAggregator.sources(routingSnapshot.rules()).size() == 1;
  }

  /** Merges several sources for a subscription, and leaves out tasks of other callers. */
  @Override
  public Upstream upstream(DialectCall dialectCall, Source source, ClientContext clientContext) {
    Upstream upstream = clientContext.channel().upstream(clientContext.snapshot(), source);
    if (!dialectCall.method().equals(McpMethod.SUBSCRIPTIONS_LISTEN)) {
      return upstream;
    }
    SubscriptionFilter subscriptionFilter = SubscriptionFilter.of(dialectCall.members());
    boolean isPlain =
        hasOneSource(clientContext.snapshot())
            && (SourceTaskMethods.isIdSufficient(clientContext.snapshot().rules())
                || !subscriptionFilter.hasMember(SubscriptionFilter.TASKS));
    return isPlain
        ? upstream
        : new SubscriptionFanIn(
            upstream, subscriptionFilter, parts(subscriptionFilter, clientContext));
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
        .map(source ->
            answerContext.sources().send(source, dialectCall.method(), dialectCall.params()))
        .orElseGet(() -> unknown(dialectCall.method()));
  }

  private static Optional<Source> shown(String name, AnswerContext answerContext) {
    return VisibilityGate.evaluate(name, SourceFamily.TOOLS, answerContext.snapshot().rules())
            instanceof VisibilityResult.Shown(var source, _)
        ? Optional.of(source)
        : Optional.empty();
  }

  private static CompletableFuture<Ended> unknown(String method) {
    return CompletableFuture.completedFuture(new Ended.Failure(new MethodNotFound(method)));
  }

  @Override
  public void onEnded(DialectCall dialectCall, Source source, String principal, Ended ended) {
    sourceTasks.ended(dialectCall, source, principal, ended);
  }

  @Override
  public void onNotification(DialectCall dialectCall, AnswerContext answerContext) {
    McpSession mcpSession =
        answerContext.channel() instanceof McpExchange mcpExchange ? mcpExchange.session() : null;
    if (mcpSession != null) {
      if (dialectCall.method().equals(McpMethod.NOTIFICATIONS_CANCELLED)) {
        // before the source gets it and closes the connection
        dialectCall.members().json("requestId").ifPresent(mcpSession::cancel);
      }
      mcpSession.notifySources(dialectCall.method(), dialectCall.params(), answerContext.headers());
    }
  }

  private static CompletableFuture<Ended> result(String json) {
    return CompletableFuture.completedFuture(new Ended.Result(json, false));
  }
}
