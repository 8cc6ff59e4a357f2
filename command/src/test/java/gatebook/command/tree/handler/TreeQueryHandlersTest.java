package gatebook.command.tree.handler;

import static gatebook.command.GivenTree.OWNER;
import static gatebook.command.GivenTree.RESULT;
import static gatebook.command.GivenTree.RULES;
import static gatebook.command.GivenTree.TREE;
import static gatebook.command.GivenTree.complete;
import static gatebook.command.GivenTree.createTree;
import static gatebook.command.GivenTree.created;
import static gatebook.command.GivenTree.draft;
import static gatebook.command.GivenTree.key;
import static gatebook.command.GivenTree.root;
import static gatebook.command.GivenTree.start;
import static org.assertj.core.api.Assertions.assertThat;

import gatebook.command.GivenTree;
import gatebook.command.axon.CommandConfiguration;
import gatebook.command.tree.GetTree;
import gatebook.command.tree.GetTreeTask;
import gatebook.command.tree.ReadTask;
import gatebook.command.tree.TaskKey;
import gatebook.command.tree.TreeTask;
import gatebook.events.TreeTaskCreated;
import gatebook.events.tree.TaskContent;
import gatebook.events.tree.TreeStatus;
import gatebook.events.vocabulary.ContentMessage;
import java.util.List;
import java.util.Optional;
import org.axonframework.common.configuration.AxonConfiguration;
import org.axonframework.messaging.commandhandling.gateway.CommandGateway;
import org.axonframework.messaging.eventhandling.EventSink;
import org.axonframework.messaging.queryhandling.annotation.Query;
import org.axonframework.messaging.queryhandling.annotation.QueryHandler;
import org.axonframework.messaging.queryhandling.gateway.QueryGateway;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
final class TreeQueryHandlersTest {
  private final AxonConfiguration axon =
      CommandConfiguration.configureQueries(GivenTree.configurer(RULES), new TreeQueryHandlers())
          .start();

  @AfterEach
  void stop() {
    axon.shutdown();
  }

  @Test
  void ownerReadsTheTasksInTheOrderOfTheirCreation() {
    send(createTree(root("b", "a"), draft("a", "b"), draft("c", "b")));

    assertThat(tree(OWNER).tasks())
        .extracting(task -> task.task().id())
        .containsExactly("b", "a", "c");
    assertThat(tree(OWNER).tasks())
        .extracting(ReadTask::definition)
        .containsExactly("{\"id\":\"b\"}", "{\"id\":\"a\"}", "{\"id\":\"c\"}");
  }

  @Test
  void treeOfAnotherOwnerHasNoTasks() {
    send(createTree(root("a")));

    assertThat(tree("eve").tasks()).isEmpty();
    assertThat(task(new TaskKey("eve", "a")).task()).isEmpty();
  }

  @Test
  void whatDoesNotExistIsEmpty() {
    assertThat(tree(OWNER).tasks()).isEmpty();
    assertThat(task(key("a")).task()).isEmpty();
  }

  @Test
  void resultIsReadAfterTheTaskWasCompleted() {
    send(createTree(root("a")));
    assertThat(task(key("a")).task())
        .map(ReadTask::task)
        .map(TreeTask::status)
        .contains(TreeStatus.PENDING);
    assertThat(task(key("a")).task()).map(ReadTask::result).isEmpty();
    send(start("a"));
    send(complete("a", 1));

    assertThat(task(key("a")).task()).map(ReadTask::result).contains(RESULT);
    assertThat(task(key("a")).task()).isEqualTo(Optional.of(tree(OWNER).tasks().getFirst()));
  }

  @Test
  void contentThatCannotBeReadIsAbsent() {
    TreeTaskCreated created = created(root("a"));
    TaskContent content = created.content();
    TreeTaskCreated erased =
        new TreeTaskCreated(
            TREE,
            "a",
            OWNER,
            null,
            new TaskContent(
                content.name(),
                content.executor(),
                content.priority(),
                content.dependencies(),
                content.inputs(),
                null),
            created.callId(),
            created.createdAt());
    axon.getComponent(EventSink.class)
        .publish(null, ContentMessage.of(List.of(erased), OWNER))
        .join();

    assertThat(task(key("a")).task()).isPresent().map(ReadTask::definition).isEmpty();
  }

  @Test
  void noQueryHasAName() {
    assertThat(TreeQueryHandlers.class.getDeclaredMethods())
        .filteredOn(method -> method.isAnnotationPresent(QueryHandler.class))
        .extracting(method -> method.getParameterTypes()[0])
        .hasSize(3)
        .noneMatch(query -> query.isAnnotationPresent(Query.class));
  }

  private GetTree.Result tree(String owner) {
    return ask(new GetTree(TREE, owner, RULES.hash()), GetTree.Result.class);
  }

  private GetTreeTask.Result task(TaskKey key) {
    return ask(new GetTreeTask(key, RULES.hash()), GetTreeTask.Result.class);
  }

  private <R> R ask(Object query, Class<R> result) {
    return axon.getComponent(QueryGateway.class).query(query, result).join();
  }

  private void send(Object command) {
    axon.getComponent(CommandGateway.class).send(command, Object.class).join();
  }
}
