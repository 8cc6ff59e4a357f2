package gatebook.api.flow.read;

import static gatebook.api.flow.task.FlowProfile.CLIENT;
import static gatebook.api.flow.task.FlowProfile.PROTOCOL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import gatebook.api.flow.read.FlowReading.NoSuchMethod;
import gatebook.api.flow.read.FlowReading.Understood;
import gatebook.api.flow.task.FlowCaller;
import gatebook.api.flow.task.FlowProfile;
import gatebook.api.flow.task.FlowRequest;
import gatebook.api.flow.task.FlowRequest.Cancel;
import gatebook.api.flow.task.FlowRequest.Children;
import gatebook.api.flow.task.FlowRequest.Copy;
import gatebook.api.flow.task.FlowRequest.CopyOrigin;
import gatebook.api.flow.task.FlowRequest.CountTasks;
import gatebook.api.flow.task.FlowRequest.Create;
import gatebook.api.flow.task.FlowRequest.Delete;
import gatebook.api.flow.task.FlowRequest.Detail;
import gatebook.api.flow.task.FlowRequest.Execute;
import gatebook.api.flow.task.FlowRequest.ExecutionTarget.NewTasks;
import gatebook.api.flow.task.FlowRequest.ExecutionTarget.StoredTask;
import gatebook.api.flow.task.FlowRequest.Executors;
import gatebook.api.flow.task.FlowRequest.Get;
import gatebook.api.flow.task.FlowRequest.ListTasks;
import gatebook.api.flow.task.FlowRequest.RunningCount;
import gatebook.api.flow.task.FlowRequest.RunningList;
import gatebook.api.flow.task.FlowRequest.RunningStatus;
import gatebook.api.flow.task.FlowRequest.SystemHealth;
import gatebook.api.flow.task.FlowRequest.TaskPage;
import gatebook.api.flow.task.FlowRequest.Tree;
import gatebook.api.flow.task.FlowRequest.Update;
import gatebook.api.flow.task.FlowRequest.WebhookConfig;
import gatebook.api.flow.task.TaskChanges;
import gatebook.command.tree.TaskDraft;
import gatebook.events.tree.TaskDependency;
import gatebook.events.tree.TreeStatus;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Well-formed requests in both profiles. */
final class FlowRequestReaderTest {
  private static final String ID = "550e8400-e29b-41d4-a716-446655440000";
  private static final String OTHER = "660e8400-e29b-41d4-a716-446655440001";
  private static final TaskPage PAGE = new TaskPage(100, 0);

  private final FlowRequestReader reader = new FlowRequestReader();

  @ParameterizedTest
  @MethodSource
  void everyMethodHasItsRequest(
      FlowProfile profile, String method, String params, FlowRequest expected) {
    assertThat(read(profile, method, params)).isEqualTo(expected);
  }

  static Stream<Arguments> everyMethodHasItsRequest() {
    return Stream.concat(ofProtocol(), ofClients());
  }

  private static Stream<Arguments> ofProtocol() {
    return Stream.of(
        protocol("tasks.get", "{'task_id':'%s'}", new Get(ID)),
        protocol("tasks.detail", "{'task_id':'%s'}", new Detail(ID)),
        protocol("tasks.delete", "{'task_id':'%s'}", new Delete(ID)),
        protocol("tasks.tree", "{'task_id':'%s'}", new Tree(ID)),
        protocol("tasks.children", "{'parent_id':'%s'}", new Children(ID)),
        protocol(
            "tasks.update",
            "{'task_id':'%s','updates':{'name':'Updated Name','priority':1}}",
            new Update(ID, changes(Map.of("name", "\"Updated Name\"", "priority", "1")))),
        protocol(
            "tasks.list",
            "{'limit':1000,'offset':5,'status':'pending','user_id':'alice'}",
            new ListTasks(Set.of(TreeStatus.PENDING), false, new TaskPage(1000, 5))),
        protocol("tasks.list", "{}", new ListTasks(Set.of(), false, PAGE)),
        protocol(
            "tasks.execute",
            "{'task_id':'%s','wait':true,'cascade':true}",
            new Execute(new StoredTask(ID), true, true, false, Optional.empty())),
        protocol(
            "tasks.execute",
            "{'tasks':[{'id':'%s','name':'a'}],'use_streaming':true}",
            new Execute(
                new NewTasks(List.of(draft(ID, "{'id':'%s','name':'a'}".formatted(ID)))),
                false,
                false,
                true,
                Optional.empty())),
        protocol(
            "tasks.cancel",
            "{'task_id':'%s'}",
            new Cancel(List.of(ID), false, "Cancelled by user", false)),
        protocol(
            "tasks.copy",
            "{'task_id':'%s','copy_children':true}",
            new Copy(ID, CopyOrigin.COPY, true, List.of(), Map.of(), true)),
        protocol(
            "tasks.copy",
            "{'task_id':'%s'}",
            new Copy(ID, CopyOrigin.COPY, false, List.of(), Map.of(), true)),
        protocol("tasks.count", "{}", new CountTasks(Set.of(), false)),
        protocol("tasks.running.list", "{}", new RunningList(PAGE)),
        protocol("tasks.running.status", "{'task_ids':['%s']}", new RunningStatus(List.of(ID))),
        protocol("tasks.running.count", "{}", new RunningCount()),
        protocol("system.health", "{}", new SystemHealth()),
        protocol("system.executors", "{}", new Executors()));
  }

  private static Stream<Arguments> ofClients() {
    return Stream.of(
        client("tasks.get", "{'task_id':'task-1'}", new Get("task-1")),
        client("tasks.get", "{'id':'task-1'}", new Get("task-1")),
        client("tasks.detail", "{'task_id':'task-1'}", new Detail("task-1")),
        client("tasks.delete", "{'task_id':'task-1'}", new Delete("task-1")),
        client("tasks.tree", "{'task_id':'task-1'}", new Tree("task-1")),
        client("tasks.children", "{'parent_id':'task-1'}", new Children("task-1")),
        client("tasks.children", "{'task_id':'task-1'}", new Children("task-1")),
        client(
            "tasks.update",
            """
            {'task_id':'t','name':'n','status':'failed','error':'gone','progress':0.5,\
            'started_at':'2026-01-02T03:04:05','result':{'a':1}}\
            """,
            new Update(
                "t",
                new TaskChanges(
                    Map.of("name", "\"n\""),
                    Optional.of(TreeStatus.FAILED),
                    Optional.of("gone"),
                    Optional.of("{\"a\":1}"),
                    Optional.of(new BigDecimal("0.5"))))),
        client("tasks.list", "{}", new ListTasks(Set.of(), true, PAGE)),
        client(
            "tasks.list",
            "{'root_only':false,'limit':5000,'status':'in_progress'}",
            new ListTasks(Set.of(TreeStatus.IN_PROGRESS), false, new TaskPage(1000, 0))),
        client(
            "tasks.execute",
            "{'task_id':'t','use_demo':false}",
            new Execute(new StoredTask("t"), false, false, false, Optional.empty())),
        client(
            "tasks.execute",
            """
            {'task_id':'t','use_streaming':true,'webhook_config':{'url':'https://a.example/b',\
            'headers':{'Authorization':'Bearer x'},'method':'PUT','timeout':5,'max_retries':1}}\
            """,
            new Execute(
                new StoredTask("t"),
                false,
                false,
                true,
                Optional.of(
                    new WebhookConfig(
                        "https://a.example/b", Map.of("Authorization", "Bearer x"), "PUT", 5, 1)))),
        client(
            "tasks.cancel",
            "{'task_ids':['a','b'],'force':true,'error_message':'enough'}",
            new Cancel(List.of("a", "b"), true, "enough", false)),
        client(
            "tasks.cancel",
            "{'task_ids':'a, b','error_message':' '}",
            new Cancel(List.of("a", "b"), false, "Cancelled by user", false)),
        client(
            "tasks.running.cancel",
            "{'context_ids':['a']}",
            new Cancel(List.of("a"), false, "Cancelled by user", false)),
        client(
            "tasks.clone",
            """
            {'task_id':'t','origin_type':'mixed','link_task_ids':['u'],'save':false,\
            'recursive':false,'reset_fields':{'priority':1}}\
            """,
            new Copy("t", CopyOrigin.MIXED, false, List.of("u"), Map.of("priority", "1"), false)),
        client(
            "tasks.clone",
            "{'task_id':'t'}",
            new Copy("t", CopyOrigin.COPY, true, List.of(), Map.of(), true)),
        client(
            "tasks.copy",
            "{'task_id':'t'}",
            new Copy("t", CopyOrigin.COPY, false, List.of(), Map.of(), true)),
        client(
            "tasks.count",
            "{'root_only':true,'statuses':['failed','pending']}",
            new CountTasks(Set.of(TreeStatus.FAILED, TreeStatus.PENDING), true)),
        client("tasks.running.list", "{'limit':10}", new RunningList(new TaskPage(10, 0))),
        client("tasks.running.status", "{'task_ids':'a,b'}", new RunningStatus(List.of("a", "b"))),
        client("tasks.running.status", "{}", new RunningStatus(List.of())),
        client("tasks.running.count", "{}", new RunningCount()),
        client("system.health", "{}", new SystemHealth()),
        client("system.executors", "{}", new Executors()));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "tasks.scheduled.list",
        "tasks.scheduled.due",
        "tasks.scheduled.init",
        "tasks.scheduled.complete",
        "tasks.scheduled.export-ical",
        "tasks.generate",
        "tasks.webhook.trigger",
        "config.llm_key.set",
        "TASKS.GET",
        ""
      })
  void unknownMethodIsNoRequest(String method) {
    for (FlowProfile profile : FlowProfile.values()) {
      assertThat(reader.read(profile, method, "{}", FlowCaller.anonymous()))
          .isEqualTo(new NoSuchMethod());
    }
  }

  @ParameterizedTest
  @EnumSource(FlowProfile.class)
  void absentParamsAreAnEmptyObject(FlowProfile profile) {
    assertThat(reader.read(profile, "system.health", null, FlowCaller.anonymous()))
        .isEqualTo(new Understood(new SystemHealth()));
  }

  @Test
  void taskHasAllThatItsOwnerWrote() {
    String task =
        """
        { "id":"%s", "parent_id":"%s", "user_id":"alice", "name":"Crawl \\u0041", "status":"pending",
          "priority":0, "inputs":{"url":"https://example.com", "n":1.50}, "schemas":{"method":"web_crawler",
          "type":"local","input_schema":{"type":"object"},"model":"m"}, "params":{"retry":{"max_attempts":3,
          "backoff":"exponential","initial_delay":1.0,"max_delay":60.0}}, "result":null, "error":null,
          "dependencies":[{"id":"%s","required":false,"type":"result"}], "progress":0.0, "has_references":false,
          "schedule_type":"weekly", "schedule_expression":"mon,wed@09:30", "schedule_enabled":true,
          "schedule_start_at":"2025-01-20T00:00:00Z", "run_count":0, "extra":[1,{"a":null}] }\
        """
            .formatted(ID, OTHER, OTHER);

    assertThat(read(PROTOCOL, "tasks.create", task))
        .isEqualTo(
            new Create(
                List.of(
                    new TaskDraft(
                        ID,
                        OTHER,
                        "Crawl A",
                        "web_crawler",
                        0,
                        List.of(new TaskDependency(OTHER, false)),
                        task,
                        "{\"url\":\"https://example.com\", \"n\":1.50}"))));
  }

  @Test
  void taskWithoutIdGetsARandomOne() {
    Set<String> ids = new HashSet<>();
    for (int count = 0; count < 100; count++) {
      ids.add(only(read(PROTOCOL, "tasks.create", json("{'name':'a'}"))).id());
    }

    assertThat(ids).hasSize(100).allMatch(FlowParams::isUuid);
  }

  @Test
  void executorOfTheParamsComesFirst() {
    assertThat(
            only(read(
                    CLIENT,
                    "tasks.create",
                    json("{'name':'a','schemas':{'method':'m'},'params':{'executor_id':'e'}}")))
                .executor())
        .isEqualTo("e");
  }

  @Test
  void clientsMayNameTheExecutorInTheParamsAlone() {
    assertThat(
            only(read(
                    CLIENT,
                    "tasks.create",
                    json("{'name':'a','schemas':{'type':'x'},'params':{'executor_id':'e'}}")))
                .executor())
        .isEqualTo("e");
  }

  @Test
  void clientsReferToTasksByNameOrId() {
    List<TaskDraft> drafts =
        ((Create)
                read(
                    CLIENT,
                    "tasks.create",
                    json(
                        """
                        [{'id':'r','name':'root','dependencies':['kid','k2',{'name':'kid','required':false}],'type':'x'},\
                        {'id':'k1','name':'kid','parent_id':'root'},\
                        {'id':'k2','name':'r2','parent_id':'r','dependencies':[{'id':'kid','type':'t'}]}]\
                        """)))
            .drafts();

    assertThat(drafts)
        .containsExactly(
            new TaskDraft(
                "r",
                null,
                "root",
                null,
                2,
                List.of(new TaskDependency("k1", true), new TaskDependency("k2", true)),
                json(
                    """
                    {'id':'r','name':'root','dependencies':[{'id':'k1','required':true},\
                    {'id':'k2','required':true}],'type':'x'}\
                    """),
                null),
            new TaskDraft(
                "k1",
                "r",
                "kid",
                null,
                2,
                List.of(),
                json("{'id':'k1','name':'kid','parent_id':'root'}"),
                null),
            new TaskDraft(
                "k2",
                "r",
                "r2",
                null,
                2,
                List.of(new TaskDependency("k1", true)),
                json(
                    """
                    {'id':'k2','name':'r2','parent_id':'r','dependencies':[{'id':'k1','type':'t'}]}\
                    """),
                null));
  }

  @Test
  void namesStandForNewIds() {
    List<TaskDraft> drafts =
        ((Create)
                read(
                    CLIENT,
                    "tasks.create",
                    json(
                        "[{'name':'root','dependencies':['kid']},{'name':'kid','parent_id':'root'}]")))
            .drafts();

    assertThat(drafts.getFirst().dependencies())
        .containsExactly(new TaskDependency(drafts.getLast().id(), true));
    assertThat(drafts.getLast().parentId()).isEqualTo(drafts.getFirst().id());
  }

  @Test
  void duplicateDependencyIsKeptOnceAsTheStricterOne() {
    TaskDraft draft =
        only(
            read(
                PROTOCOL,
                "tasks.create",
                json(
                    """
                    {'name':'a','dependencies':[{'id':'%1$s','required':false},{'id':'%1$s'}]}\
                    """
                        .formatted(ID))));

    assertThat(draft.dependencies()).containsExactly(new TaskDependency(ID, true));
    assertThat(draft.definition())
        .isEqualTo(json("{'name':'a','dependencies':[{'id':'%s'}]}".formatted(ID)));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "once | 2025-01-20T09:00:00Z",
        "once | 2025-01-20T09:00:00",
        "interval | 3600",
        "cron | 0 9 * * 1-5",
        "cron | */15 0-6,12 1,15 JAN-MAR MON",
        "daily | 09:30",
        "weekly | mon,wed@09:30",
        "monthly | 1,15@23:59"
      })
  void scheduleIsAccepted(String type, String expression) {
    assertThat(
            read(
                PROTOCOL,
                "tasks.create",
                json(
                    """
                    {'name':'a','schedule_type':'%s','schedule_expression':'%s','max_runs':3,\
                    'schedule_start_at':'2025-01-20T00:00:00+01:00','schedule_end_at':null}\
                    """
                        .formatted(type, expression))))
        .isInstanceOf(Create.class);
  }

  @Test
  void tenThousandTasksAreRead() {
    List<String> tasks = new ArrayList<>(List.of(json("{'id':'0','name':'0'}")));
    for (int task = 1; task < 10_000; task++) {
      tasks.add(
          json(
              "{'id':'%1$d','name':'n%1$d','parent_id':'%2$d','dependencies':['n%2$d']}"
                  .formatted(task, task - 1)));
    }

    Create create = (Create) read(CLIENT, "tasks.create", "[" + String.join(",", tasks) + "]");

    assertThat(create.drafts()).hasSize(10_000);
    assertThat(create.drafts().getLast().parentId()).isEqualTo("9998");
  }

  private FlowRequest read(FlowProfile profile, String method, @Nullable String params) {
    return ((Understood) reader.read(profile, method, params, FlowCaller.named("alice"))).request();
  }

  private static TaskDraft only(FlowRequest request) {
    return ((Create) request).drafts().getFirst();
  }

  private static TaskDraft draft(String id, String definition) {
    return new TaskDraft(id, null, "a", null, 2, List.of(), json(definition), null);
  }

  private static TaskChanges changes(Map<String, String> content) {
    return TaskChanges.ofContent(content);
  }

  private static Arguments protocol(String method, String params, FlowRequest expected) {
    return arguments(PROTOCOL, method, json(params.formatted(ID)), expected);
  }

  private static Arguments client(String method, String params, FlowRequest expected) {
    return arguments(CLIENT, method, json(params), expected);
  }

  private static String json(String text) {
    return text.replace('\'', '"');
  }
}
