package gatebook.command.call.handler;

import static gatebook.command.GivenCall.CALL;
import static gatebook.command.GivenCall.DIGESTS;
import static gatebook.command.GivenCall.NOON;
import static gatebook.command.GivenCall.TRANSLATOR;
import static org.assertj.core.api.Assertions.assertThat;

import gatebook.command.axon.CommandConfiguration;
import gatebook.command.call.CallQuery;
import gatebook.command.call.TaskId;
import gatebook.command.call.agent.FindSentMessage;
import gatebook.command.call.agent.GetAgentTaskOwner;
import gatebook.command.call.task.FindWaitingTask;
import gatebook.command.call.task.GetCallState;
import gatebook.command.call.task.GetTask;
import gatebook.command.call.task.TaskStatus;
import gatebook.command.rules.Rules;
import gatebook.command.rules.RulesByHash;
import gatebook.events.keys.ContentKeys;
import gatebook.events.vocabulary.VocabularyConfiguration;
import java.util.Arrays;
import java.util.Optional;
import org.axonframework.common.configuration.AxonConfiguration;
import org.axonframework.conversion.Converter;
import org.axonframework.conversion.PassThroughConverter;
import org.axonframework.eventsourcing.configuration.EventSourcingConfigurer;
import org.axonframework.messaging.core.annotation.ClasspathParameterResolverFactory;
import org.axonframework.messaging.core.conversion.DelegatingMessageConverter;
import org.axonframework.messaging.queryhandling.annotation.AnnotatedQueryHandlingComponent;
import org.axonframework.messaging.queryhandling.annotation.Query;
import org.axonframework.messaging.queryhandling.annotation.QueryHandler;
import org.axonframework.messaging.queryhandling.gateway.QueryGateway;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class CallQueryHandlersTest {

  private final AxonConfiguration axon = configuration();

  private static AxonConfiguration configuration() {
    RulesByHash rulesByHash = new RulesByHash();
    rulesByHash.add(Rules.NONE);
    EventSourcingConfigurer configurer =
        EventSourcingConfigurer.create()
            .componentRegistry(registry ->
                registry
                    .registerEnhancer(new VocabularyConfiguration())
                    .registerComponent(Converter.class, _ -> PassThroughConverter.INSTANCE));
    CommandConfiguration.configure(configurer, CommandConfiguration.executors(ContentKeys.NONE));
    return CommandConfiguration.configureQueries(
            configurer, new CallQueryHandlers(rulesByHash, DIGESTS, TRANSLATOR))
        .start();
  }

  @AfterEach
  void stop() {
    axon.shutdown();
  }

  @Test
  void aTaskOfAnUnknownCallIsUnknown() {
    assertThat(
            ask(
                new GetTask(TaskId.generate(CALL), "ada", Rules.NONE.hash(), NOON),
                TaskStatus.class))
        .isEqualTo(new TaskStatus.Unknown());
  }

  @Test
  void noTaskWaitsInAnUnknownCall() {
    assertThat(ask(new FindWaitingTask(CALL, Rules.NONE.hash()), FindWaitingTask.Result.class))
        .isEqualTo(new FindWaitingTask.Result.None());
  }

  @Test
  void anUnknownCallWasNotForwarded() {
    assertThat(ask(new GetCallState(CALL), GetCallState.Result.class))
        .isEqualTo(new GetCallState.Result(false, Optional.empty(), false, Optional.empty()));
  }

  private <R> R ask(CallQuery query, Class<R> outcome) {
    return axon.getComponent(QueryGateway.class).query(query, outcome).join();
  }

  @Query(name = "Renamed", namespace = "test")
  private record Renamed() {}

  private static final class RenamedHandler {
    @QueryHandler
    @SuppressWarnings({"UnusedMethod", "UnusedVariable"}) // Axon calls it
    String handle(Renamed query) {
      return "answer";
    }
  }

  /** The trap of Axon 5.0.1: if this test fails, queries may have names. */
  @Test
  void axonIgnoresTheNameOfAQuery() {
    var handlers =
        new AnnotatedQueryHandlingComponent<>(
            new RenamedHandler(),
            ClasspathParameterResolverFactory.forClass(RenamedHandler.class),
            new DelegatingMessageConverter(PassThroughConverter.INSTANCE));

    assertThat(handlers.supportedQueries())
        .extracting(Object::toString)
        .containsExactly(Renamed.class.getName());
  }

  @Test
  void noQueryHasAName() {
    assertThat(CallQueryHandlers.class.getDeclaredMethods())
        .filteredOn(method -> method.isAnnotationPresent(QueryHandler.class))
        .hasSize(5)
        .allSatisfy(
            method -> assertThat(method.getParameterTypes()[0]).matches(this::isUnnamedQuery));
  }

  private boolean isUnnamedQuery(Class<?> query) {
    boolean isKnown =
        query.equals(GetAgentTaskOwner.class)
            || query.equals(FindSentMessage.class)
            || Arrays.asList(query.getInterfaces()).contains(CallQuery.class);
    return isKnown && !query.isAnnotationPresent(Query.class);
  }
}
