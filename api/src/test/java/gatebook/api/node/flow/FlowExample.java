package gatebook.api.node.flow;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An example of the task-flow protocol's requirement.
 *
 * @param before requests that come first
 * @param response as the requirement shows it
 */
record FlowExample(
    String name,
    List<String> before,
    String path,
    @Nullable String token,
    String request,
    String response) {
  private static final String PROTOCOL = "/flow";
  private static final String CLIENT = "/flow/tasks";
  private static final String RETRY =
      """
      {'retry':{'max_attempts':3,'backoff':'exponential','initial_delay':1.0,'max_delay':60.0}}\
      """;

  static List<FlowExample> all() {
    return List.of(
        of(
            "the format of errors",
            PROTOCOL,
            "'id':'request-id','method':'tasks.get','params':{'task_id':'task-1'}",
            """
            {'jsonrpc':'2.0','error':{'code':-32602,'message':'Invalid params','data':{\
            'field':'task_id','reason':'Invalid UUID format',\
            'details':'Expected UUID v4 format'}},'id':'request-id'}\
            """),
        of(
            "a validation error",
            PROTOCOL,
            "'id':'req-001','method':'tasks.create','params':{'name':'a','priority':5}",
            """
            {'jsonrpc':'2.0','error':{'code':-32602,'message':'Invalid params','data':{\
            'field':'priority','reason':'Value out of range','expected':'0-3','actual':5}},\
            'id':'req-001'}\
            """),
        of(
            "a task that is not found",
            PROTOCOL,
            """
            'id':'req-002','method':'tasks.get',\
            'params':{'task_id':'550e8400-e29b-41d4-a716-446655440000'}\
            """,
            """
            {'jsonrpc':'2.0','error':{'code':-32001,'message':'Task not found','data':{\
            'task_id':'550e8400-e29b-41d4-a716-446655440000'}},'id':'req-002'}\
            """),
        of(
                "a state machine error",
                CLIENT,
                "'id':'req-003','method':'tasks.execute','params':{'task_id':'task-uuid'}",
                """
                {'jsonrpc':'2.0','error':{'code':-32006,'message':'Invalid state transition',\
                'data':{'task_id':'task-uuid','current_status':'completed',\
                'attempted_transition':'pending -> in_progress',\
                'reason':'Cannot transition from terminal state'}},'id':'req-003'}\
                """)
            .after(
                """
                'id':1,'method':'tasks.execute','params':{'wait':true,'tasks':[\
                {'id':'task-uuid','name':'a','schemas':{'method':'echo'}}]}\
                """),
        of(
            "a dependency error",
            CLIENT,
            """
            'id':'req-004','method':'tasks.create','params':[\
            {'id':'task-a','name':'a','dependencies':[{'id':'task-b'}]},\
            {'id':'task-b','name':'b','parent_id':'task-a','dependencies':[{'id':'task-c'}]},\
            {'id':'task-c','name':'c','parent_id':'task-a','dependencies':[{'id':'task-a'}]}]\
            """,
            """
            {'jsonrpc':'2.0','error':{'code':-32002,'message':'Circular dependency detected',\
            'data':{'cycle':['task-a','task-b','task-c','task-a']}},'id':'req-004'}\
            """),
        new FlowExample(
            "an authorization error",
            List.of(),
            PROTOCOL,
            "nobody-0123456789",
            json("'id':'req-005','method':'tasks.list','params':{}"),
            """
            {'jsonrpc':'2.0','error':{'code':-32004,'message':'Unauthorized','data':{\
            'reason':'Invalid authentication token'}},'id':'req-005'}\
            """),
        of(
            "an execution error",
            CLIENT,
            """
            'id':'req-006','method':'tasks.execute','params':{'wait':true,'tasks':[\
            {'id':'task-failing','name':'a','schemas':{'method':'web_crawler'}}]}\
            """,
            """
            {'jsonrpc':'2.0','error':{'code':-32603,'message':'Internal error','data':{\
            'task_id':'task-failing','executor':'web_crawler',\
            'error':'Connection timeout after 30 seconds'}},'id':'req-006'}\
            """));
  }

  /** The tasks that the requirement shows; their responses are the tasks alone. */
  static List<FlowExample> tasks() {
    String failing = "{'id':'failed-task','name':'b','schemas':{'method':'web_crawler'}";
    String dependent =
        """
        'id':1,'method':'tasks.execute','params':{'tasks':[{'id':'dependent-task','name':'a',\
        'dependencies':[{'id':'failed-task','required':true}]},%s,'parent_id':'dependent-task'}]}\
        """
            .formatted(failing);
    return List.of(
        of(
                "a failed task",
                CLIENT,
                "'id':1,'method':'tasks.get','params':{'task_id':'failed-task'}",
                """
                {'id':'failed-task','status':'failed','error':"Executor 'web_crawler' raised \
                exception: Connection timeout after 30 seconds"}\
                """)
            .after(dependent),
        of(
            "a task whose dependency failed",
            CLIENT,
            "'id':1,'method':'tasks.get','params':{'task_id':'dependent-task'}",
            """
            {'id':'dependent-task','status':'pending','dependencies':[\
            {'id':'failed-task','required':true}],'error':null}\
            """),
        of(
            "a configuration of retries",
            CLIENT,
            "'id':1,'method':'tasks.create','params':{'name':'c','params':%s}".formatted(RETRY),
            "{'params':%s}".formatted(RETRY)));
  }

  private static FlowExample of(String name, String path, String request, String response) {
    return new FlowExample(name, List.of(), path, null, json(request), response);
  }

  private FlowExample after(String other) {
    return new FlowExample(name, List.of(json(other)), path, token, request, response);
  }

  static String json(String members) {
    return "{\"jsonrpc\":\"2.0\"," + members.replace('\'', '"') + "}";
  }

  @Override
  public String toString() {
    return name;
  }
}
