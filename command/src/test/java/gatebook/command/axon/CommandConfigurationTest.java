package gatebook.command.axon;

import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import gatebook.command.GivenCall;
import gatebook.command.GivenTree;
import gatebook.command.call.ContentCommand;
import gatebook.command.call.RefuseMessages;
import gatebook.command.call.RetryCall;
import gatebook.command.call.handler.CallCommandHandlers;
import gatebook.command.gateway.GatewayCommandHandlers;
import gatebook.command.gateway.ReportOutage;
import gatebook.command.tree.handler.TreeCommandHandlers;
import gatebook.events.keys.ContentKey;
import gatebook.events.keys.ContentKeys;
import gatebook.events.keys.ContentOwner;
import gatebook.events.keys.KeyLookup;
import java.lang.reflect.Method;
import java.time.Instant;
import java.util.Arrays;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.stream.Stream;
import org.axonframework.common.configuration.AxonConfiguration;
import org.axonframework.eventsourcing.configuration.EventSourcingConfigurer;
import org.axonframework.messaging.commandhandling.annotation.CommandHandler;
import org.axonframework.messaging.commandhandling.gateway.CommandGateway;
import org.axonframework.modelling.annotation.InjectEntity;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class CommandConfigurationTest {
  private static final UUID CALL = UUID.fromString("0192a1b2-0000-7000-8000-000000000001");

  @Test
  void commandsThatLoadATreeLeaveTheSendersThread() {
    Set<Class<?>> loading =
        Arrays.stream(TreeCommandHandlers.class.getDeclaredMethods())
            .filter(method -> method.isAnnotationPresent(CommandHandler.class))
            .filter(CommandConfigurationTest::loads)
            .<Class<?>>map(method -> method.getParameterTypes()[0])
            .collect(toSet());

    assertThat(loading).hasSize(13);
    assertThat(GivenTree.commands().filter(CommandConfiguration::loadsAnEntity))
        .extracting(Object::getClass)
        .<Class<?>>extracting(type -> type)
        .hasSameElementsAs(loading);
  }

  @Test
  void aCommandWithoutAReadyKeyLeavesTheSendersThread() {
    ContentOwner joe = ContentOwner.ofCall("joe", CALL);
    Function<@Nullable Object, Executor> executors =
        CommandConfiguration.executors(new ReadyKeys(joe));

    assertThat(executors.apply(retry("joe")))
        .isNotSameAs(CommandConfiguration.OFF_THE_SENDERS_THREAD);
    assertThat(executors.apply(retry("ann"))).isSameAs(CommandConfiguration.OFF_THE_SENDERS_THREAD);
    assertThat(executors.apply(new ReportOutage(Instant.EPOCH, Instant.EPOCH, "full", 1, 0)))
        .as("content of the node")
        .isSameAs(CommandConfiguration.OFF_THE_SENDERS_THREAD);
  }

  @Test
  void aConfiguredInterceptorSeesTheCommandAndItsEvent() {
    Set<String> seen = ConcurrentHashMap.newKeySet();
    EventSourcingConfigurer configurer =
        EventSourcingConfigurer.create()
            .messaging(it ->
                it.registerCommandHandlerInterceptor(_ ->
                        (command, context, chain) -> {
                          seen.add(command.type().qualifiedName().localName());
                          return chain.proceed(command, context);
                        })
                    .registerEventDispatchInterceptor(_ ->
                        (event, context, chain) -> {
                          seen.add(event.type().qualifiedName().localName());
                          return chain.proceed(event, context);
                        }));
    AxonConfiguration axon =
        CommandConfiguration.configure(
                configurer, _ -> Runnable::run, new GatewayCommandHandlers(GivenCall.CLOCK))
            .start();

    axon.getComponent(CommandGateway.class)
        .sendAndWait(new ReportOutage(Instant.EPOCH, Instant.EPOCH, "full", 1, 0));

    assertThat(seen).hasSize(2).contains("ReportOutage");
    axon.shutdown();
  }

  private static RetryCall retry(String principal) {
    return new RetryCall(CALL, principal, "s", "h", null, 2, "no answer");
  }

  /** Content of a call has an owner, who is named before the command is handled. */
  @Test
  void commandsAboutCallsNameTheOwnerOfTheirContent() {
    assertThat(
            Arrays.stream(CallCommandHandlers.class.getDeclaredMethods())
                .filter(method -> method.isAnnotationPresent(CommandHandler.class))
                .filter(method -> !loads(method))
                .<Class<?>>map(method -> method.getParameterTypes()[0])
                .filter(type -> !ContentCommand.class.isAssignableFrom(type)))
        .containsExactly(RefuseMessages.class); // counts, which nobody owns
  }

  private record ReadyKeys(ContentOwner ready) implements ContentKeys {
    @Override
    public ContentKey current(ContentOwner owner) {
      throw new AssertionError("no key is needed to choose a thread");
    }

    @Override
    public KeyLookup find(String id) {
      return new KeyLookup.Missing();
    }

    @Override
    public boolean isReady(ContentOwner owner) {
      return owner.equals(ready);
    }
  }

  private static boolean loads(Method handler) {
    return Stream.of(handler.getParameters())
        .anyMatch(parameter -> parameter.isAnnotationPresent(InjectEntity.class));
  }
}
