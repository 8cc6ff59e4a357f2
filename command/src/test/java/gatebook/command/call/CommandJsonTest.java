package gatebook.command.call;

import static gatebook.command.GivenCall.CALL;
import static gatebook.command.GivenCall.DIALECT_VERSION;
import static gatebook.command.GivenCall.NOON;
import static gatebook.command.GivenCall.call;
import static gatebook.command.GivenCall.errorResponse;
import static gatebook.command.GivenCall.gateInput;
import static gatebook.command.GivenCall.heldCall;
import static gatebook.command.GivenSources.WORKFLOW;
import static gatebook.command.GivenSources.rules;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.jsontype.NamedType;
import com.fasterxml.jackson.databind.module.SimpleModule;
import gatebook.command.GivenCall;
import gatebook.command.GivenTree;
import gatebook.command.call.SettleCall.Ending;
import gatebook.command.call.agent.AgentTaskKey;
import gatebook.command.call.agent.FindSentMessage;
import gatebook.command.call.agent.GetAgentTaskOwner;
import gatebook.command.call.agent.RecordAgentTask;
import gatebook.command.call.approval.DecideApproval;
import gatebook.command.call.approval.ResumeCall;
import gatebook.command.call.handler.CallCommandHandlers;
import gatebook.command.call.handler.CallQueryHandlers;
import gatebook.command.call.task.CancelTask;
import gatebook.command.call.task.FindWaitingTask;
import gatebook.command.call.task.GetCallState;
import gatebook.command.call.task.GetTask;
import gatebook.command.call.task.SettleTask;
import gatebook.command.gateway.ActivateRules;
import gatebook.command.gateway.GatewayCommandHandlers;
import gatebook.command.gateway.ObserveRules;
import gatebook.command.gateway.RejectRules;
import gatebook.command.gateway.ReportOutage;
import gatebook.command.rules.file.RulesTexts;
import gatebook.command.tree.ChangeTree;
import gatebook.command.tree.SettleTreeTask;
import gatebook.command.tree.execution.RecordDelivery;
import gatebook.command.tree.handler.TreeCommandHandlers;
import gatebook.command.tree.handler.TreeQueryHandlers;
import gatebook.events.CallAbandoned;
import gatebook.events.CallAnswered;
import gatebook.events.MessagesRefused;
import gatebook.events.RulesRejected;
import gatebook.events.TaskCreated;
import gatebook.events.call.Bytes;
import gatebook.events.call.Dialect;
import gatebook.events.call.Digest;
import gatebook.events.call.Ruling;
import gatebook.events.call.StreamSummary;
import gatebook.events.call.Transport;
import gatebook.events.call.Verdict;
import gatebook.events.fault.Denied;
import gatebook.events.fault.Fault;
import gatebook.events.fault.Misdirected;
import java.io.IOException;
import java.lang.reflect.Method;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.axonframework.messaging.commandhandling.annotation.CommandHandler;
import org.axonframework.messaging.queryhandling.annotation.QueryHandler;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A command or a query is plain data: its JSON says all of it. */
final class CommandJsonTest {
  private static final String HASH = "sha256:1";
  private static final Fault FAULT = new Denied.GovernanceRuleDenied("drop", "drop", false);
  private static final ReceiveCall RECEIVE = call("deploy", rules(List.of()));
  private static final GetTask GET_TASK = new GetTask(TaskId.generate(CALL), "ada", HASH, NOON);

  private static final JsonMapper JSON =
      JsonMapper.builder()
          .disable(MapperFeature.AUTO_DETECT_IS_GETTERS)
          .defaultPropertyInclusion(
              JsonInclude.Value.construct(JsonInclude.Include.NON_NULL, JsonInclude.Include.ALWAYS))
          .addMixIn(Intent.class, ByKind.class)
          .addMixIn(Ending.class, ByKind.class)
          .addMixIn(ChangeTree.Change.class, ByKind.class)
          .addMixIn(SettleTreeTask.Ending.class, ByKind.class)
          .addMixIn(RecordDelivery.Outcome.class, ByKind.class)
          .registerSubtypes(kinds(Intent.class, Ending.class, Fault.class, Ruling.class))
          .registerSubtypes(kinds(Verdict.class))
          .registerSubtypes(kinds(ChangeTree.Change.class, SettleTreeTask.Ending.class))
          .registerSubtypes(kinds(RecordDelivery.Outcome.class))
          .addModule(
              new SimpleModule()
                  .addSerializer(Instant.class, new InstantWriter())
                  .addDeserializer(Instant.class, new InstantReader()))
          .build();

  @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
  private interface ByKind {}

  private static final class InstantWriter extends JsonSerializer<Instant> {
    @Override
    public void serialize(Instant at, JsonGenerator generator, SerializerProvider provider)
        throws IOException {
      generator.writeString(at.toString());
    }
  }

  private static final class InstantReader extends JsonDeserializer<Instant> {
    @Override
    public Instant deserialize(JsonParser parser, DeserializationContext context)
        throws IOException {
      return Instant.parse(parser.getText());
    }
  }

  static Stream<Object> commands() {
    return Stream.concat(commandsOfCalls(), GivenTree.commands());
  }

  private static Stream<Object> commandsOfCalls() {
    HeldCall heldCall =
        heldCall(
            RECEIVE,
            gateInput("deploy"),
            null,
            WORKFLOW,
            new Digest("k", Bytes.of(new byte[32])),
            List.of(new Ruling.Visibility(new Verdict.Pass(), null, null, 1)),
            NOON.plusSeconds(600),
            NOON.plusSeconds(300));
    return Stream.of(
        RECEIVE,
        GivenCall.withDeferral(
            new Deferral(
                "gb_1", TaskCreated.Form.TASK, Deferral.Condition.IF_HELD_AS_REQUESTED, 7L),
            call(new Intent.Unservable(FAULT), "1", rules(List.of()))),
        new ReceiveMessage(
            GivenCall.withDeferral(
                new Deferral(
                    "gb_1",
                    TaskCreated.Form.TASK,
                    Deferral.Condition.ALWAYS,
                    null,
                    "c",
                    new IdentifiedMessage("m", "{}")),
                RECEIVE)),
        call(new Intent.AnswerHere(), null, rules(List.of())),
        new RetryCall(CALL, "ada", "s", HASH, "read", 2, "no route"),
        new PassQuestion(CALL, "ada", "s", "q", "sampling/createMessage", "{\"a\":1}", HASH),
        new PassReply(CALL, "ada", "s", "q", true, "{}", HASH),
        settle(
            new Ending.Result(
                CallAnswered.Outcome.SUCCESS,
                "{}",
                List.of("t"),
                new StreamSummary(3, "completed"))),
        settle(new Ending.Failure(FAULT, CALL)),
        new RefuseMessage(
            CALL,
            "c",
            DIALECT_VERSION,
            Transport.FRAMES,
            null,
            "1",
            7,
            new Misdirected.Unauthorized(Misdirected.Refusal.TOKEN_UNKNOWN)),
        new RefuseMessages(
            NOON,
            NOON.plusSeconds(1),
            List.of(new MessagesRefused.Count(Dialect.MCP, Transport.HTTP, "ParseError", null, 3))),
        new DecideApproval(CALL, "ada", true, "fine", NOON),
        new ResumeCall(heldCall, HASH, NOON),
        new AbandonCall(CALL, CallAbandoned.Cause.DISCONNECTED, NOON, NOON.plusSeconds(1)),
        new OrphanCall(CALL, "n-1", NOON),
        new CloseUnrecordedCall(
            CALL, "deploy", FAULT, errorResponse(FAULT), NOON, NOON.plusSeconds(1)),
        GET_TASK,
        new CancelTask(GET_TASK),
        new FindWaitingTask(CALL, HASH),
        new GetCallState(CALL),
        new RecordAgentTask(
            CALL,
            new AgentTaskKey("s", "t", null),
            "joe",
            NOON,
            new IdentifiedMessage("m", "{}"),
            "sha256:1"),
        new GetAgentTaskOwner(new AgentTaskKey("s", null, "c"), "joe"),
        new FindSentMessage(new SentMessageKey("joe", "s", "m"), "{}", HASH, NOON),
        new SettleTask("gb_1", settle(new Ending.Failure(FAULT))),
        new ActivateRules(new RulesTexts(HASH, "schema: 1", List.of(), null), "cedar 4"),
        new ObserveRules(new RulesTexts(HASH, "schema: 1", List.of(), null), "cedar 4"),
        new RejectRules(HASH, null, List.of(new RulesRejected.Mistake("f", 1, 2, "no"))),
        new ReportOutage(NOON, NOON.plusSeconds(1), "disk full", 2, 3));
  }

  private static SettleCall settle(Ending ending) {
    return new SettleCall(CALL, "ada", "c-1", DIALECT_VERSION, NOON, "deploy", ending, 1, 5L, HASH);
  }

  @ParameterizedTest
  @MethodSource("commands")
  void commandIsReadBackFromItsJson(Object command) throws JsonProcessingException {
    String json = JSON.writeValueAsString(command);

    assertThat(JSON.readValue(json, command.getClass())).as(json).isEqualTo(command);
  }

  @Test
  void everyCommandAndQueryIsThere() {
    assertThat(commands().map(Object::getClass).distinct())
        .containsExactlyInAnyOrderElementsOf(
            Stream.of(
                    CallCommandHandlers.class,
                    GatewayCommandHandlers.class,
                    CallQueryHandlers.class,
                    TreeCommandHandlers.class,
                    TreeQueryHandlers.class)
                .flatMap(handlers -> Arrays.stream(handlers.getDeclaredMethods()))
                .filter(CommandJsonTest::isHandler)
                .<Class<?>>map(handler -> handler.getParameterTypes()[0])
                .toList());
  }

  private static boolean isHandler(Method method) {
    return method.isAnnotationPresent(CommandHandler.class)
        || method.isAnnotationPresent(QueryHandler.class);
  }

  private static NamedType[] kinds(Class<?>... families) {
    return Arrays.stream(families)
        .flatMap(CommandJsonTest::leaves)
        .map(type -> new NamedType(type, type.getSimpleName()))
        .toArray(NamedType[]::new);
  }

  private static Stream<Class<?>> leaves(Class<?> type) {
    return type.isSealed()
        ? Arrays.stream(type.getPermittedSubclasses()).flatMap(CommandJsonTest::leaves)
        : Stream.of(type);
  }
}
