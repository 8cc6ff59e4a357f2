package gatebook.command.axon;

import gatebook.command.call.CallCommand;
import gatebook.command.call.CallEntity;
import gatebook.command.call.ContentCommand;
import gatebook.command.call.ReceiveMessage;
import gatebook.command.call.SentMessageKey;
import gatebook.command.call.agent.AgentTaskKey;
import gatebook.command.call.agent.AgentTaskOwnership;
import gatebook.command.call.agent.RecordAgentTask;
import gatebook.command.call.agent.SentMessageEntity;
import gatebook.command.gateway.ObserveRules;
import gatebook.command.gateway.ObservedRulesEntity;
import gatebook.command.tree.CreateTree;
import gatebook.command.tree.OwnersChanges;
import gatebook.command.tree.TakenTaskIds;
import gatebook.command.tree.TakenTaskIds.WantedIds;
import gatebook.command.tree.TaskKey;
import gatebook.command.tree.TreeCommand;
import gatebook.command.tree.TreeEntity;
import gatebook.command.tree.TreeShapeEntity;
import gatebook.command.tree.TreeTaskCommand;
import gatebook.command.tree.TreeTaskEntity;
import gatebook.command.tree.execution.TreeExecutionCommand;
import gatebook.command.tree.execution.TreeExecutionEntity;
import gatebook.command.tree.execution.TreeWebhookEntity;
import gatebook.events.keys.ContentKeys;
import gatebook.events.keys.ContentOwner;
import java.time.Instant;
import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.axonframework.common.configuration.ComponentDefinition;
import org.axonframework.common.configuration.Configuration;
import org.axonframework.common.lifecycle.Phase;
import org.axonframework.eventsourcing.configuration.EventSourcedEntityModule;
import org.axonframework.eventsourcing.configuration.EventSourcingConfigurer;
import org.axonframework.eventsourcing.eventstore.EventStore;
import org.axonframework.messaging.commandhandling.CommandBus;
import org.axonframework.messaging.commandhandling.CommandHandlingComponent;
import org.axonframework.messaging.commandhandling.annotation.AnnotatedCommandHandlingComponent;
import org.axonframework.messaging.commandhandling.retry.RetryingCommandBus;
import org.axonframework.messaging.core.MessageTypeResolver;
import org.axonframework.messaging.core.annotation.ParameterResolverFactory;
import org.axonframework.messaging.core.conversion.MessageConverter;
import org.axonframework.messaging.core.retry.AsyncRetryScheduler;
import org.axonframework.messaging.core.unitofwork.SimpleUnitOfWorkFactory;
import org.axonframework.messaging.core.unitofwork.UnitOfWorkFactory;
import org.axonframework.messaging.eventhandling.EventSink;
import org.axonframework.messaging.queryhandling.configuration.QueryHandlingModule;
import org.jspecify.annotations.Nullable;

/** Configures Axon to handle the commands and queries about calls, rules and trees of tasks. */
public final class CommandConfiguration {
  private static final ThreadFactory JOURNAL_READERS =
      Thread.ofVirtual().name("journal-reader").factory();

  /** Loading an entity waits for the disk, which threads that serve callers must not. */
  public static final Executor OFF_THE_SENDERS_THREAD =
      task -> JOURNAL_READERS.newThread(task).start();

  static final Executor ON_THE_SENDERS_THREAD = Runnable::run;

  private CommandConfiguration() {}

  /**
   * Registers handlers of commands, the entities, and a command bus that decides a command again
   * when it conflicts with another one.
   *
   * @param handlers objects with annotated methods
   * @param executors the executor that handles a command, such as {@link #executors} chooses
   */
  public static EventSourcingConfigurer configure(
      EventSourcingConfigurer configurer,
      Function<@Nullable Object, Executor> executors,
      Object... handlers) {
    for (Object annotated : handlers) {
      configurer.componentRegistry(it -> it.registerComponent(commandHandlers(annotated)));
    }
    return configurer
        .componentRegistry(registry ->
            registry
                // an append is its own transaction
                .registerComponent(
                    UnitOfWorkFactory.class, it -> new SimpleUnitOfWorkFactory(it::getComponent))
                .registerDecorator(CommandBus.class, 0, (_, _, bus) -> decorated(bus, executors))
                .registerComponent(OwnersChanges.class, CommandConfiguration::ownersChanges)
                // else Axon searches all components for one with every command
                .registerComponent(EventSink.class, it -> it.getComponent(EventStore.class)))
        .registerEntity(EventSourcedEntityModule.autodetected(UUID.class, CallEntity.class))
        .registerEntity(EventSourcedEntityModule.autodetected(UUID.class, TreeEntity.class))
        .registerEntity(EventSourcedEntityModule.autodetected(UUID.class, TreeShapeEntity.class))
        .registerEntity(
            EventSourcedEntityModule.autodetected(UUID.class, TreeExecutionEntity.class))
        .registerEntity(EventSourcedEntityModule.autodetected(TaskKey.class, TreeTaskEntity.class))
        .registerEntity(EventSourcedEntityModule.autodetected(UUID.class, TreeWebhookEntity.class))
        .registerEntity(
            EventSourcedEntityModule.autodetected(AgentTaskKey.class, AgentTaskOwnership.class))
        .registerEntity(
            EventSourcedEntityModule.autodetected(SentMessageKey.class, SentMessageEntity.class))
        .registerEntity(
            EventSourcedEntityModule.autodetected(String.class, ObservedRulesEntity.class))
        .registerEntity(EventSourcedEntityModule.autodetected(WantedIds.class, TakenTaskIds.class));
  }

  /**
   * Subscribes the handlers of an object at the bus, which finds each by the name of its command.
   * Axon's module for handlers would ask each object for the names of all its commands whenever a
   * command comes.
   */
  private static ComponentDefinition<CommandHandlingComponent> commandHandlers(Object annotated) {
    return ComponentDefinition.ofTypeAndName(
            CommandHandlingComponent.class, annotated.getClass().getName())
        .withBuilder(it ->
            new AnnotatedCommandHandlingComponent<>(
                annotated,
                it.getComponent(ParameterResolverFactory.class),
                it.getComponent(MessageConverter.class)))
        .onStart(
            Phase.LOCAL_MESSAGE_HANDLER_REGISTRATIONS,
            (it, component) -> {
              it.getComponent(CommandBus.class).subscribe(component);
            });
  }

  private static OwnersChanges ownersChanges(Configuration configuration) {
    return new OwnersChanges(
        configuration.getComponent(EventStore.class),
        configuration.getComponent(MessageTypeResolver.class));
  }

  /**
   * Registers handlers of queries, which Axon calls on the thread that sends the query.
   *
   * @param handlers objects with annotated methods
   */
  public static EventSourcingConfigurer configureQueries(
      EventSourcingConfigurer configurer, Object... handlers) {
    var queryHandlers = QueryHandlingModule.named("queries").queryHandlers();
    for (Object annotated : handlers) {
      queryHandlers.annotatedQueryHandlingComponent(_ -> annotated);
    }
    return configurer.registerQueryHandlingModule(queryHandlers);
  }

  private static CommandBus decorated(
      CommandBus bus, Function<@Nullable Object, Executor> executors) {
    return new RetryingCommandBus(
        new ExecutorCommandBus(bus, command -> executors.apply(command.payload())),
        new AsyncRetryScheduler(new ConflictRetryPolicy(), retryTimer()));
  }

  /**
   * The sender's thread handles a command, unless that may wait for the disk or a database: when it
   * loads an entity, or its content has no key that is ready.
   */
  public static Function<@Nullable Object, Executor> executors(ContentKeys contentKeys) {
    return command ->
        loadsAnEntity(command) || !contentKeys.isReady(contentOwner(command))
            ? OFF_THE_SENDERS_THREAD
            : ON_THE_SENDERS_THREAD;
  }

  private static ContentOwner contentOwner(@Nullable Object command) {
    return command instanceof ContentCommand content
        ? content.contentOwner()
        : ContentOwner.at(null, Instant.now());
  }

  static boolean loadsAnEntity(@Nullable Object command) {
    return command instanceof CallCommand
        || command instanceof TreeTaskCommand
        || command instanceof TreeCommand
        || command instanceof TreeExecutionCommand
        || command instanceof CreateTree
        || command instanceof RecordAgentTask
        || command instanceof ReceiveMessage
        || command instanceof ObserveRules;
  }

  /** Has a thread only while a retry is due. */
  private static ScheduledExecutorService retryTimer() {
    var timer =
        new ScheduledThreadPoolExecutor(
            1, Thread.ofPlatform().daemon().name("command-retries").factory());
    timer.setKeepAliveTime(1, TimeUnit.SECONDS);
    timer.allowCoreThreadTimeOut(true);
    return timer;
  }
}
