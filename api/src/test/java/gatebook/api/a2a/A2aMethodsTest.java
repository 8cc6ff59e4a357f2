package gatebook.api.a2a;

import static org.assertj.core.api.Assertions.assertThat;

import gatebook.api.a2a.message.A2aCall;
import gatebook.api.a2a.message.A2aReading;
import gatebook.api.a2a.upstream.AgentSkills;
import gatebook.api.a2a.upstream.TestOwners;
import gatebook.api.dialect.A2aMethod;
import gatebook.api.dialect.A2aVersion;
import gatebook.api.gateway.ViewReader;
import gatebook.api.gateway.message.DialectHandler.AnswerContext;
import gatebook.api.gateway.message.DialectHandler.DialectCall;
import gatebook.api.gateway.message.DialectReading;
import gatebook.api.gateway.message.RoutingSnapshot;
import gatebook.api.mcp.FixedToolsUpstream;
import gatebook.api.rpc.JsonType;
import gatebook.api.rpc.ObjectMembers;
import gatebook.api.upstream.Upstream.Ended;
import gatebook.command.call.Intent;
import gatebook.command.call.agent.FindSentMessage;
import gatebook.command.call.agent.GetAgentTaskOwner;
import gatebook.command.call.task.GetTask;
import gatebook.command.call.task.TaskStatus;
import gatebook.command.gate.GateInput.TargetKind;
import gatebook.command.rules.ExposeRules;
import gatebook.command.rules.Rules;
import gatebook.command.rules.Source.Kind;
import gatebook.events.CallReceived;
import gatebook.events.call.Dialect;
import gatebook.events.call.Principal;
import gatebook.events.call.Transport;
import gatebook.events.fault.Fault;
import gatebook.events.fault.Misdirected.InvalidParams;
import gatebook.events.fault.Misdirected.MethodNotFound;
import gatebook.events.fault.Misdirected.UnknownAgent;
import gatebook.events.fault.Problem;
import gatebook.events.fault.TaskFault.TaskNotFound;
import gatebook.events.fault.TaskFault.UnknownSkill;
import gatebook.events.fault.Unsupported.ExtendedAgentCardNotConfigured;
import gatebook.events.fault.Unsupported.PushNotificationNotSupported;
import gatebook.events.fault.Unsupported.UnsupportedOperation;
import gatebook.events.fault.Unsupported.VersionNotSupported;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The methods of A2A: which are known where, which agent a call addresses, and what is answered.
 */
final class A2aMethodsTest {
  private static final String SKILL = "\"metadata\":{\"skillId\":\"echo\"}";

  private static final Rules RULES =
      FixedToolsUpstream.rules(
          FixedToolsUpstream.source("tools", Kind.MCP, "", ExposeRules.ALL),
          FixedToolsUpstream.source("writer", Kind.A2A, "", ExposeRules.ALL),
          FixedToolsUpstream.source("gone", Kind.A2A, "", false, ExposeRules.ALL));
  private static final String A_TASK = "{\"id\":\"t\"}";
  private static final RoutingSnapshot SNAPSHOT =
      new RoutingSnapshot(
          RULES, Map.of("tools", FixedToolsUpstream.of("tools", "echo", "pay")), null);

  private final A2aMethods methods =
      new A2aMethods(
          new AgentSkills(() -> SNAPSHOT, () -> Instant.EPOCH),
          TestOwners.commands(A2aMethodsTest::nobodyOwns),
          TestOwners.queries(A2aMethodsTest::nobodyOwns),
          new ViewReader(Optional::empty),
          new SimpleMeterRegistry(),
          () -> Instant.EPOCH);

  private static CompletableFuture<?> nobodyOwns(Object query) {
    return CompletableFuture.completedFuture(
        switch (query) {
          case GetAgentTaskOwner _ -> new GetAgentTaskOwner.Result(false, false);
          case FindSentMessage _ -> new FindSentMessage.Result.None();
          case GetTask _ -> new TaskStatus.Unknown();
          default -> throw new AssertionError(query);
        });
  }

  @ParameterizedTest
  @EnumSource(
      mode = EnumSource.Mode.EXCLUDE,
      names = {"SEND", "STREAM"})
  void methodOfAnotherVersionIsUnknownAtAVersionsPath(A2aMethod method) {
    String inV1 = method.wireName(A2aVersion.V1_0).orElseThrow();

    assertThat(intent(inV1, null, "v0.3", null)).isEqualTo(unservable(new MethodNotFound(inV1)));
    assertThat(intent(inV1, A_TASK, "v1", "writer")).isEqualTo(ofKnown(method));
    method
        .wireName(A2aVersion.V0_3)
        .ifPresent(inV03 -> {
          assertThat(intent(inV03, null, "v1", null))
              .isEqualTo(unservable(new MethodNotFound(inV03)));
          assertThat(intent(inV03, A_TASK, "v0.3", "writer")).isEqualTo(ofKnown(method));
        });
  }

  /** What a request to the agent wants that its path knows. */
  private static Intent ofKnown(A2aMethod method) {
    return switch (method) {
      case GET, LIST, CANCEL, SUBSCRIBE ->
          new Intent.Act(
              "writer/" + method.wireName(A2aVersion.V1_0).orElseThrow(), TargetKind.AGENT);
      case SEND, STREAM, CREATE_PUSH, GET_PUSH, LIST_PUSH, DELETE_PUSH, EXTENDED_CARD ->
          new Intent.AnswerHere();
    };
  }

  @Test
  void versionIsCheckedBeforeAgentAndMethod() {
    assertThat(intent("no/such", null, "v1-0.3", "nobody"))
        .isEqualTo(unservable(new VersionNotSupported("0.3", List.of("1.0"))));
    assertThat(intent("no/such", null, "v1", "nobody"))
        .isEqualTo(unservable(new UnknownAgent("nobody")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"nobody", "tools", "gone", "WRITER"})
  void onlyEnabledAgentsAreKnown(String agent) {
    assertThat(intent("GetTask", null, "v1", agent)).isEqualTo(unservable(new UnknownAgent(agent)));
    assertThat(intent("GetTask", tenant(agent), "v1", null))
        .isEqualTo(unservable(new UnknownAgent(agent)));
  }

  @Test
  void tenantAddressesAnAgentInV1() {
    assertThat(methods.subject(call("GetTask", tenant("writer"), null, null)).agent())
        .isEqualTo("writer");
    assertThat(methods.subject(call("GetTask", tenant("writer"), null, "writer")).agent())
        .isEqualTo("writer");
    assertThat(methods.subject(call("GetTask", tenant(""), null, null)).agent()).isNull();
    assertThat(methods.subject(call("tasks/get", tenant("writer"), null, null)).agent()).isNull();
    assertThat(methods.subject(call("GetTask", tenant("w".repeat(500)), null, null)).agent())
        .isEqualTo("w".repeat(129));
    assertThat(intent("GetTask", tenant("writer"), "v1", null))
        .isEqualTo(new Intent.Act("writer/GetTask", TargetKind.AGENT));
  }

  @Test
  void tenantMustBeTheAgentOfThePath() {
    assertThat(intent("GetTask", tenant("tools"), "v1", "writer"))
        .isEqualTo(
            unservable(
                new InvalidParams(
                    List.of(
                        new Problem(
                            "tenant",
                            null,
                            "the agent of the path",
                            JsonType.STRING,
                            List.of())))));
  }

  @ParameterizedTest
  @CsvSource({",", "1.0,", "0.3,", ",writer", "1.0,writer"})
  void eitherSetWorksWhereThePathHasNoVersion(@Nullable String version, @Nullable String agent) {
    assertThat(List.of("agent/getAuthenticatedExtendedCard", "GetExtendedAgentCard"))
        .allSatisfy(method ->
            assertThat(intent(method, null, version, agent)).isEqualTo(new Intent.AnswerHere()));
    assertThat(intent("tasks/list", null, version, agent))
        .isEqualTo(unservable(new MethodNotFound("tasks/list")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"tasks/resubscribe", "SubscribeToTask"})
  void noTaskCanBeSubscribedTo(String method) {
    assertThat(answer(method, "{\"id\":\"t-1\"}")).isEqualTo(failure(new TaskNotFound("t-1")));
  }

  @Test
  void unknownSkillIsRefused() {
    assertThat(checked("message/send", "user", "dance"))
        .isEqualTo(unservable(new UnknownSkill("dance")));
    assertThat(checked("SendStreamingMessage", "ROLE_USER", "dance"))
        .isEqualTo(unservable(new UnknownSkill("dance")));
    assertThat(checked("message/send", "user", "echo"))
        .isEqualTo(new Intent.Act("echo", TargetKind.TOOL));
  }

  private Intent checked(String method, String role, String skill) {
    DialectCall call = call(method, skill(role, skill), null, null);
    return methods.checkedIntent(call, (Intent.Act) methods.intent(call), "joe").join();
  }

  @Test
  void messageToAnUnknownTaskIsRefused() {
    assertThat(answer("message/send", sent("user", "\"taskId\":\"t-1\"")))
        .isEqualTo(failure(new TaskNotFound("t-1")));
  }

  @ParameterizedTest
  @CsvSource({
    "tasks/get,writer/GetTask",
    "GetTask,writer/GetTask",
    "tasks/cancel,writer/CancelTask",
    "CancelTask,writer/CancelTask",
    "ListTasks,writer/ListTasks"
  })
  void requestToAnAgentActsOnItsMethod(String method, String target) {
    assertThat(intent(method, "{\"id\":\"t\"}", null, "writer"))
        .isEqualTo(new Intent.Act(target, TargetKind.AGENT));
  }

  @ParameterizedTest
  @CsvSource({"message/send,user", "SendMessage,ROLE_USER"})
  void messageToAnAgentActsOnMethodAndSkill(String method, String role) {
    assertThat(intent(method, sent(role, "\"contextId\":\"c\""), null, "writer"))
        .isEqualTo(new Intent.Act("writer/SendMessage", TargetKind.AGENT));
    assertThat(intent(method, sent(role, SKILL), null, "writer"))
        .isEqualTo(
            new Intent.Act("writer/SendMessage", TargetKind.AGENT, List.of("writer/skills/echo")));
  }

  @ParameterizedTest
  @CsvSource({
    "message/send,user,45000",
    "SendMessage,ROLE_USER,45000",
    "message/stream,user,0",
    "SendStreamingMessage,ROLE_USER,0"
  })
  void messageActsOnToolAndOnlyWithoutStreamItWaits(String method, String role, long waitMillis) {
    DialectCall call = call(method, skill(role, "echo"), null, null);

    assertThat(methods.intent(call)).isEqualTo(new Intent.Act("echo", TargetKind.TOOL));
    assertThat(methods.taskWaitMillis(call)).isEqualTo(waitMillis);
  }

  @Test
  void paramsAreReadOnce() {
    DialectCall call = call("SendMessage", skill("ROLE_USER", "echo"), null, null);

    A2aReading reading = A2aCall.of(call).reading();

    assertThat(methods.intent(call)).isEqualTo(new Intent.Act("echo", TargetKind.TOOL));
    assertThat(A2aCall.of(call).reading()).isSameAs(reading);
  }

  @ParameterizedTest
  @CsvSource({"message/stream,user", "SendStreamingMessage,ROLE_USER"})
  void streamOfAnAgentActsOnItsMethodAndSkill(String method, String role) {
    assertThat(intent(method, sent(role, "\"contextId\":\"c\""), null, "writer"))
        .isEqualTo(new Intent.Act("writer/SendStreamingMessage", TargetKind.AGENT));
    assertThat(intent(method, skill(role, "route"), null, "writer"))
        .isEqualTo(
            new Intent.Act(
                "writer/SendStreamingMessage", TargetKind.AGENT, List.of("writer/skills/route")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"tasks/resubscribe", "SubscribeToTask"})
  void followingATaskOfAnAgentActsOnItsMethod(String method) {
    assertThat(intent(method, A_TASK, null, "writer"))
        .isEqualTo(new Intent.Act("writer/SubscribeToTask", TargetKind.AGENT));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "tasks/pushNotificationConfig/set | {'taskId':'t','pushNotificationConfig':{'url':'u'}}",
        "tasks/pushNotificationConfig/get | {'id':'t'}",
        "tasks/pushNotificationConfig/list | {'id':'t'}",
        "tasks/pushNotificationConfig/delete | {'id':'t','pushNotificationConfigId':'p'}",
        "CreateTaskPushNotificationConfig | {'taskId':'t','url':'u'}",
        "GetTaskPushNotificationConfig | {'taskId':'t','id':'p'}",
        "ListTaskPushNotificationConfigs | {'taskId':'t'}",
        "DeleteTaskPushNotificationConfig | {'taskId':'t','id':'p'}"
      })
  void pushIsNotSupported(String method, String params) {
    assertThat(answer(method, params.replace('\'', '"')))
        .isEqualTo(failure(new PushNotificationNotSupported()));
  }

  @ParameterizedTest
  @NullSource
  @ValueSource(strings = "writer")
  void messageThatWantsPushIsRefused(@Nullable String agent) {
    assertThat(
            intent(
                "message/send",
                sent("user", SKILL).replaceFirst("}$", "")
                    + ",\"configuration\":{\"pushNotificationConfig\":{\"url\":\"u\"}}}",
                null,
                agent))
        .isEqualTo(unservable(new PushNotificationNotSupported()));
  }

  @Test
  void extendedCardIsRefusedInEachVersionsWords() {
    assertThat(answer("agent/getAuthenticatedExtendedCard", null))
        .isEqualTo(failure(new ExtendedAgentCardNotConfigured()));
    assertThat(answer("GetExtendedAgentCard", null))
        .isEqualTo(failure(new UnsupportedOperation("GetExtendedAgentCard", null)));
  }

  /** Calls are decided again from their record, and taken over by other processes. */
  @ParameterizedTest
  @CsvSource({
    "GetTask,,,",
    "GetTask,v1,writer,",
    "GetTask,1.0,nobody,",
    "GetTask,v1,,writer",
    "GetTask,v1,,nobody",
    "GetTask,v1,writer,tools",
    "tasks/get,v1,writer,",
    "tasks/get,v0.3-1.0,writer,",
    "SendMessage,v2,,"
  })
  void recordedCallMeansTheSame(
      String method, @Nullable String version, @Nullable String agent, @Nullable String tenant) {
    String params = tenant == null ? null : tenant(tenant);
    DialectCall call = call(method, params, version, agent);

    DialectCall recorded =
        DialectCall.of(received(method, version, methods.subject(call).agent()), params, RULES);

    assertThat(methods.intent(recorded)).isEqualTo(methods.intent(call));
    assertThat(methods.subject(recorded).agent()).isEqualTo(methods.subject(call).agent());
  }

  private static CallReceived received(
      String method, @Nullable String version, @Nullable String agent) {
    return new CallReceived(
        new UUID(0, 1),
        "c",
        null,
        Dialect.A2A,
        version,
        Transport.HTTP,
        Instant.EPOCH,
        method,
        "1",
        Principal.ANONYMOUS,
        null,
        null,
        null,
        null,
        null,
        RULES.hash(),
        agent);
  }

  private static String sent(String role, String member) {
    return """
    {"message":{"messageId":"m","role":"%s","parts":[{"text":"a"}],%s}}\
    """
        .formatted(role, member);
  }

  private static String skill(String role, String skillId) {
    return """
    {"message":{"messageId":"m","role":"%s","parts":[{%s"data":{}}],\
    "metadata":{"skillId":"%s"}}}\
    """
        .formatted(role, role.equals("user") ? "\"kind\":\"data\"," : "", skillId);
  }

  private static String tenant(String tenant) {
    return "{\"id\":\"t\",\"tenant\":\"%s\"}".formatted(tenant);
  }

  private static Intent unservable(Fault fault) {
    return new Intent.Unservable(fault);
  }

  private static Ended failure(Fault fault) {
    return new Ended.Failure(fault);
  }

  private Intent intent(
      String method, @Nullable String params, @Nullable String version, @Nullable String agent) {
    return methods.intent(call(method, params, version, agent));
  }

  private Ended answer(String method, @Nullable String params) {
    return answer(method, params, null);
  }

  private Ended answer(String method, @Nullable String params, @Nullable String agent) {
    return methods.answer(call(method, params, null, agent), AnswerContext.of(SNAPSHOT)).join();
  }

  private static DialectCall call(
      String method, @Nullable String params, @Nullable String version, @Nullable String agent) {
    return new DialectCall(
        method,
        params,
        ObjectMembers.of(params),
        version,
        RULES,
        null,
        agent,
        new DialectReading());
  }
}
