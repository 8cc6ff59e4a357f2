package gatebook.api.flow.read;

import static gatebook.api.flow.task.FlowProfile.CLIENT;
import static gatebook.api.flow.task.FlowProfile.PROTOCOL;
import static org.assertj.core.api.Assertions.assertThat;

import gatebook.api.flow.FlowTasks;
import gatebook.api.flow.read.FlowReading.Understood;
import gatebook.api.flow.task.FlowCaller;
import gatebook.api.flow.task.FlowProfile;
import gatebook.api.flow.task.FlowRequest.Update;
import gatebook.api.flow.task.TaskChanges;
import gatebook.command.rules.GatewayLimits;
import gatebook.command.tree.ReadTask;
import gatebook.command.tree.TaskDraft;
import gatebook.events.call.JsonValue;
import gatebook.events.fault.Misdirected;
import gatebook.events.fault.Misdirected.Refusal;
import gatebook.events.fault.Problem;
import gatebook.events.fault.TaskFault.InvalidTaskSchema;
import gatebook.events.tree.TaskDependency;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a task becomes by changes of its content. */
final class TaskUpdateTest {
  private static final String ID = "550e8400-e29b-41d4-a716-446655440000";
  private static final String PARENT = "660e8400-e29b-41d4-a716-446655440001";

  private final FlowRequestReader reader = new FlowRequestReader();
  private final ReadTask stored =
      FlowTasks.pending(
          new TaskDraft(
              ID,
              PARENT,
              "old",
              null,
              2,
              List.of(),
              json("{'name':'old','x':1.50,'inputs':{'a':1},'user_id':'alice'}"),
              json("{'a':1}")));

  @Test
  void changedMembersReplaceStoredOnes() {
    assertThat(
            updated(
                """
                'name':'new','priority':0,'schemas':{'method':'m'},'y':{ 'z':1 },\
                'dependencies':[{'id':'%s'}]\
                """
                    .formatted(PARENT)))
        .isEqualTo(
            new TaskUpdate.Changed(
                new TaskDraft(
                    ID,
                    PARENT,
                    "new",
                    "m",
                    0,
                    List.of(new TaskDependency(PARENT, true)),
                    json(
                        """
                        {'name':'new','x':1.50,'inputs':{'a':1},'user_id':'alice','priority':0,\
                        'schemas':{'method':'m'},'y':{ 'z':1 },'dependencies':[{'id':'%s'}]}\
                        """
                            .formatted(PARENT)),
                    json("{'a':1}"))));
  }

  @Test
  void sameIdentityMayBeSentAgain() {
    assertThat(updated("'id':'%s','parent_id':'%s','user_id':'alice'".formatted(ID, PARENT)))
        .isInstanceOf(TaskUpdate.Changed.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"id", "parent_id"})
  void placeOfATaskNeverChanges(String name) {
    assertThat(updated("'%s':'770e8400-e29b-41d4-a716-446655440002'".formatted(name)))
        .isEqualTo(refused(problem(name, "Cannot be changed", null, "\"string\"")));
  }

  @Test
  void allProblemsAreToldTogether() {
    assertThat(updated("'name':'','parent_id':null,'status':'failed'"))
        .isEqualTo(
            refused(
                new Problem(
                    "name",
                    "Value out of range",
                    "1 to 255 characters",
                    JsonValue.parse("0"),
                    List.of()),
                problem("status", "Computed by the server", "pending", "\"string\""),
                problem("parent_id", "Cannot be changed", null, "\"null\"")));
  }

  @Test
  void aChangedSchemaChecksTheInputsThatStay() {
    String schema = "'schemas':{'method':'m','input_schema':{'properties':{'a':{'type':'%s'}}}}";

    assertThat(updated(schema.formatted("number"))).isInstanceOf(TaskUpdate.Changed.class);
    assertThat(updated(schema.formatted("string")))
        .isEqualTo(
            refused(
                new Problem(
                    "inputs.a", "Wrong type", "string", JsonValue.parse("\"number\""), List.of())));
    assertThat(updated(schema.formatted("text")))
        .isEqualTo(
            refused(
                problem(
                    "schemas.input_schema",
                    "Not a valid JSON Schema at /properties/a/type",
                    null,
                    null)));
  }

  @Test
  void anotherUserIsRefused() {
    TaskChanges changes = changes("'user_id':'alice'");

    assertThat(updated(PROTOCOL, stored, changes, FlowCaller.named("bob")))
        .isEqualTo(new TaskUpdate.NotChanged(new Misdirected.Unauthorized(Refusal.USER_MISMATCH)));
  }

  @Test
  void taskThatCannotBeUnsealedKeepsItsName() {
    ReadTask unreadable = new ReadTask(stored.task(), null, null);

    assertThat(updated(CLIENT, unreadable, changes("'x':1"), FlowCaller.anonymous()))
        .isEqualTo(
            new TaskUpdate.Changed(
                new TaskDraft(
                    ID, PARENT, "old", null, 2, List.of(), json("{'name':'old','x':1}"), null)));
  }

  @Test
  void dependenciesThatAreStoredBesideTheDefinitionStay() {
    List<TaskDependency> dependencies =
        List.of(new TaskDependency(PARENT, true), new TaskDependency("o", false));
    ReadTask wide =
        FlowTasks.pending(
            new TaskDraft(
                ID, PARENT, "old", null, 2, dependencies, json("{'dependencies':null}"), null));

    TaskUpdate update = updated(CLIENT, wide, changes("'name':'new'"), FlowCaller.anonymous());

    assertThat(((TaskUpdate.Changed) update).draft().dependencies()).isEqualTo(dependencies);
  }

  private TaskUpdate updated(String changes) {
    return updated(PROTOCOL, stored, changes(changes), FlowCaller.named("alice"));
  }

  private TaskUpdate updated(
      FlowProfile profile, ReadTask task, TaskChanges changes, FlowCaller caller) {
    return reader.updated(profile, task, changes, caller, GatewayLimits.DEFAULT);
  }

  private TaskChanges changes(String members) {
    String params = "{'task_id':'%s','updates':{%s}}".formatted(ID, members);
    FlowReading reading =
        reader.read(PROTOCOL, "tasks.update", json(params), FlowCaller.named("alice"));
    return ((Update) ((Understood) reading).request()).changes();
  }

  private static TaskUpdate refused(Problem... problems) {
    return new TaskUpdate.NotChanged(new InvalidTaskSchema(ID, List.of(problems)));
  }

  private static Problem problem(
      String name, String reason, @Nullable String expected, @Nullable String received) {
    return new Problem(
        name, reason, expected, received == null ? null : JsonValue.parse(received), List.of());
  }

  private static String json(String text) {
    return text.replace('\'', '"');
  }
}
