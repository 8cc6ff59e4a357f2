package gatebook.api.flow.task;

import static org.assertj.core.api.Assertions.assertThat;

import gatebook.api.flow.FlowResponses;
import gatebook.api.flow.FlowTasks;
import gatebook.api.flow.read.FlowReading;
import gatebook.api.flow.read.FlowReading.Understood;
import gatebook.api.flow.read.FlowRequestReader;
import gatebook.api.flow.task.FlowRequest.Create;
import gatebook.api.rpc.ObjectMembers;
import gatebook.command.tree.TaskDraft;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Which dependencies are stored in the definition of a task, too. */
final class StoredDefinitionTest {
  private final FlowRequestReader reader = new FlowRequestReader();

  @Test
  void fewDependenciesStayAsTheyWereGiven() {
    String json = wide(3, "{\"id\" : \"%d\"}");

    assertThat(StoredDefinition.of(json)).isEqualTo(json);
  }

  @Test
  void manyDependenciesAreStoredOnce() {
    String json = wide(10_000, "{\"id\":\"%d\",\"required\":false}");

    TaskDraft draft = created(json);

    assertThat(draft.definition()).isEqualTo("{\"name\":\"a\",\"dependencies\":null,\"x\":1}");
    assertThat(draft.dependencies()).hasSize(10_000);
    assertThat(members(draft).json("dependencies")).isEqualTo(members(json).json("dependencies"));
  }

  @Test
  void bareDependenciesAreStoredOnceToo() {
    TaskDraft draft = created(wide(10_000, "\"%d\""));

    assertThat(draft.definition()).hasSizeLessThan(100);
    assertThat(members(draft).json("dependencies"))
        .isEqualTo(members(wide(10_000, "{\"id\":\"%d\",\"required\":true}")).json("dependencies"));
  }

  @Test
  void dependenciesWithMembersOfTheirOwnStay() {
    String json = wide(10_000, "{\"id\":\"%d\",\"type\":\"result\"}");

    assertThat(StoredDefinition.of(json)).isEqualTo(json);
  }

  private static String wide(int count, String dependency) {
    return IntStream.range(0, count)
        .mapToObj(dependency::formatted)
        .collect(Collectors.joining(",", "{\"name\":\"a\",\"dependencies\":[", "],\"x\":1}"));
  }

  private TaskDraft created(String json) {
    FlowReading reading =
        reader.read(FlowProfile.CLIENT, "tasks.create", json, FlowCaller.anonymous());
    return ((Create) ((Understood) reading).request()).drafts().getFirst();
  }

  private static ObjectMembers members(TaskDraft draft) {
    return members(
        new FlowResponses(FlowProfile.CLIENT).task(FlowTasks.pending(draft), TaskRelations.NONE));
  }

  private static ObjectMembers members(String json) {
    return ObjectMembers.of(json);
  }
}
