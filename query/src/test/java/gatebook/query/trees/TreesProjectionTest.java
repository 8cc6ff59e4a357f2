package gatebook.query.trees;

import static org.assertj.core.api.Assertions.assertThat;

import gatebook.events.TreeEvent;
import gatebook.query.projection.ProjectionHandler;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A projection ignores an event without a handler: of the trees', none may be forgotten. */
final class TreesProjectionTest {
  @Test
  void everyEventOfATreeHasAHandler() {
    assertThat(
            Arrays.stream(TreesProjection.class.getDeclaredMethods())
                .filter(method -> method.isAnnotationPresent(ProjectionHandler.class))
                .<Class<?>>map(method -> method.getParameterTypes()[0]))
        .containsExactlyInAnyOrderElementsOf(leaves(TreeEvent.class).toList());
  }

  private static Stream<Class<?>> leaves(Class<?> type) {
    return type.isSealed()
        ? Arrays.stream(type.getPermittedSubclasses()).flatMap(TreesProjectionTest::leaves)
        : Stream.of(type);
  }
}
