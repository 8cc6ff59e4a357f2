package gatebook.events.journal.axon;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import gatebook.events.journal.Append;
import gatebook.events.journal.Journal;
import gatebook.events.journal.Journals;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.axonframework.common.configuration.AxonConfiguration;
import org.axonframework.conversion.ChainingContentTypeConverter;
import org.axonframework.eventsourcing.configuration.EventSourcingConfigurer;
import org.axonframework.eventsourcing.eventstore.AppendEventsTransactionRejectedException;
import org.axonframework.eventsourcing.eventstore.EventStore;
import org.axonframework.eventsourcing.eventstore.SourcingCondition;
import org.axonframework.messaging.commandhandling.GenericCommandResultMessage;
import org.axonframework.messaging.commandhandling.configuration.CommandHandlingModule;
import org.axonframework.messaging.commandhandling.gateway.CommandGateway;
import org.axonframework.messaging.core.MessageStream;
import org.axonframework.messaging.core.MessageType;
import org.axonframework.messaging.core.QualifiedName;
import org.axonframework.messaging.core.unitofwork.ProcessingContext;
import org.axonframework.messaging.core.unitofwork.UnitOfWork;
import org.axonframework.messaging.core.unitofwork.UnitOfWorkFactory;
import org.axonframework.messaging.eventhandling.EventMessage;
import org.axonframework.messaging.eventhandling.GenericEventMessage;
import org.axonframework.messaging.eventhandling.gateway.EventAppender;
import org.axonframework.messaging.eventstreaming.EventCriteria;
import org.axonframework.messaging.eventstreaming.StreamingCondition;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AxonOnTheJournalTest {
  @TempDir Path directory;

  private Journal journal;
  private AxonConfiguration axon;

  @BeforeEach
  void start() {
    journal = Journals.opened(Journals.inSegments(directory));
    FollowableStorageEngine engine =
        new FollowableStorageEngine(journal, new EventMessages(new ChainingContentTypeConverter()));
    axon =
        EventSourcingConfigurer.create()
            .componentRegistry(it -> it.registerEnhancer(new NoCorrelationData()))
            .registerEventStorageEngine(_ -> engine)
            .registerEventStore(_ -> new JournalEventStore(engine, _ -> Set.of()))
            .registerCommandHandlingModule(
                CommandHandlingModule.named("notes")
                    .commandHandlers()
                    .commandHandler(
                        new QualifiedName(String.class),
                        (command, context) -> {
                          EventAppender.forContext(context).append("noted " + command.payload());
                          return MessageStream.just(
                              new GenericCommandResultMessage(new MessageType("done"), "done"));
                        }))
            .messaging(messaging ->
                messaging.registerEventDispatchInterceptor(_ ->
                    (event, context, chain) ->
                        chain.proceed(event.andMetadata(Map.of("seen", "yes")), context)))
            .build();
    axon.start();
  }

  @AfterEach
  void stop() {
    axon.shutdown();
    journal.close();
  }

  @Test
  void aCommandCompletesOnceItsEventsAreDurable() {
    assertThat(send("hello").join()).isEqualTo("done");

    assertThat(payloads()).containsExactly("noted hello");
  }

  @Test
  void whatAnInterceptorAddsToEventsIsStored() {
    send("hello").join();

    assertThat(journal.read(0, 100))
        .extracting(entry -> new String(entry.metadata(), StandardCharsets.UTF_8))
        .containsExactly("{\"seen\":\"yes\"}");
  }

  @Test
  void anEventAppendedAfterTheCommitFailsItsUnit() {
    UnitOfWork late = axon.getComponent(UnitOfWorkFactory.class).create();
    late.runOnInvocation(context -> EventAppender.forContext(context).append("in time"));
    late.runOnAfterCommit(context -> EventAppender.forContext(context).append("late"));

    assertThat(catchThrowable(() -> late.execute().join()))
        .hasRootCauseInstanceOf(IllegalStateException.class);
    assertThat(payloads()).containsExactly("in time");
  }

  @Test
  void aUnitFailsWhenWhatItSourcedFirstHasChanged() {
    send("before").join();
    UnitOfWork late = axon.getComponent(UnitOfWorkFactory.class).create();
    late.runOnInvocation(context -> {
      sourceAll(context);
      send("meanwhile").join();
      sourceAll(context);
      EventAppender.forContext(context).append("late");
    });

    assertThat(catchThrowable(() -> late.execute().join()))
        .hasRootCauseInstanceOf(AppendEventsTransactionRejectedException.class);
    assertThat(payloads()).containsExactly("noted before", "noted meanwhile");
  }

  private void sourceAll(ProcessingContext context) {
    MessageStream<? extends EventMessage> all =
        axon.getComponent(EventStore.class)
            .transaction(context)
            .source(SourcingCondition.conditionFor(EventCriteria.havingAnyTag()));
    while (all.hasNextAvailable()) {
      assertThat(all.next()).isPresent();
    }
  }

  @Test
  void aUnitStoresAllItsEventsOrNone() {
    UnitOfWork whole = axon.getComponent(UnitOfWorkFactory.class).create();
    whole.runOnInvocation(context -> EventAppender.forContext(context).append("a", "b"));
    whole.runOnPrepareCommit(context -> EventAppender.forContext(context).append("c"));
    UnitOfWork failing = axon.getComponent(UnitOfWorkFactory.class).create();
    failing.runOnInvocation(context -> EventAppender.forContext(context).append("d"));
    failing.runOnPrepareCommit(_ -> {
      throw new IllegalStateException("too late");
    });

    whole.execute().join();

    assertThat(catchThrowable(() -> failing.execute().join())).hasRootCauseMessage("too late");
    assertThat(payloads()).containsExactly("a", "b", "c");
  }

  @Test
  void nobodySubscribesToEvents() {
    EventStore store = axon.getComponent(EventStore.class);

    assertThatThrownBy(() -> store.subscribe((_, _) -> CompletableFuture.completedFuture(null)))
        .hasMessage("the journal has no subscribers: use a streaming event processor");
  }

  @Test
  void aCommandFailsWithTheRefusalOfItsAppend() {
    journal.close();

    Throwable failure = catchThrowable(() -> send("hello").join());

    assertThat(refusal(failure)).isEqualTo(new Append.Closed("the journal is closed"));
  }

  @Test
  void publishingOutsideAUnitOfWorkCompletesOnceDurable() {
    axon.getComponent(EventStore.class).publish(null, List.of(event("alone"))).join();
    assertThat(payloads()).containsExactly("alone");

    journal.close();
    Throwable failure =
        catchThrowable(
            () -> axon.getComponent(EventStore.class).publish(null, List.of(event("x"))).join());
    assertThat(refusal(failure)).isEqualTo(new Append.Closed("the journal is closed"));
  }

  /** A stream that becomes available later may be read by two threads at once. */
  @Test
  void sourcedEventsAreAvailableAtOnce() {
    FollowableStorageEngine engine =
        new FollowableStorageEngine(journal, new EventMessages(new ChainingContentTypeConverter()));
    send("a").join();
    for (int i = 0; i < 100; i++) {
      MessageStream<EventMessage> stream =
          engine.source(SourcingCondition.conditionFor(EventCriteria.havingAnyTag()), null);

      assertThat(stream.hasNextAvailable()).isTrue();
    }
  }

  @Test
  void anOpenStreamIsCalledBackForNewEvents() {
    EventStore store = axon.getComponent(EventStore.class);
    MessageStream<EventMessage> stream =
        store.open(StreamingCondition.startingFrom(store.firstToken(null).join()), null);
    AtomicInteger calls = new AtomicInteger();
    stream.setCallback(calls::incrementAndGet);

    send("a").join();
    send("b").join();

    await().until(() -> calls.get() >= 2);
    List<String> seen = new ArrayList<>();
    while (stream.hasNextAvailable()) {
      seen.add(stream.next().orElseThrow().message().payloadAs(String.class, TEXT));
    }
    assertThat(seen).containsExactly("noted a", "noted b");
  }

  private static Append.Refused refusal(Throwable failure) {
    return AppendRefused.refusal(Objects.requireNonNull(failure.getCause())).orElseThrow();
  }

  private static final ChainingContentTypeConverter TEXT = new ChainingContentTypeConverter();

  private CompletableFuture<String> send(String command) {
    return axon.getComponent(CommandGateway.class).send(command, String.class);
  }

  private static EventMessage event(String payload) {
    return new GenericEventMessage(new MessageType("test.Published"), payload);
  }

  private List<String> payloads() {
    return journal.read(0, 100).stream()
        .map(entry -> new String(entry.payload(), StandardCharsets.UTF_8))
        .toList();
  }
}
