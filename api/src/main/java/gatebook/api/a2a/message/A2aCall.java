package gatebook.api.a2a.message;

import gatebook.api.a2a.message.A2aRequest.MessageRequest;
import gatebook.api.a2a.message.A2aRequest.SendOptions;
import gatebook.api.a2a.message.MessageTurns.Turn;
import gatebook.api.a2a.message.SkillMessage.SkillCall;
import gatebook.api.dialect.A2aMethod;
import gatebook.api.dialect.A2aMethod.VersionedMethod;
import gatebook.api.dialect.A2aProfile;
import gatebook.api.dialect.A2aVersion;
import gatebook.api.gateway.message.DialectHandler.DialectCall;
import gatebook.api.rpc.JsonType;
import gatebook.api.rpc.MemberSplice;
import gatebook.command.gate.SourceFamily;
import gatebook.command.rules.Rules;
import gatebook.command.rules.Source;
import gatebook.events.call.TextPrefix;
import gatebook.events.fault.Fault;
import gatebook.events.fault.Misdirected.InvalidParams;
import gatebook.events.fault.Misdirected.MethodNotFound;
import gatebook.events.fault.Misdirected.UnknownAgent;
import gatebook.events.fault.Problem;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A call of A2A. Its agent and its method are known at once; its params are read once, or never.
 */
public final class A2aCall {
  static final String TENANT = "tenant";

  /** One character more than an id may have, so that a cut id equals no valid one. */
  private static final int AGENT_CHARS_MAX = 129;

  private static final List<String> PARTS = List.of("message", "parts");

  private final @Nullable String params;
  private final @Nullable VersionedMethod method;
  private final @Nullable String tenant;
  private final @Nullable String agent;
  private @Nullable A2aReading reading;
  private @Nullable NamedIds namedIds;
  private @Nullable SkillMessage skillMessage;
  private @Nullable DuplicateSend duplicateSend;
  private volatile @Nullable Turn turn;
  private volatile boolean usesIdAgain;

  private volatile @Nullable String answeredTaskId;

  /** The ids in the message, when its task is read in its place. */
  private List<String> sentIds = List.of();

  private A2aCall(DialectCall dialectCall) {
    A2aProfile profile = A2aProfile.recorded(dialectCall.version());
    this.params = dialectCall.params();
    this.method =
        A2aMethod.of(dialectCall.method())
            .filter(it -> profile.includes(it.version()))
            .orElse(null);
    this.tenant =
        method != null && method.version() == A2aVersion.V1_0
            ? dialectCall
                .members()
                .text(TENANT)
                .filter(it -> !it.isEmpty())
                .map(it -> TextPrefix.of(it, AGENT_CHARS_MAX))
                .orElse(null)
            : null;
    this.agent = dialectCall.agent() == null ? tenant : dialectCall.agent();
  }

  /** The same object each time that it is asked for. */
  public static A2aCall of(DialectCall dialectCall) {
    return dialectCall.read(A2aCall.class, A2aCall::new);
  }

  /** Whether the method is known where it was called. */
  public boolean hasMethod() {
    return method != null;
  }

  public A2aMethod method() {
    return versionedMethod().method();
  }

  public A2aVersion version() {
    return versionedMethod().version();
  }

  private VersionedMethod versionedMethod() {
    return Optional.ofNullable(method).orElseThrow();
  }

  /** The enabled source of an agent. */
  public static Optional<Source> source(String agent, Rules rules) {
    return rules.sources().stream()
        .filter(source ->
            source.id().equals(agent)
                && source.enabled()
                && SourceFamily.AGENTS.includes(source.kind()))
        .findFirst();
  }

  /** Why the agent that the params name cannot get the call; empty when it can. */
  private Optional<Fault> otherTenant() {
    return Optional.ofNullable(tenant)
        .filter(it -> !it.equals(agent))
        .map(_ ->
            new InvalidParams(
                List.of(
                    new Problem(
                        TENANT, null, "the agent of the path", JsonType.STRING, List.of()))));
  }

  /** The agent of the path; where that names none, the tenant. */
  public @Nullable String agent() {
    return agent;
  }

  /**
   * Why it is served nowhere; empty when its version is supported, and its agent and its method are
   * known.
   */
  public Optional<Fault> misdirection(DialectCall dialectCall) {
    return A2aProfile.recorded(dialectCall.version())
        .refusal()
        .<Fault>map(fault -> fault)
        .or(() ->
            Optional.ofNullable(agent)
                .filter(id -> source(id, dialectCall.rules()).isEmpty())
                .map(UnknownAgent::new))
        .or(() ->
            hasMethod() ? Optional.empty() : Optional.of(new MethodNotFound(dialectCall.method())))
        .or(this::otherTenant);
  }

  /** What its params say; only of a call whose method is known. */
  public synchronized A2aReading reading() {
    A2aReading made = reading;
    if (made == null) {
      made = A2aRequestReader.read(versionedMethod(), params);
      reading = made;
    }
    return made;
  }

  /**
   * The ids of tasks and contexts that its params name; those of a message to the built-in agent
   * without its parts, which are the arguments of a tool.
   */
  public synchronized NamedIds namedIds() {
    NamedIds made = namedIds;
    if (made == null) {
      made =
          NamedIds.of(
              params == null || agent != null ? params : MemberSplice.without(params, PARTS));
      namedIds = made;
    }
    return made;
  }

  /** Reads the task that an agent has for this message, which was sent before. */
  public synchronized void readTask(String taskId) {
    Integer historyLength = sendOptions().map(SendOptions::historyLength).orElse(null);
    sentIds = ids(reading());
    duplicateSend = new DuplicateSend(version(), taskId, historyLength, isStream());
    reading = new A2aReading.Understood(new A2aRequest.Get(taskId, historyLength));
  }

  /** Sends a message with the id of an earlier one, and other content. */
  public void useIdAgain() {
    usesIdAgain = true;
  }

  public boolean usesIdAgain() {
    return usesIdAgain;
  }

  /** Sends a message of which there may be equal ones. */
  public void useTurn(Turn taken) {
    turn = taken;
  }

  /** The turn of a message to an agent upstream; empty for every other request. */
  public Optional<Turn> turn() {
    return Optional.ofNullable(turn);
  }

  /** The request as a duplicate of an earlier message; empty when it is none. */
  public synchronized Optional<DuplicateSend> duplicate() {
    return Optional.ofNullable(duplicateSend);
  }

  /** The task that it is about; for a message that the agent has answered, the task it became. */
  public synchronized Optional<String> taskId() {
    Optional<String> named =
        method != null && reading() instanceof A2aReading.Understood(var request)
            ? request.aboutTask()
            : Optional.empty();
    return named.or(() -> Optional.ofNullable(answeredTaskId));
  }

  /** The agent answered with this task. */
  public void answerWith(String taskId) {
    answeredTaskId = taskId;
  }

  /** The ids that it names, of a task, a context and a message. */
  public synchronized List<String> aboutIds() {
    return method == null
        ? List.of()
        : Stream.concat(sentIds.stream(), ids(reading()).stream()).toList();
  }

  private static List<String> ids(A2aReading reading) {
    return reading instanceof A2aReading.Understood(var request) ? request.aboutIds() : List.of();
  }

  /** The options of a message; empty for every other request. */
  public Optional<SendOptions> sendOptions() {
    return method != null && reading() instanceof A2aReading.Understood(MessageRequest sent)
        ? Optional.of(sent.options())
        : Optional.empty();
  }

  public boolean isStream() {
    return method != null && method.method() == A2aMethod.STREAM;
  }

  /** The message that is sent to the built-in agent; empty for every other request. */
  public synchronized Optional<SkillMessage> skillMessage() {
    if (skillMessage == null && agent == null && method != null && method.method().sendsMessage()) {
      skillMessage = SkillMessage.of(reading());
    }
    return Optional.ofNullable(skillMessage);
  }

  public Optional<SkillCall> skillCall() {
    return skillMessage()
        .flatMap(
            message -> message instanceof SkillCall call ? Optional.of(call) : Optional.empty());
  }
}
