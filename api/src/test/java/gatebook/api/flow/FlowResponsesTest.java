package gatebook.api.flow;

import static gatebook.api.flow.task.FlowProfile.CLIENT;
import static gatebook.api.flow.task.FlowProfile.PROTOCOL;
import static org.assertj.core.api.Assertions.assertThat;

import gatebook.api.flow.executor.ExecutorInfo;
import gatebook.api.flow.task.FlowRequest.TaskPage;
import gatebook.api.flow.task.TaskDefinition;
import gatebook.api.flow.task.TaskRelations;
import gatebook.api.upstream.RetrySchedule;
import gatebook.command.tree.ReadTask;
import gatebook.command.tree.TaskDraft;
import gatebook.events.call.JsonValue;
import gatebook.events.tree.TaskDependency;
import gatebook.events.tree.TreeStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The results of the methods in both profiles. */
final class FlowResponsesTest {
  private static final String ROOT = "r";
  private static final String KID = "k";
  private static final TaskPage PAGE = new TaskPage(100, 0);

  private static final String TIMES_OF_PENDING =
      """
      'created_at':'2026-01-02T03:04:05Z','started_at':null,'updated_at':'2026-01-02T03:04:05Z',\
      'completed_at':null\
      """;
  private static final String SCHEDULE =
      """
      'schedule_type':null,'schedule_expression':null,'schedule_enabled':false,\
      'schedule_start_at':null,'schedule_end_at':null,'next_run_at':null,'last_run_at':null,\
      'max_runs':null,'run_count':0\
      """;

  private final FlowResponses protocol = new FlowResponses(PROTOCOL);
  private final FlowResponses client = new FlowResponses(CLIENT);

  private final ReadTask root = FlowTasks.pending(draft(ROOT, null, List.of(), "{'name':'Root'}"));
  private final ReadTask kid =
      FlowTasks.completed(draft(KID, ROOT, List.of(), "{'name':'Kid'}"), "{\"n\": 1.50}");

  @Test
  void wholeTaskHasWhatIsComputed() {
    assertThat(protocol.task(root, TaskRelations.NONE))
        .isEqualTo(
            json(
                """
                {'name':'Root','id':'r','parent_id':null,'user_id':'alice','status':'pending',\
                'priority':2,'inputs':{},'schemas':null,'params':null,'origin_type':'create',\
                'original_task_id':null,%s,'dependencies':[],'result':null,'error':null,\
                'progress':0.0,%s,'has_references':false}\
                """
                    .formatted(SCHEDULE, TIMES_OF_PENDING)));
  }

  @Test
  void clientsGetWhatTheirServerAdds() {
    assertThat(client.task(FlowTasks.referenced(root), TaskRelations.of(Set.of(ROOT))))
        .isEqualTo(
            json(
                """
                {'name':'Root','id':'r','parent_id':null,'user_id':'alice','status':'pending',\
                'priority':2,'inputs':{},'schemas':null,'params':null,'origin_type':'create',\
                'original_task_id':null,%s,'dependencies':[],'result':null,'error':null,\
                'progress':0.0,%s,'has_references':true,\
                'task_tree_id':'00000000-0000-4000-8000-000000000001','has_children':true,\
                'lease_id':null,'lease_expires_at':null,'placement_constraints':null,\
                'attempt_id':null,'idempotency_key':null,'last_assigned_node':null}\
                """
                    .formatted(SCHEDULE, TIMES_OF_PENDING)));
  }

  @Test
  void whatTheOwnerWroteStaysInItsPlace() {
    String given =
        json(
            """
            { 'status':'pending','x': [ 1e3, { 'y':null } ],'priority':0,'name':'N','error':null,\
            'user_id':'bob','id':'r','dependencies':[{'id':'k','required':false,'type':'t'}],\
            'inputs':{'b': 2.50, 'a':'\\u0041'},'parent_id':'some name','lease_id':7}\
            """);
    TaskDraft draft =
        new TaskDraft(
            ROOT, null, "N", null, 0, List.of(new TaskDependency(KID, false)), given, null);

    assertThat(client.task(FlowTasks.failed(draft, "it broke"), TaskRelations.NONE))
        .startsWith(
            json(
                """
                {'status':'failed','x':[ 1e3, { 'y':null } ],'priority':0,'name':'N',\
                'error':'it broke','user_id':'bob','id':'r',\
                'dependencies':[{'id':'k','required':false,'type':'t'}],\
                'inputs':{'b': 2.50, 'a':'\\u0041'},'parent_id':null,'lease_id':7,'schemas':null,\
                """));
  }

  @Test
  void completedTaskHasItsResultAndTimes() {
    assertThat(protocol.task(kid, TaskRelations.NONE))
        .endsWith(
            json(
                """
                'dependencies':[],'result':{'n': 1.50},'error':null,'progress':1.0,\
                'created_at':'2026-01-02T03:04:05Z','started_at':'2026-01-02T03:04:06Z',\
                'updated_at':'2026-01-02T03:04:07Z','completed_at':'2026-01-02T03:04:07Z',\
                'has_references':false}\
                """));
  }

  @Test
  void taskThatCannotBeUnsealedHasWhatIsKnown() {
    ReadTask unreadable = new ReadTask(kid.task(), null, null);

    assertThat(protocol.task(unreadable, TaskRelations.NONE))
        .startsWith(json("{'id':'k','parent_id':'r','user_id':'alice','name':'Kid',"))
        .contains(json("'result':null"));
  }

  @Test
  void createdTasksAreTold() {
    assertThat(protocol.created(List.of(root, kid), TaskRelations.NONE))
        .isEqualTo(json("{'id':'r','status':'pending'}"));
    assertThat(client.created(List.of(root), TaskRelations.NONE))
        .isEqualTo(client.task(root, TaskRelations.NONE));
    assertThat(client.created(List.of(root, kid), TaskRelations.NONE))
        .isEqualTo("[%s,%s]".formatted(wholeForClient(root), wholeForClient(kid)));
  }

  @Test
  void changedAndDeletedTasksAreTold() {
    assertThat(protocol.updated(root, TaskRelations.NONE))
        .isEqualTo(json("{'id':'r','status':'pending'}"));
    assertThat(client.updated(root, TaskRelations.NONE)).isEqualTo(wholeForClient(root));
    assertThat(protocol.deleted(ROOT)).isEqualTo(json("{'success':true}"));
    assertThat(client.deleted(ROOT))
        .isEqualTo(json("{'success':true,'task_id':'r','deleted_count':1,'children_deleted':0}"));
  }

  @Test
  void listsHaveTheirPage() {
    assertThat(protocol.list(List.of(root), 50, PAGE, TaskRelations.NONE))
        .isEqualTo(
            "{\"tasks\":[%s],\"total\":50,\"limit\":100,\"offset\":0}"
                .formatted(protocol.task(root, TaskRelations.NONE)));
    assertThat(client.list(List.of(), 0, PAGE, TaskRelations.NONE)).isEqualTo("[]");
    assertThat(protocol.children(List.of(), TaskRelations.NONE)).isEqualTo("{\"children\":[]}");
    assertThat(client.children(List.of(kid), TaskRelations.NONE))
        .isEqualTo("[%s]".formatted(wholeForClient(kid)));
    assertThat(client.runningList(List.of(), TaskRelations.NONE)).isEqualTo("[]");
  }

  @Test
  void treeBeginsAtTheGivenTask() {
    ReadTask grandchild = FlowTasks.running(draft("g", KID, List.of(), "{'name':'G'}"));
    ReadTask second = FlowTasks.running(draft("s", ROOT, List.of(), "{'name':'S'}"));
    List<ReadTask> all = List.of(root, kid, grandchild, second);

    assertThat(protocol.tree(root, all, TaskRelations.NONE))
        .isEqualTo(
            """
            {"task":%s,"children":[{"task":%s,"children":[{"task":%s,"children":[]}]},\
            {"task":%s,"children":[]}]}\
            """
                .formatted(whole(root), whole(kid), whole(grandchild), whole(second)));
    assertThat(protocol.tree(kid, all, TaskRelations.NONE))
        .isEqualTo(
            "{\"task\":%s,\"children\":[{\"task\":%s,\"children\":[]}]}"
                .formatted(whole(kid), whole(grandchild)));
  }

  @Test
  void startedExecutionIsTold() {
    assertThat(protocol.started(ROOT, KID, true, Optional.of("https://a.example/b")))
        .isEqualTo(json("{'root_task_id':'r','status':'started'}"));
    assertThat(client.started(ROOT, KID, false, Optional.empty()))
        .isEqualTo(
            json(
                """
                {'success':true,'protocol':'jsonrpc','root_task_id':'r','task_id':'k',\
                'status':'started','message':'Task execution started'}\
                """));
    assertThat(client.started(ROOT, KID, true, Optional.of("https://a.example/b")))
        .endsWith(
            json(
                """
                'message':'Task execution started','streaming':true,\
                'webhook_url':'https://a.example/b'}\
                """));
  }

  @Test
  void endedExecutionIsTold() {
    assertThat(protocol.ended(ROOT, kid))
        .isEqualTo(
            json(
                """
                {'root_task_id':'r','task_id':'k','status':'completed','result':{'n': 1.50},\
                'error':null}\
                """));
    assertThat(client.ended(ROOT, FlowTasks.failed(draft(KID, ROOT, List.of(), "{}"), "no")))
        .isEqualTo(
            json(
                """
                {'success':false,'protocol':'jsonrpc','root_task_id':'r','task_id':'k',\
                'status':'failed','result':null,'error':'no'}\
                """));
  }

  @Test
  void cancelledTasksAreTold() {
    List<CancelAnswer> answers =
        List.of(
            CancelAnswer.cancelled(ROOT),
            CancelAnswer.ended(KID, "completed"),
            CancelAnswer.notFound("x"));

    assertThat(protocol.cancelled(answers, false))
        .isEqualTo(json("{'task_id':'r','status':'cancelled'}"));
    assertThat(client.cancelled(answers, true))
        .isEqualTo(
            json(
                """
                [{'task_id':'r','status':'cancelled','message':'Task r was cancelled','force':true},\
                {'task_id':'k','status':'failed','message':'Task k is already completed, cannot cancel',\
                'force':true},\
                {'task_id':'x','status':'error','message':'Task x not found','force':true}]\
                """));
  }

  @Test
  void copiesAreTold() {
    assertThat(protocol.copied("o", List.of(root, kid), TaskRelations.NONE))
        .isEqualTo(json("{'original_task_id':'o','copied_task_id':'r','status':'pending'}"));
    assertThat(client.copied("o", List.of(root), TaskRelations.NONE))
        .isEqualTo(wholeForClient(root));
  }

  @Test
  void linkShowsItsOriginalAndTheResult() {
    ReadTask link =
        FlowTasks.link(
            draft("l", null, List.of(), "{'origin_type':'link','inputs':null,'name':'L'}"),
            KID,
            "{\"n\": 1.50}");

    for (FlowResponses each : List.of(protocol, client)) {
      assertThat(each.task(link, TaskRelations.NONE))
          .startsWith(
              json(
                  """
                  {'origin_type':'link','inputs':{},'name':'L','id':'l','parent_id':null,\
                  'user_id':'alice','status':'completed','priority':2,'schemas':null,\
                  'params':null,'original_task_id':'k',\
                  """))
          .contains(
              json(
                  """
                  'dependencies':[],'result':{'n': 1.50},'error':null,'progress':1.0,\
                  'created_at':'2026-01-02T03:04:05Z','started_at':null,\
                  'updated_at':'2026-01-02T03:04:07Z','completed_at':'2026-01-02T03:04:07Z',\
                  'has_references':false\
                  """));
    }
    assertThat(protocol.copied("k", List.of(link), TaskRelations.NONE))
        .isEqualTo(json("{'original_task_id':'k','copied_task_id':'l','status':'completed'}"));
  }

  @Test
  void archiveKeepsItsResult() {
    ReadTask archive = FlowTasks.archived(kid);
    ReadTask archivedLink =
        FlowTasks.archived(FlowTasks.link(draft("l", null, List.of(), "{}"), KID, null));

    for (FlowResponses each : List.of(protocol, client)) {
      assertThat(each.task(archive, TaskRelations.NONE))
          .contains(
              json("'origin_type':'archive','original_task_id':null,"),
              json("'result':{'n': 1.50},"));
      assertThat(each.task(archivedLink, TaskRelations.NONE))
          .contains(json("'origin_type':'archive','original_task_id':'k',"));
    }
  }

  @Test
  void countsHaveTheirSum() {
    Map<TreeStatus, Long> counts = Map.of(TreeStatus.FAILED, 2L, TreeStatus.PENDING, 3L);

    assertThat(client.counts(counts, false)).isEqualTo(json("{'pending':3,'failed':2,'total':5}"));
    assertThat(client.counts(Map.of(), true)).isEqualTo(json("{'total':0,'root_only':true}"));
    assertThat(client.runningCount(4)).isEqualTo(json("{'count':4}"));
  }

  @Test
  void runningStatusNamesMissingTasks() {
    ReadTask running = FlowTasks.running(draft(KID, ROOT, List.of(), "{}"));

    assertThat(client.runningStatus(List.of("x", KID), Map.of(KID, running)))
        .isEqualTo(
            json(
                """
                [{'task_id':'x','context_id':'x','status':'not_found','progress':0.0,'error':null,\
                'is_running':false,'started_at':null,'updated_at':null},\
                {'task_id':'k','context_id':'k','status':'in_progress','progress':0.0,'error':null,\
                'is_running':true,'started_at':'2026-01-02T03:04:06Z',\
                'updated_at':'2026-01-02T03:04:06Z'}]\
                """));
  }

  @Test
  void systemMethodsAreAnswered() {
    assertThat(client.health("1.2", FlowTasks.CREATED, 3))
        .isEqualTo(
            json(
                """
                {'status':'healthy','message':'gatebook is healthy','version':'1.2',\
                'timestamp':'2026-01-02T03:04:05Z','running_tasks_count':3}\
                """));
    assertThat(client.executors(List.of(new ExecutorInfo("a__b", "b", "a", "Does \"b\""))))
        .isEqualTo(
            """
            {"executors":[{"id":"a__b","name":"b","extension":"a","description":"Does \\"b\\""}],\
            "count":1,"restricted":true,"allowed_ids":["a__b"]}\
            """);
  }

  @Test
  void relationsWithinATreeAreKnown() {
    TaskRelations relations = TaskRelations.within(List.of(root, kid));

    assertThat(relations.hasChildren(ROOT)).isTrue();
    assertThat(relations.hasChildren(KID)).isFalse();
  }

  @Test
  void treeOfTenThousandTasksIsWrittenWithoutRecursion() {
    List<ReadTask> chain = new ArrayList<>();
    for (int task = 0; task < 10_000; task++) {
      String parent = task == 0 ? null : Integer.toString(task - 1);
      chain.add(
          FlowTasks.pending(
              draft(Integer.toString(task), parent, List.of(), "{'name':'%d'}".formatted(task))));
    }

    String tree = protocol.tree(chain.getFirst(), chain, TaskRelations.NONE);

    assertThat(tree).hasSizeGreaterThan(4_000_000).endsWith("]}".repeat(10_000));
    assertThat(JsonValue.parse(protocol.tree(chain.get(9_800), chain, TaskRelations.NONE)))
        .isNotNull();
  }

  @Test
  void definitionTellsWhatExecutionNeeds() {
    TaskDefinition definition =
        TaskDefinition.of(
            json(
                """
                {'inputs':{'a':1},'schemas':{'method':'m','input_schema':{'type':'object'}},\
                'params':{'retry':{'initial_delay':1.5}},'user_id':'u','origin_type':'link',\
                'original_task_id':'o'}\
                """));

    assertThat(definition.executor()).contains("m");
    assertThat(definition.inputs()).contains(json("{'a':1}"));
    assertThat(definition.inputSchema()).contains(json("{'type':'object'}"));
    assertThat(definition.params()).contains(json("{'retry':{'initial_delay':1.5}}"));
    assertThat(definition.userId()).contains("u");
    assertThat(definition.originType()).contains("link");
    assertThat(definition.originalTaskId()).contains("o");
    assertThat(definition.retry())
        .contains(RetrySchedule.doubling(Duration.ofMillis(1_500), Duration.ofSeconds(60), 2));
    assertThat(TaskDefinition.of("{}").retry()).isEmpty();
  }

  private String whole(ReadTask task) {
    return protocol.task(task, TaskRelations.NONE);
  }

  private String wholeForClient(ReadTask task) {
    return client.task(task, TaskRelations.NONE);
  }

  private static TaskDraft draft(
      String id, @Nullable String parentId, List<TaskDependency> dependencies, String definition) {
    String name = id.equals(KID) ? "Kid" : id;
    return new TaskDraft(id, parentId, name, null, 2, dependencies, json(definition), null);
  }

  private static String json(String text) {
    return text.replace('\'', '"');
  }
}
