package gatebook.query.calls;

import static org.assertj.core.api.Assertions.assertThat;

import gatebook.events.CallEvent;
import gatebook.events.Named;
import gatebook.query.projection.ProjectionHandler;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A projection ignores an event without a handler: of the calls', none may be forgotten. */
final class CallsProjectionTest {
  @Test
  void everyEventOfACallHasAHandler() {
    assertThat(Arrays.stream(CallsProjection.class.getDeclaredMethods()).flatMap(this::handled))
        .containsAll(leaves(CallEvent.class).map(CallsProjectionTest::name).toList())
        .doesNotHaveDuplicates();
  }

  private Stream<String> handled(Method method) {
    ProjectionHandler annotation = method.getAnnotation(ProjectionHandler.class);
    if (annotation == null) {
      return Stream.empty();
    }
    return Stream.of(
        annotation.eventName().isEmpty()
            ? name(method.getParameterTypes()[0])
            : annotation.eventName());
  }

  private static String name(Class<?> event) {
    return Named.NAMESPACE + "." + event.getAnnotation(Named.class).name();
  }

  private static Stream<Class<?>> leaves(Class<?> type) {
    return type.isSealed()
        ? Arrays.stream(type.getPermittedSubclasses()).flatMap(CallsProjectionTest::leaves)
        : Stream.of(type);
  }
}
