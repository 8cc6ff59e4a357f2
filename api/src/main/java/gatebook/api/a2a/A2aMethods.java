package gatebook.api.a2a;

import static gatebook.api.rpc.JsonStrings.quoted;

import gatebook.api.a2a.message.A2aCall;
import gatebook.api.a2a.message.A2aMessage;
import gatebook.api.a2a.message.A2aMeters;
import gatebook.api.a2a.message.A2aReading;
import gatebook.api.a2a.message.AgentMessageJson;
import gatebook.api.a2a.message.AgentTaskJson;
import gatebook.api.a2a.message.NamedIds;
import gatebook.api.a2a.message.RequestContext;
import gatebook.api.a2a.message.SkillMessage;
import gatebook.api.a2a.message.SkillMessage.SkillCall;
import gatebook.api.a2a.upstream.AgentSkills;
import gatebook.api.a2a.upstream.AgentTaskLists;
import gatebook.api.a2a.upstream.AgentTaskOwners;
import gatebook.api.a2a.upstream.OwnershipCheck;
import gatebook.api.a2a.upstream.UpstreamAgents;
import gatebook.api.dialect.A2aMethod;
import gatebook.api.gateway.CommandSender;
import gatebook.api.gateway.QuerySender;
import gatebook.api.gateway.ViewReader;
import gatebook.api.gateway.message.CallObserver;
import gatebook.api.gateway.message.CallSubject;
import gatebook.api.gateway.message.DialectHandler;
import gatebook.api.upstream.Upstream.Ended;
import gatebook.api.upstream.mcp.McpMethod;
import gatebook.command.call.Deferral;
import gatebook.command.call.Deferral.Condition;
import gatebook.command.call.Intent;
import gatebook.command.call.ReceiveCall;
import gatebook.command.call.TaskId;
import gatebook.command.call.task.TaskStatus;
import gatebook.command.gate.GateInput.TargetKind;
import gatebook.command.gate.SourceFamily;
import gatebook.command.rules.Limit;
import gatebook.command.rules.Rules;
import gatebook.command.rules.Source;
import gatebook.events.CallReceived;
import gatebook.events.TaskCreated;
import gatebook.events.TaskCreated.Form;
import gatebook.events.call.Dialect;
import gatebook.events.call.Transport;
import gatebook.events.fault.Fault;
import gatebook.events.fault.TaskFault.UnknownSkill;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.InstantSource;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The methods of A2A, by their names in each version. A path of a version has those of that
 * version, any other path has all. Where no version is declared, only the errors differ. A message
 * that calls a skill of the built-in agent acts on a tool, and most requests to other agents act on
 * these; all other requests are answered here.
 */
public final class A2aMethods implements DialectHandler {
  private final AgentSkills agentSkills;
  private final BuiltInAgent builtInAgent;
  private final AgentTaskOwners agentTaskOwners;
  private final UpstreamAgents upstreamAgents;
  private final A2aMeters meters;
  private final CallObserver observer;

  /** The methods of agents with these skills; the journal has the owners of their tasks. */
  public A2aMethods(
      AgentSkills agentSkills,
      CommandSender commandSender,
      QuerySender querySender,
      ViewReader viewReader,
      MeterRegistry registry,
      InstantSource clock) {
    this.meters = new A2aMeters(registry);
    AgentTaskLists agentTaskLists = new AgentTaskLists(viewReader, clock, meters);
    this.builtInAgent = new BuiltInAgent(agentTaskLists, meters);
    this.agentSkills = agentSkills;
    this.agentTaskOwners = new AgentTaskOwners(commandSender, querySender, clock, meters);
    this.upstreamAgents = new UpstreamAgents(agentTaskOwners, agentTaskLists, agentSkills, meters);
    this.observer = new A2aCallObserver(upstreamAgents, meters);
  }

  @Override
  public Dialect dialect() {
    return Dialect.A2A;
  }

  @Override
  public Intent intent(DialectCall dialectCall) {
    A2aCall call = A2aCall.of(dialectCall);
    return call.misdirection(dialectCall)
        .<Intent>map(Intent.Unservable::new)
        .orElseGet(() -> intended(call));
  }

  /** A message that was sent again was decided as the request that reads its task. */
  @Override
  public Intent recordedIntent(CallReceived recorded, DialectCall dialectCall) {
    Intent intent = intent(dialectCall);
    String agent = A2aCall.of(dialectCall).agent();
    return agent != null && intent instanceof Intent.Act act
        ? UpstreamAgents.recorded(agent, act, recorded)
        : intent;
  }

  /** Reads the params now: they may be large, and later a thread of the journal runs. */
  private static Intent intended(A2aCall call) {
    A2aReading _ = call.reading();
    NamedIds _ = call.namedIds();
    String agent = call.agent();
    return agent == null ? intended(call.skillMessage()) : UpstreamAgents.intent(agent, call);
  }

  private static Intent intended(Optional<SkillMessage> skillMessage) {
    return switch (skillMessage.orElse(null)) {
      case SkillMessage.SkillCall(var skillId, _, _, _) -> new Intent.Act(skillId, TargetKind.TOOL);
      case SkillMessage.Unfit(var fault) -> new Intent.Unservable(fault);
      case SkillMessage.Continuation _ -> new Intent.AnswerHere();
      case null -> new Intent.AnswerHere();
    };
  }

  @Override
  public String targetParam(DialectCall dialectCall) {
    return "message.metadata.skillId";
  }

  /**
   * Refuses a skill that the rules show but no tool has, and a task of another caller. Recognises a
   * message that was sent to an agent before, and a request about one that it has not got.
   */
  @Override
  public CompletableFuture<Intent> checkedIntent(
      DialectCall dialectCall, Intent.Act act, String principal) {
    A2aCall call = A2aCall.of(dialectCall);
    String agent = call.agent();
    return agent == null
        ? refusal(call, principal, dialectCall.rules()).thenApply(fault -> orRefused(act, fault))
        : upstreamAgents.checkedIntent(agent, call, act, principal, dialectCall.rules());
  }

  private static Intent orRefused(Intent intent, Optional<Fault> fault) {
    return fault.<Intent>map(Intent.Unservable::new).orElse(intent);
  }

  private CompletableFuture<Optional<Fault>> refusal(A2aCall call, String principal, Rules rules) {
    return new OwnershipCheck(agentTaskOwners.of(principal, rules))
        .here(call.namedIds())
        .thenCompose(fault ->
            fault.isPresent() ? CompletableFuture.completedFuture(fault) : unknownSkill(call));
  }

  private CompletableFuture<Optional<Fault>> unknownSkill(A2aCall a2aCall) {
    return a2aCall
        .skillCall()
        .map(call ->
            agentSkills
                .lacksShown(call.skillId())
                .thenApply(lacks -> lacks ? unknownSkill(call) : Optional.<Fault>empty()))
        .orElseGet(() -> CompletableFuture.completedFuture(Optional.empty()));
  }

  private static Optional<Fault> unknownSkill(SkillCall call) {
    return Optional.of(new UnknownSkill(call.skillId()));
  }

  /** Every call of a skill is a task, and so is a held message whose sender does not wait. */
  @Override
  public Optional<Deferral> deferral(DialectCall dialectCall, UUID callId) {
    A2aCall call = A2aCall.of(dialectCall);
    return call.agent() == null
        ? call.skillCall().map(SkillCall::message).map(message -> deferral(message, callId))
        : UpstreamAgents.deferral(call, callId);
  }

  private static Deferral deferral(A2aMessage message, UUID callId) {
    return new Deferral(
        TaskId.generate(callId).text(),
        Form.TASK,
        Condition.ALWAYS,
        null,
        Objects.requireNonNullElse(message.contextId(), callId.toString()),
        AgentMessageJson.identified(message));
  }

  @Override
  public long taskWaitMillis(DialectCall dialectCall) {
    A2aCall call = A2aCall.of(dialectCall);
    return !call.isStream() && call.skillCall().filter(it -> it.options().waits()).isPresent()
        ? dialectCall.rules().limits().get(Limit.HELD_ANSWER_MILLIS_MAX)
        : 0;
  }

  @Override
  public String deferredResult(DialectCall dialectCall, TaskStatus.Known known) {
    A2aCall call = A2aCall.of(dialectCall);
    return AgentTaskJson.sent(
        known, call.version(), call.sendOptions().orElseThrow().historyLength());
  }

  /** The name of the method in version 1.0. */
  @Override
  public Optional<String> operation(String method) {
    return Optional.of(A2aMethod.of(method).map(it -> it.method().latestName()).orElse(method));
  }

  @Override
  public CallSubject subject(DialectCall dialectCall) {
    A2aCall call = A2aCall.of(dialectCall);
    return new CallSubject(call.agent(), call.taskId().orElse(null), call.aboutIds());
  }

  @Override
  public CallObserver observer() {
    return observer;
  }

  /** A task whose process died while it waited for an approval goes on in another one. */
  @Override
  public boolean canTakeOver(CallReceived call, String rulesHash, Rules rules) {
    return call.transport() == Transport.HTTP
        && (call.agent() == null || A2aCall.source(call.agent(), rules).isPresent());
  }

  /** A tool gets its arguments, as in any call. */
  @Override
  public SourceRoute route(DialectCall dialectCall, Source source, ClientContext clientContext) {
    SourceRoute route = DialectHandler.super.route(dialectCall, source, clientContext);
    A2aCall call = A2aCall.of(dialectCall);
    SourceRoute requested =
        call.skillCall()
            .map(it -> toTool(route, it.skillId(), it.arguments()))
            .or(() -> call.duplicate().map(it -> it.toAgent(route)))
            .orElse(route);
    return isAgent(source)
        ? requested.withUpstream(upstreamAgents.upstream(call, route.upstream(), clientContext))
        : requested;
  }

  @Override
  public SourceRoute backgroundRoute(
      ReceiveCall call, TaskCreated task, Source source, ClientContext clientContext) {
    SourceRoute route = DialectHandler.super.backgroundRoute(call, task, source, clientContext);
    SourceRoute requested =
        call.intent() instanceof Intent.Act(var target, var kind, _, _) && kind == TargetKind.TOOL
            ? toTool(route, target, call.arguments())
            : route;
    return isAgent(source)
        ? requested.withUpstream(upstreamAgents.upstream(task, route.upstream(), clientContext))
        : requested;
  }

  private static SourceRoute toTool(SourceRoute route, String name, @Nullable String arguments) {
    return route.withRequest(
        McpMethod.TOOLS_CALL, "{\"name\":%s,\"arguments\":%s}".formatted(quoted(name), arguments));
  }

  private static boolean isAgent(Source source) {
    return SourceFamily.AGENTS.includes(source.kind());
  }

  @Override
  public Optional<String> arguments(DialectCall dialectCall) {
    return A2aCall.of(dialectCall)
        .skillCall()
        .map(SkillCall::arguments)
        .or(() -> Optional.ofNullable(dialectCall.params()));
  }

  @Override
  public CompletableFuture<Ended> answer(DialectCall dialectCall, AnswerContext answerContext) {
    A2aCall call = A2aCall.of(dialectCall);
    return switch (call.reading()) {
      case A2aReading.Rejected(var fault) ->
          CompletableFuture.completedFuture(new Ended.Failure(fault));
      case A2aReading.Understood(var request) ->
          builtInAgent
              .answer(request, new RequestContext(call.version(), call.agent(), answerContext))
              .thenApply(ended ->
                  call.duplicate()
                      .map(it -> it.toCaller(ended, answerContext.channel(), answerContext.id()))
                      .orElse(ended));
    };
  }
}
