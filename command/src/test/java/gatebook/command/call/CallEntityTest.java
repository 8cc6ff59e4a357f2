package gatebook.command.call;

import static org.assertj.core.api.Assertions.assertThat;

import gatebook.events.CallEvent;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.axonframework.eventsourcing.annotation.EventSourcingHandler;
import org.junit.jupiter.api.Test;

/** Axon ignores an event without a handler, and an entity of another class that one returns. */
final class CallEntityTest {
  private static final List<Method> HANDLERS =
      Arrays.stream(CallEntity.class.getDeclaredMethods())
          .filter(method -> method.isAnnotationPresent(EventSourcingHandler.class))
          .toList();

  @Test
  void everyEventOfACallHasAHandler() {
    assertThat(HANDLERS)
        .extracting(method -> method.getParameterTypes()[0])
        .containsExactlyInAnyOrderElementsOf(leaves(CallEvent.class).toList());
  }

  @Test
  void noHandlerReturnsAnEntity() {
    assertThat(HANDLERS).extracting(Method::getReturnType).containsOnly(void.class);
  }

  private static Stream<Class<?>> leaves(Class<?> type) {
    return type.isSealed()
        ? Arrays.stream(type.getPermittedSubclasses()).flatMap(CallEntityTest::leaves)
        : Stream.of(type);
  }
}
