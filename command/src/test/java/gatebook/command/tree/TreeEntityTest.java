package gatebook.command.tree;

import static gatebook.command.GivenTree.EXECUTION;
import static gatebook.command.GivenTree.TREE;
import static org.assertj.core.api.Assertions.assertThat;

import gatebook.command.tree.execution.TreeExecutionEntity;
import gatebook.events.TreeEvent;
import gatebook.events.TreeExecutionEnded;
import gatebook.events.TreeExecutionStarted;
import gatebook.events.TreeTaskArchived;
import gatebook.events.TreeTaskCreated;
import gatebook.events.TreeTaskDeleted;
import gatebook.events.TreeTaskEvent;
import gatebook.events.TreeTaskUpdated;
import gatebook.events.TreeWebhookEvent;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.axonframework.eventsourcing.annotation.EventSourcingHandler;
import org.axonframework.messaging.core.ClassBasedMessageTypeResolver;
import org.axonframework.messaging.core.QualifiedName;
import org.axonframework.messaging.eventstreaming.EventCriterion;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Axon ignores an event without a handler, and an entity of another class that one returns. */
final class TreeEntityTest {

  /** What a webhook was told changes nothing of a tree. */
  @Test
  void everyEventOfATreeHasAHandler() {
    assertThat(handled(TreeEntity.class))
        .containsExactlyInAnyOrderElementsOf(
            leaves(TreeEvent.class)
                .filter(event -> !TreeWebhookEvent.class.isAssignableFrom(event))
                .toList());
  }

  @Test
  void everyEventOfATaskHasAHandler() {
    assertThat(handled(TreeTaskEntity.class))
        .containsExactlyInAnyOrderElementsOf(leaves(TreeTaskEvent.class).toList());
  }

  @Test
  void shapeIsSourcedFromTheEventsThatItHandles() {
    assertThat(handled(TreeShapeEntity.class))
        .containsExactlyInAnyOrder(
            TreeTaskCreated.class,
            TreeTaskUpdated.class,
            TreeTaskDeleted.class,
            TreeTaskArchived.class);
    assertThat(TreeShapeEntity.criteria(TREE, new ClassBasedMessageTypeResolver()).flatten())
        .flatExtracting(EventCriterion::types)
        .containsExactlyInAnyOrderElementsOf(
            handled(TreeShapeEntity.class).stream().map(QualifiedName::new).toList());
  }

  @Test
  void executionIsSourcedFromItsBeginAndEnd() {
    assertThat(handled(TreeExecutionEntity.class))
        .containsExactlyInAnyOrder(TreeExecutionStarted.class, TreeExecutionEnded.class);
    assertThat(
            TreeExecutionEntity.criteria(EXECUTION, new ClassBasedMessageTypeResolver()).flatten())
        .flatExtracting(EventCriterion::types)
        .containsExactlyInAnyOrderElementsOf(
            handled(TreeExecutionEntity.class).stream().map(QualifiedName::new).toList());
  }

  @Test
  void takenIdsFollowCreationsAndDeletions() {
    assertThat(handled(TakenTaskIds.class))
        .containsExactlyInAnyOrder(TreeTaskCreated.class, TreeTaskDeleted.class);
  }

  @ParameterizedTest
  @ValueSource(
      classes = {
        TreeEntity.class,
        TreeShapeEntity.class,
        TreeExecutionEntity.class,
        TreeTaskEntity.class,
        TakenTaskIds.class
      })
  void noHandlerReturnsAnEntity(Class<?> entity) {
    assertThat(handlers(entity)).extracting(Method::getReturnType).containsOnly(void.class);
  }

  private static List<Class<?>> handled(Class<?> entity) {
    return handlers(entity).<Class<?>>map(handler -> handler.getParameterTypes()[0]).toList();
  }

  private static Stream<Method> handlers(Class<?> entity) {
    return Arrays.stream(entity.getDeclaredMethods())
        .filter(method -> method.isAnnotationPresent(EventSourcingHandler.class));
  }

  private static Stream<Class<?>> leaves(Class<?> type) {
    return type.isSealed()
        ? Arrays.stream(type.getPermittedSubclasses()).flatMap(TreeEntityTest::leaves)
        : Stream.of(type);
  }
}
