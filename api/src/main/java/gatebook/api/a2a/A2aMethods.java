package gatebook.api.a2a;

import static gatebook.api.rpc.JsonStrings.quoted;

import gatebook.api.a2a.SkillMessage.SkillCall;
import gatebook.api.dialect.A2aMethod;
import gatebook.api.dialect.A2aMethod.VersionedMethod;
import gatebook.api.dialect.A2aProfile;
import gatebook.api.dialect.A2aVersion;
import gatebook.api.gateway.CommandSender;
import gatebook.api.gateway.DialectHandler;
import gatebook.api.gateway.QuerySender;
import gatebook.api.upstream.Upstream;
import gatebook.api.upstream.Upstream.Ended;
import gatebook.api.upstream.mcp.McpMethod;
import gatebook.command.axon.CommandConfiguration;
import gatebook.command.call.Deferral;
import gatebook.command.call.Deferral.Condition;
import gatebook.command.call.Intent;
import gatebook.command.call.TaskId;
import gatebook.command.call.TaskStatus;
import gatebook.command.gate.GateInput.TargetKind;
import gatebook.command.gate.SourceFamily;
import gatebook.command.rules.Rules;
import gatebook.command.rules.Source;
import gatebook.events.CallReceived;
import gatebook.events.TaskCreated.Form;
import gatebook.events.call.Dialect;
import gatebook.events.call.TextPrefix;
import gatebook.events.call.Transport;
import gatebook.events.fault.Fault;
import gatebook.events.fault.Misdirected.InvalidParams;
import gatebook.events.fault.Misdirected.MethodNotFound;
import gatebook.events.fault.Misdirected.UnknownAgent;
import gatebook.events.fault.Problem;
import gatebook.events.fault.TaskFault.UnknownSkill;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * The methods of A2A, by their names in each version. A path of a version has those of that
 * version, any other path has all. Where no version is declared, only the errors differ. A message
 * that calls a skill of the built-in agent acts on a tool, and most requests to other agents act on
 * these; all other requests are answered here.
 */
public final class A2aMethods implements DialectHandler {
  private static final String TENANT = "tenant";

  /** One more than an id may have: what is cut is nobody's id. */
  private static final int AGENT_CHARS_MAX = 129;

  /** A message may be large: the journal's threads do not read it. */
  private static final Executor MAY_COMPUTE = CommandConfiguration.OFF_THE_SENDERS_THREAD;

  private final AgentSkills agentSkills;
  private final A2aAgent builtInAgent = new BuiltInAgent();

  private final A2aAgent ungovernedRequests = new UngovernedRequests();
  private final AgentTaskOwners agentTaskOwners;
  private final UpstreamAgents upstreamAgents;

  /** The methods of agents with these skills, and with tasks of these owners. */
  A2aMethods(AgentSkills agentSkills, AgentTaskOwners agentTaskOwners) {
    this.agentSkills = agentSkills;
    this.agentTaskOwners = agentTaskOwners;
    this.upstreamAgents = new UpstreamAgents(agentTaskOwners);
  }

  /** The methods of agents with these skills; the journal has the owners of their tasks. */
  public static A2aMethods of(
      AgentSkills agentSkills,
      CommandSender commandSender,
      QuerySender querySender,
      InstantSource clock) {
    return new A2aMethods(agentSkills, new JournalledTaskOwners(commandSender, querySender, clock));
  }

  @Override
  public Dialect dialect() {
    return Dialect.A2A;
  }

  @Override
  public Intent intent(DialectCall dialectCall) {
    return A2aProfile.recorded(dialectCall.version())
        .refusal()
        .<Fault>map(fault -> fault)
        .or(() -> unknownAgent(dialectCall))
        .or(() -> unknownMethod(dialectCall))
        .or(() -> otherTenant(dialectCall))
        .<Intent>map(Intent.Unservable::new)
        .orElseGet(() -> intended(dialectCall));
  }

  private Intent intended(DialectCall dialectCall) {
    String agent = agent(dialectCall);
    return agent == null
        ? intended(skillMessage(dialectCall))
        : UpstreamAgents.intent(agent, method(dialectCall).orElseThrow(), dialectCall.params());
  }

  private static A2aReading reading(DialectCall dialectCall) {
    return A2aRequestReader.read(method(dialectCall).orElseThrow(), dialectCall.params());
  }

  private static Intent intended(Optional<SkillMessage> skillMessage) {
    return switch (skillMessage.orElse(null)) {
      case SkillMessage.SkillCall(var skillId, _, _) -> new Intent.Act(skillId, TargetKind.TOOL);
      case SkillMessage.Unfit(var fault) -> new Intent.Unservable(fault);
      case SkillMessage.Continuation _ -> new Intent.AnswerHere();
      case null -> new Intent.AnswerHere();
    };
  }

  /** The message that is sent to the built-in agent; empty for every other request. */
  private Optional<SkillMessage> skillMessage(DialectCall dialectCall) {
    return agent(dialectCall) == null
        ? method(dialectCall)
            .filter(method -> method.method().sendsMessage())
            .map(method -> SkillMessage.read(method, dialectCall.params()))
        : Optional.empty();
  }

  private Optional<SkillCall> skillCall(DialectCall dialectCall) {
    return skillMessage(dialectCall)
        .flatMap(
            message -> message instanceof SkillCall call ? Optional.of(call) : Optional.empty());
  }

  @Override
  public String targetParam(DialectCall dialectCall) {
    return "message.metadata.skillId";
  }

  /**
   * A skill that the rules show but no tool has, and a task of an agent that is not the caller's.
   */
  @Override
  public CompletableFuture<Optional<Fault>> refusal(DialectCall dialectCall, String principal) {
    String agent = agent(dialectCall);
    return agent == null
        ? unknownSkill(dialectCall)
        : upstreamAgents.refusal(agent, reading(dialectCall), principal, dialectCall);
  }

  private CompletableFuture<Optional<Fault>> unknownSkill(DialectCall dialectCall) {
    return skillCall(dialectCall)
        .map(call ->
            agentSkills
                .lacksShown(call.skillId())
                .thenApply(lacks -> lacks ? unknownSkill(call) : Optional.<Fault>empty()))
        .orElseGet(() -> CompletableFuture.completedFuture(Optional.empty()));
  }

  private static Optional<Fault> unknownSkill(SkillCall call) {
    return Optional.of(new UnknownSkill(call.skillId()));
  }

  /** Every call of a skill is a task. */
  @Override
  public Optional<Deferral> deferral(DialectCall dialectCall, UUID callId) {
    return skillCall(dialectCall)
        .map(_ -> new Deferral(TaskId.generate(callId).text(), Form.TASK, Condition.ALWAYS, null));
  }

  @Override
  public long taskWaitMillis(DialectCall dialectCall) {
    return !isStream(dialectCall)
            && skillCall(dialectCall).filter(call -> call.options().waits()).isPresent()
        ? dialectCall.rules().limits().heldAnswerMillisMax()
        : 0;
  }

  @Override
  public String deferredResult(DialectCall dialectCall, TaskStatus.Known known) {
    return AgentTaskJson.sent(
        known,
        method(dialectCall).orElseThrow().version(),
        skillCall(dialectCall).orElseThrow().options().historyLength());
  }

  /** The response to a message may be a stream about its task. */
  @Override
  public void onTask(DialectCall dialectCall, TaskStatus.Known known, AnswerContext answerContext) {
    if (isStream(dialectCall)) {
      A2aExchange.stream(answerContext, known, method(dialectCall).orElseThrow().version());
    }
  }

  private static boolean isStream(DialectCall dialectCall) {
    return method(dialectCall).filter(it -> it.method() == A2aMethod.STREAM).isPresent();
  }

  /** A task whose process died while it waited for an approval goes on in another one. */
  @Override
  public boolean canTakeOver(CallReceived call, String rulesHash, Rules rules) {
    return call.transport() == Transport.HTTP && call.agent() == null;
  }

  /** A tool gets its arguments, as in any call. */
  @Override
  public SourceRequest sourceRequest(Source source, SourceRequest request) {
    return A2aMethod.of(request.method())
        .filter(_ -> SourceFamily.TOOLS.includes(source.kind()))
        .flatMap(method ->
            SkillMessage.read(method, request.params()) instanceof SkillCall call
                ? Optional.of(toolCall(call))
                : Optional.empty())
        .orElse(request);
  }

  private static SourceRequest toolCall(SkillCall call) {
    return new SourceRequest(
        McpMethod.TOOLS_CALL,
        "{\"name\":%s,\"arguments\":%s}".formatted(quoted(call.skillId()), call.arguments()));
  }

  @Override
  public Upstream upstream(DialectCall dialectCall, Source source, ClientContext clientContext) {
    Upstream upstream = DialectHandler.super.upstream(dialectCall, source, clientContext);
    return SourceFamily.AGENTS.includes(source.kind())
        ? new OwnedAgentUpstream(upstream, clientContext, agentTaskOwners)
        : upstream;
  }

  private Optional<Fault> unknownAgent(DialectCall dialectCall) {
    return Optional.ofNullable(agent(dialectCall))
        .filter(id -> source(id, dialectCall.rules()).isEmpty())
        .map(UnknownAgent::new);
  }

  /** The enabled source of an agent. */
  static Optional<Source> source(String agent, Rules rules) {
    return rules.sources().stream()
        .filter(source ->
            source.id().equals(agent)
                && source.enabled()
                && SourceFamily.AGENTS.includes(source.kind()))
        .findFirst();
  }

  private static Optional<Fault> unknownMethod(DialectCall dialectCall) {
    return method(dialectCall).isEmpty()
        ? Optional.of(new MethodNotFound(dialectCall.method()))
        : Optional.empty();
  }

  private static Optional<VersionedMethod> method(DialectCall dialectCall) {
    A2aProfile profile = A2aProfile.recorded(dialectCall.version());
    return A2aMethod.of(dialectCall.method()).filter(it -> profile.includes(it.version()));
  }

  private static Optional<Fault> otherTenant(DialectCall dialectCall) {
    return tenant(dialectCall)
        .filter(tenant -> dialectCall.agent() != null && !tenant.equals(dialectCall.agent()))
        .map(_ ->
            new InvalidParams(
                List.of(new Problem(TENANT, null, "the agent of the path", null, List.of()))));
  }

  /** The agent of the path; where that names none, the tenant of version 1.0. */
  @Override
  public @Nullable String agent(DialectCall dialectCall) {
    return dialectCall.agent() == null ? tenant(dialectCall).orElse(null) : dialectCall.agent();
  }

  private static Optional<String> tenant(DialectCall dialectCall) {
    return method(dialectCall)
        .filter(method -> method.version() == A2aVersion.V1_0)
        .flatMap(_ -> dialectCall.members().text(TENANT))
        .filter(tenant -> !tenant.isEmpty())
        .map(tenant -> TextPrefix.of(tenant, AGENT_CHARS_MAX));
  }

  @Override
  public Optional<String> arguments(DialectCall dialectCall) {
    return skillCall(dialectCall)
        .map(SkillCall::arguments)
        .or(() -> Optional.ofNullable(dialectCall.params()));
  }

  @Override
  public CompletableFuture<Ended> answer(DialectCall dialectCall, AnswerContext answerContext) {
    VersionedMethod method = method(dialectCall).orElseThrow();
    return CompletableFuture.supplyAsync(
            () -> A2aRequestReader.read(method, dialectCall.params()), MAY_COMPUTE)
        .thenCompose(reading ->
            switch (reading) {
              case A2aReading.Rejected(var fault) ->
                  CompletableFuture.completedFuture(new Ended.Failure(fault));
              case A2aReading.Understood(var request) ->
                  agentOf(dialectCall)
                      .answer(
                          request,
                          new A2aAgent.RequestContext(
                              method.version(), agent(dialectCall), answerContext));
            });
  }

  private A2aAgent agentOf(DialectCall dialectCall) {
    return agent(dialectCall) == null ? builtInAgent : ungovernedRequests;
  }
}
