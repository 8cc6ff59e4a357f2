package gatebook.api.flow.task;

import static gatebook.api.flow.task.FlowProfile.CLIENT;
import static gatebook.api.flow.task.FlowProfile.PROTOCOL;
import static org.assertj.core.api.Assertions.assertThat;

import gatebook.api.dialect.ErrorTranslation;
import gatebook.api.flow.read.FlowReading;
import gatebook.api.flow.read.FlowReading.Rejected;
import gatebook.api.flow.read.FlowReading.Understood;
import gatebook.api.flow.read.FlowRequestReader;
import gatebook.command.call.DialectVersion;
import gatebook.command.rules.GatewayLimits;
import gatebook.command.rules.Limit;
import gatebook.events.call.Dialect;
import gatebook.events.call.ErrorResponse;
import gatebook.events.fault.Fault;
import gatebook.events.fault.TaskFault;
import gatebook.events.fault.TaskFault.InvalidDependencyReference;
import gatebook.events.fault.UpstreamFault;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The errors of requests with problems, as callers get them. */
final class FlowErrorsTest {
  private static final String CHILD = "{'id':'b','name':'b','parent_id':'a'}";
  private static final String ID = "550e8400-e29b-41d4-a716-446655440000";

  private final FlowRequestReader reader = new FlowRequestReader();
  private final ErrorTranslation errorTranslation = new ErrorTranslation(UnaryOperator.identity());

  @Test
  void priorityOutOfRangeIsAsTheRequirementShowsIt() {
    expect(
        PROTOCOL,
        "tasks.create",
        "{'name':'a','priority':5}",
        "-32602 Invalid params",
        """
        'field':'priority','reason':'Value out of range','expected':'0-3','actual':5,\
        'details':'Expected 0-3'\
        """);
  }

  @Test
  void malformedIdIsAsTheRequirementShowsIt() {
    expect(
        PROTOCOL,
        "tasks.get",
        "{'task_id':'task-1'}",
        "-32602 Invalid params",
        """
        'field':'task_id','reason':'Invalid UUID format','expected':'UUID v4 format',\
        'actual':'string','details':'Expected UUID v4 format'\
        """);
  }

  @Test
  void otherExamplesOfTheRequirement() {
    assertThat(shown(new TaskFault.TaskNotFound(ID)))
        .isEqualTo(error("-32001 Task not found", "'task_id':'%s'".formatted(ID)));
    assertThat(
            shown(
                new TaskFault.InvalidStateTransition(
                    "task-uuid",
                    "completed",
                    "in_progress",
                    "Cannot transition from terminal state")))
        .isEqualTo(
            error(
                "-32006 Invalid state transition",
                """
                'task_id':'task-uuid','current_status':'completed',\
                'attempted_transition':'pending -> in_progress',\
                'reason':'Cannot transition from terminal state'\
                """));
    assertThat(
            shown(
                new TaskFault.CircularDependency(List.of("task-a", "task-b", "task-c", "task-a"))))
        .isEqualTo(
            error(
                "-32002 Circular dependency detected",
                "'cycle':['task-a','task-b','task-c','task-a']"));
    assertThat(
            shown(
                new UpstreamFault.ExecutorFailed(
                    "task-uuid", "web_crawler", "Connection timeout after 30 seconds")))
        .isEqualTo(
            error(
                "-32603 Internal error",
                """
                'task_id':'task-uuid','executor':'web_crawler',\
                'error':'Connection timeout after 30 seconds'\
                """));
  }

  @Test
  void allWrongParamsAreToldTogether() {
    expect(
        PROTOCOL,
        "tasks.list",
        "{'limit':0,'offset':-1,'status':'done','root_only':1}",
        "-32602 Invalid params",
        """
        'field':'status','reason':'Unknown value',\
        'expected':'one of cancelled, completed, failed, in_progress, pending','actual':'string',\
        'accepted':['cancelled','completed','failed','in_progress','pending'],\
        'errors':[\
        {'field':'status','reason':'Unknown value',\
        'expected':'one of cancelled, completed, failed, in_progress, pending','actual':'string',\
        'accepted':['cancelled','completed','failed','in_progress','pending']},\
        {'field':'root_only','reason':'Wrong type','expected':'boolean','actual':1},\
        {'field':'limit','reason':'Value out of range','expected':'1-1000','actual':0},\
        {'field':'offset','reason':'Value out of range','expected':'at least 0','actual':-1}],\
        'details':'Expected one of cancelled, completed, failed, in_progress, pending'\
        """);
  }

  @Test
  void problemsOfSeveralTasksAreToldTogether() {
    expect(
        CLIENT,
        "tasks.execute",
        "{'tasks':[{'id':'a','name':'x','priority':9},{'schemas':{}},{'id':'a','name':'x'}]}",
        "-32005 Invalid task schema",
        """
        'task_id':'a','field':'priority','reason':'Value out of range','expected':'0-3','actual':9,\
        'errors':[\
        {'task_id':'a','field':'priority','reason':'Value out of range','expected':'0-3','actual':9},\
        {'field':'tasks[1].name','reason':'Missing required field','expected':'string',\
        'actual':'nothing'},\
        {'field':'tasks[1].schemas.method','reason':'Missing required field','expected':'string',\
        'actual':'nothing'},\
        {'task_id':'a','field':'id','reason':'Another task of the array has this id',\
        'expected':'a unique id','actual':'string'},\
        {'task_id':'a','field':'name','reason':'Another task of the array has this name',\
        'expected':'a unique name','actual':'string'}]\
        """);
  }

  @Test
  void faultsOfOneKindAreToldTogether() {
    assertThat(
            shown(
                TaskFault.of(
                    List.of(
                        new InvalidDependencyReference("a", "x"),
                        new InvalidDependencyReference("b", "y")))))
        .isEqualTo(
            error(
                "-32011 Invalid dependency reference",
                """
                'task_id':'a','dependency_id':'x','errors':[\
                {'task_id':'a','dependency_id':'x'},{'task_id':'b','dependency_id':'y'}]\
                """));
  }

  @Test
  void atMostAHundredFaultsAreToldTogether() {
    List<TaskFault> faults =
        IntStream.range(0, 20_000)
            .<TaskFault>mapToObj(n -> new InvalidDependencyReference("a" + n, "x"))
            .toList();

    assertThat(TaskFault.of(faults))
        .isEqualTo(new TaskFault.SeveralTaskFaults(faults.subList(0, 100)));
  }

  @Test
  void oneFaultAloneHasNoList() {
    TaskFault fault = new InvalidDependencyReference("a", "x");

    assertThat(TaskFault.of(List.of(fault))).isEqualTo(fault);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "tasks.get | {} | 'field':'task_id','reason':'Missing required field','expected':'string',"
            + "'actual':'nothing','details':'Expected string'",
        "tasks.get | {'task_id':7} | 'field':'task_id','reason':'Wrong"
            + " type','expected':'string','actual':7",
        "tasks.get | {'id':'%ID'} | 'field':'task_id','reason':'Missing required"
            + " field','expected':'string'",
        "tasks.get | ['%ID'] | 'field':'params','reason':'Wrong type','expected':'object',"
            + "'actual':'array','errors':[{'field':'params','reason':'Wrong"
            + " type','expected':'object','actual':'array'},{'field':'task_id','reason':'Missing"
            + " required field','expected':'string','actual':'nothing'}]",
        "tasks.create | {} | 'field':'name','reason':'Missing required field','expected':'string'",
        "tasks.create | {'name':''} | 'field':'name','reason':'Value out of range','expected':'1 to"
            + " 255 characters','actual':0",
        "tasks.create | {'name':true} | 'field':'name','reason':'Wrong"
            + " type','expected':'string','actual':'boolean'",
        "tasks.create | {'name':'a','priority':1.0} | 'field':'priority','reason':'Wrong"
            + " type','expected':'integer','actual':1.0",
        "tasks.create | {'name':'a','priority':'1'} | 'field':'priority','reason':'Wrong"
            + " type','expected':'integer','actual':'string'",
        "tasks.create | {'name':'a','inputs':[]} | 'field':'inputs','reason':'Wrong"
            + " type','expected':'object','actual':'array'",
        "tasks.create | {'name':'a','parent_id':'x'} | 'field':'parent_id','reason':'Invalid UUID"
            + " format','expected':'UUID v4 format'",
        "tasks.create | [] | 'field':'params','reason':'Must not be empty','expected':'at least one"
            + " task'",
        "tasks.create | [7] | 'field':'params[0]','reason':'Wrong"
            + " type','expected':'object','actual':'number'",
        "tasks.execute | {} | 'field':'tasks','reason':'Missing required field','expected':'an"
            + " array of tasks, or task_id'",
        "tasks.execute | {'tasks':[]} | 'field':'tasks','reason':'Must not be empty','expected':'at"
            + " least one task'",
        "tasks.update | {'task_id':'%ID'} | 'field':'updates','reason':'Missing required"
            + " field','expected':'object'",
        "tasks.children | {} | 'field':'parent_id','reason':'Missing required"
            + " field','expected':'string'",
        "tasks.count | {'statuses':['x']} | 'field':'statuses[0]','reason':'Unknown"
            + " value','expected':'one of cancelled, completed, failed, in_progress,"
            + " pending','actual':'string','accepted':['cancelled','completed','failed','in_progress','pending']",
        "tasks.clone | {'task_id':'%ID','origin_type':'mixed'} |"
            + " 'field':'link_task_ids','reason':'Missing required field','expected':'at least one"
            + " id when origin_type is mixed'",
        "tasks.clone | {'task_id':'%ID','origin_type':'archive','reset_fields':{'name':'x'}} |"
            + " 'field':'reset_fields','reason':'Value not allowed','expected':'none when"
            + " origin_type is archive'",
        "tasks.running.status | {'task_ids':['x']} | 'field':'task_ids[0]','reason':'Value not"
            + " allowed','expected':'the id of a task'",
        "tasks.execute | {'task_id':'%ID','use_demo':true} | 'field':'use_demo','reason':'Not"
            + " supported','expected':'false or absent, which runs the real"
            + " tools','actual':'boolean','details':'Expected false or absent, which runs the real"
            + " tools'",
        "tasks.execute | {'task_id':'%ID','webhook_config':{'url':'ftp://x/y'}} |"
            + " 'field':'webhook_config.url','reason':'Invalid URL','expected':'an http or https"
            + " URL'",
      })
  void wrongParamIsNamed(String method, String params, String data) {
    assertThat(first(rejected(PROTOCOL, method, params.replace("%ID", ID))))
        .startsWith("-32602 Invalid params {" + data.replace('\'', '"'));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "'schemas':{'type':'local'} | schemas.method | Missing required field",
        "'schemas':{'method':''} | schemas.method | Value out of range",
        "'schemas':{'method':'m','type':'x'} | schemas.type | Unknown value",
        "'schemas':{'method':'m','input_schema':true} | schemas.input_schema | Wrong type",
        "'params':[] | params | Wrong type",
        "'params':{'executor_id':1} | params.executor_id | Wrong type",
        "'params':{'retry':3} | params.retry | Wrong type",
        "'params':{'retry':{'max_attempts':0}} | params.retry.max_attempts | Value out of range",
        "'params':{'retry':{'backoff':'linear'}} | params.retry.backoff | Unknown value",
        "'params':{'retry':{'initial_delay':61}} | params.retry.initial_delay | Value out of range",
        "'params':{'retry':{'initial_delay':1e0}} | params.retry.initial_delay | Value out of"
            + " range",
        "'params':{'retry':{'initial_delay':0.999}} | params.retry.initial_delay | Value out of"
            + " range",
        "'params':{'retry':{'max_delay':60.001}} | params.retry.max_delay | Value out of range",
        "'params':{'retry':{'max_delay':0.5}} | params.retry.max_delay | Value out of range",
        "'dependencies':['x'] | dependencies[0] | Wrong type",
        "'dependencies':[{}] | dependencies[0].id | Missing required field",
        "'dependencies':[{'id':'x'}] | dependencies[0].id | Invalid UUID format",
        "'dependencies':[{'id':'%ID','required':1}] | dependencies[0].required | Wrong type",
        "'status':'completed' | status | Computed by the server",
        "'result':{} | result | Computed by the server",
        "'error':'x' | error | Computed by the server",
        "'progress':0.5 | progress | Computed by the server",
        "'started_at':'2026-01-02T03:04:05Z' | started_at | Computed by the server",
        "'completed_at':'2026-01-02T03:04:05Z' | completed_at | Computed by the server",
        "'has_references':true | has_references | Computed by the server",
        "'run_count':1 | run_count | Computed by the server",
        "'next_run_at':'2026-01-02T03:04:05Z' | next_run_at | Computed by the server",
        "'last_run_at':'2026-01-02T03:04:05Z' | last_run_at | Computed by the server",
        "'origin_type':'x' | origin_type | Unknown value",
        "'origin_type':'copy' | original_task_id | Missing required field",
        "'origin_type':'link','original_task_id':'%ID' | origin_type | Links and archives are made"
            + " by tasks.clone",
        "'origin_type':'archive' | origin_type | Links and archives are made by tasks.clone",
        "'original_task_id':'%ID' | origin_type | Missing required field",
        "'origin_type':'copy','original_task_id':'x' | original_task_id | Invalid UUID format",
        "'origin_type':'create','original_task_id':'%ID' | original_task_id | Value not allowed",
        "'schedule_type':'yearly' | schedule_type | Unknown value",
        "'schedule_enabled':true,'schedule_expression':'x' | schedule_type | Missing required"
            + " field",
        "'schedule_enabled':true,'schedule_type':'daily' | schedule_expression | Missing required"
            + " field",
        "'schedule_enabled':1 | schedule_enabled | Wrong type",
        "'schedule_type':'once','schedule_expression':'tomorrow' | schedule_expression | Invalid"
            + " schedule expression",
        "'schedule_type':'interval','schedule_expression':'0' | schedule_expression | Invalid"
            + " schedule expression",
        "'schedule_type':'cron','schedule_expression':'* * * *' | schedule_expression | Invalid"
            + " schedule expression",
        "'schedule_type':'daily','schedule_expression':'24:00' | schedule_expression | Invalid"
            + " schedule expression",
        "'schedule_type':'weekly','schedule_expression':'may@09:30' | schedule_expression | Invalid"
            + " schedule expression",
        "'schedule_type':'monthly','schedule_expression':'32@09:30' | schedule_expression | Invalid"
            + " schedule expression",
        "'schedule_start_at':'soon' | schedule_start_at | Invalid time format",
        "'schedule_start_at':'2026-01-02T00:00:00Z','schedule_end_at':'2026-01-01T00:00:00Z'"
            + " | schedule_end_at | Value out of range",
        "'max_runs':-1 | max_runs | Value out of range",
      })
  void wrongContentIsNamed(String members, String field, String reason) {
    assertThat(
            first(
                rejected(
                    PROTOCOL, "tasks.create", "{'name':'a'," + members.replace("%ID", ID) + "}")))
        .startsWith(
            "-32005 Invalid task schema "
                + "{'field':'%s','reason':'%s'".formatted(field, reason).replace('\'', '"'));
  }

  @Test
  void idInContentMustBeAUuid() {
    expect(
        PROTOCOL,
        "tasks.create",
        "{'name':'a','id':'task-1'}",
        "-32005 Invalid task schema",
        """
        'task_id':'task-1','field':'id','reason':'Invalid UUID format','expected':'UUID v4 format',\
        'actual':'string'\
        """);
  }

  @Test
  void wrongParamsComeBeforeWrongContent() {
    expect(
        PROTOCOL,
        "tasks.create",
        "{'name':'a','priority':5,'status':'failed'}",
        "-32602 Invalid params",
        """
        'field':'priority','reason':'Value out of range','expected':'0-3','actual':5,\
        'details':'Expected 0-3'\
        """);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "tasks.create | {'user_id':'bob','priority':7}",
        "tasks.create | [{'name':'a'},{'name':'b','user_id':'bob'}]",
        "tasks.execute | {'tasks':[{'user_id':'bob'}]}",
        "tasks.list | {'user_id':'bob'}",
        "tasks.count | {'user_id':'bob'}",
        "tasks.running.list | {'user_id':'bob'}",
        "tasks.update | {'task_id':'a','user_id':'bob'}",
        "tasks.clone | {'task_id':'a','reset_fields':{'user_id':'bob'}}",
      })
  void anotherUserIsRefusedFirst(String method, String params) {
    assertThat(rejected(CLIENT, method, params))
        .isEqualTo(error("-32004 Unauthorized", "'reason':'User ID mismatch'"));
  }

  @Test
  void anotherUserInUpdatesIsRefused() {
    assertThat(
            rejected(
                PROTOCOL,
                "tasks.update",
                "{'task_id':'%s','updates':{'user_id':'bob'}}".formatted(ID)))
        .isEqualTo(error("-32004 Unauthorized", "'reason':'User ID mismatch'"));
  }

  @Test
  void callerWithoutNameMayNameAnyUser() {
    assertThat(
            reader.read(
                CLIENT,
                "tasks.create",
                json("{'name':'a','user_id':'bob'}"),
                FlowCaller.anonymous()))
        .isInstanceOf(Understood.class);
  }

  @Test
  void aWrongSchemaIsToldAsContent() {
    expect(
        PROTOCOL,
        "tasks.create",
        "{'name':'a','schemas':{'method':'m','input_schema':{'$ref':'http://127.0.0.1:9/a'}}}",
        "-32005 Invalid task schema",
        "'field':'schemas.input_schema','reason':'Refers to something outside the schema'");
  }

  @Test
  void wrongInputsAreToldTogetherWithoutTheirValues() {
    String error =
        rejected(
            CLIENT,
            "tasks.create",
            """
            [{'id':'a','name':'a','inputs':{'n':'s3cret'},'schemas':{'method':'m','input_schema':\
            {'required':['to'],'properties':{'n':{'type':'integer'}}}}},\
            {'id':'b','name':'','parent_id':'a'}]\
            """);

    assertThat(error)
        .startsWith("-32005 ")
        .contains(
            json("'field':'inputs.n','reason':'Wrong type','expected':'integer','actual':'string'"),
            json("'field':'inputs.to','reason':'Missing required field'"),
            json("'field':'name'"))
        .doesNotContain("s3cret");
  }

  /** The results of other tasks are added when the task runs. */
  @Test
  void inputsThatWantResultsAreNotCompleteYet() {
    String schemas = "'schemas':{'method':'m','input_schema':{'required':['n','dependencies'],";
    String known = schemas + "'properties':{'dependencies':{}}}}";

    assertThat(tree("{'id':'a','name':'a','dependencies':['b'],%s},%s".formatted(known, CHILD)))
        .isInstanceOf(Understood.class);
    assertThat(tree("{'id':'a','name':'a',%s},%s".formatted(known, CHILD)))
        .isInstanceOf(Rejected.class);
    assertThat(
            tree(
                "{'id':'a','name':'a','dependencies':['b'],%s'properties':{}}}},%s"
                    .formatted(schemas, CHILD)))
        .isInstanceOf(Rejected.class);
  }

  private FlowReading tree(String tasks) {
    return reader.read(CLIENT, "tasks.create", json("[" + tasks + "]"), FlowCaller.named("alice"));
  }

  @Test
  void inputsHaveALargestSize() {
    GatewayLimits small = GatewayLimits.DEFAULT.with(Limit.TREE_INPUTS_BYTES_MAX, 20);

    assertThat(read(small, "tasks.create", "{'name':'a','inputs':{'text':'ääää '}}"))
        .isInstanceOf(Understood.class);
    assertThat(shown(small, "tasks.create", "{'name':'a','inputs':{'text':'äääää'}}"))
        .isEqualTo(
            error(
                "-32602 Invalid params",
                """
                'field':'inputs','reason':'Value too large','expected':'at most 20 bytes',\
                'actual':21,'details':'Expected at most 20 bytes'\
                """));
  }

  @Test
  void definitionHasALargestSize() {
    GatewayLimits small = GatewayLimits.DEFAULT.with(Limit.TREE_DEFINITION_BYTES_MAX, 30);

    assertThat(read(small, "tasks.create", "{'name':'a','more':'ääää'}"))
        .isInstanceOf(Understood.class);
    assertThat(shown(small, "tasks.create", "{'name':'a','more':'ääääääääää'}"))
        .isEqualTo(
            error(
                "-32005 Invalid task schema",
                """
                'field':'task','reason':'Value too large','expected':'at most 30 bytes','actual':42\
                """));
  }

  @Test
  void dependenciesDoNotCountAsPartOfTheDefinition() {
    GatewayLimits small = GatewayLimits.DEFAULT.with(Limit.TREE_DEFINITION_BYTES_MAX, 40);
    String dependencies = "'dependencies':[{'id':'%s'}]".formatted(ID);

    assertThat(read(small, "tasks.create", "{'name':'a',%s}".formatted(dependencies)))
        .isInstanceOf(Understood.class);
    assertThat(
            read(small, "tasks.create", "{'name':'a','more':'ääääää',%s}".formatted(dependencies)))
        .isInstanceOf(Rejected.class);
  }

  @ParameterizedTest
  @CsvSource({
    "TREE_WEBHOOK_TIMEOUT_SECONDS_MAX, timeout, 1-5",
    "TREE_WEBHOOK_RETRIES_MAX, max_retries, 0-5"
  })
  void webhooksHaveLimits(Limit limit, String member, String range) {
    GatewayLimits five = GatewayLimits.DEFAULT.with(limit, 5);
    assertThat(read(five, "tasks.execute", webhook(",'%s':5".formatted(member))))
        .isInstanceOf(Understood.class);
    assertThat(shown(five, "tasks.execute", webhook(",'%s':6".formatted(member))))
        .isEqualTo(
            error(
                "-32602 Invalid params",
                """
                'field':'webhook_config.%s','reason':'Value out of range','expected':'%s',\
                'actual':6,'details':'Expected %s'\
                """
                    .formatted(member, range, range)));
  }

  private static String webhook(String members) {
    return "{'task_id':'%s','webhook_config':{'url':'http://x/y'%s}}".formatted(ID, members);
  }

  @Test
  void defaultsOfWebhooksAreWithinTheirLimits() {
    GatewayLimits one =
        GatewayLimits.DEFAULT
            .with(Limit.TREE_WEBHOOK_TIMEOUT_SECONDS_MAX, 1)
            .with(Limit.TREE_WEBHOOK_RETRIES_MAX, 0);

    FlowRequest request = ((Understood) read(one, "tasks.execute", webhook(""))).request();

    assertThat(((FlowRequest.Execute) request).webhook())
        .contains(new FlowRequest.WebhookConfig("http://x/y", Map.of(), "POST", 1, 0));
  }

  @ParameterizedTest
  @CsvSource({"4096, true", "4097, false"})
  void reasonOfACancellationHasALargestSize(int chars, boolean isUnderstood) {
    String params = "{'task_id':'%s','error_message':'%s'}".formatted(ID, "x".repeat(chars));

    assertThat(
            read(GatewayLimits.DEFAULT, "tasks.cancel", params).getClass().equals(Understood.class))
        .isEqualTo(isUnderstood);
  }

  @Test
  void atMostAHundredTasksAreNamed() {
    String tasks = "{'name':1},".repeat(200) + "{'name':1}";

    Fault fault =
        ((Rejected)
                reader.read(
                    CLIENT, "tasks.create", json("[" + tasks + "]"), FlowCaller.anonymous()))
            .fault();

    assertThat(((TaskFault.SeveralTaskFaults) fault).faults()).hasSize(100);
  }

  private void expect(
      FlowProfile profile, String method, String params, String error, String data) {
    assertThat(rejected(profile, method, params)).isEqualTo(error(error, data));
  }

  private String rejected(FlowProfile profile, String method, String params) {
    return shown(
        ((Rejected) reader.read(profile, method, json(params), FlowCaller.named("alice"))).fault());
  }

  private String shown(GatewayLimits gatewayLimits, String method, String params) {
    return shown(((Rejected) read(gatewayLimits, method, params)).fault());
  }

  private FlowReading read(GatewayLimits gatewayLimits, String method, String params) {
    return reader.read(PROTOCOL, method, json(params), FlowCaller.anonymous(), gatewayLimits);
  }

  private String shown(Fault fault) {
    ErrorResponse response =
        errorTranslation.translate(fault, new DialectVersion(Dialect.FLOW, "1.0"), "c");
    assertThat(response.httpStatus()).isEqualTo(200);
    return "%d %s %s".formatted(response.code(), response.message(), response.data());
  }

  private static String error(String codeAndMessage, String data) {
    return codeAndMessage + " " + json("{'correlation_id':'c',%s}".formatted(data));
  }

  /** Without the correlation id. */
  private static String first(String error) {
    return error.replace("\"correlation_id\":\"c\",", "");
  }

  private static String json(String text) {
    return text.replace('\'', '"');
  }
}
