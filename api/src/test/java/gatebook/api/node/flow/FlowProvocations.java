package gatebook.api.node.flow;

import static gatebook.api.node.flow.FlowTasksOverHttp.BLOCKED;
import static gatebook.api.node.flow.FlowTasksOverHttp.CANCELLED;
import static gatebook.api.node.flow.FlowTasksOverHttp.CHILD;
import static gatebook.api.node.flow.FlowTasksOverHttp.COMPLETED;
import static gatebook.api.node.flow.FlowTasksOverHttp.DENIED;
import static gatebook.api.node.flow.FlowTasksOverHttp.DEPENDENT;
import static gatebook.api.node.flow.FlowTasksOverHttp.FAILED;
import static gatebook.api.node.flow.FlowTasksOverHttp.MISSING;
import static gatebook.api.node.flow.FlowTasksOverHttp.PARENT;
import static gatebook.api.node.flow.FlowTasksOverHttp.REFUSED;
import static gatebook.api.node.flow.FlowTasksOverHttp.RUNNING;
import static gatebook.api.node.flow.FlowTasksOverHttp.SLOW;
import static gatebook.api.node.flow.FlowTasksOverHttp.id;
import static gatebook.api.node.flow.FlowTasksOverHttp.task;

import gatebook.api.node.ProvokedCall.Words;
import java.util.List;
import java.util.stream.Stream;

/**
 * The provocations of every error of the task-flow protocol, named by the rows of its requirement's
 * tables of codes and of its lists of common scenarios.
 */
final class FlowProvocations {
  private static final String UNKNOWN = "Authorization: Bearer nobody-0123456789";

  /** Why a task was denied that {@link FlowTasksOverHttp#DENIED} names. */
  static final String DENIAL = "Tool 'delete_all' is denied by governance rules";

  private static final String A = id(21);
  private static final String B = id(22);

  private FlowProvocations() {}

  static List<FlowProvocation> all() {
    return Stream.of(
            standard(), notFound(), authorization(), schemas(), states(), deletions(), trees())
        .flatMap(List::stream)
        .toList();
  }

  private static List<FlowProvocation> standard() {
    return List.of(
        FlowProvocation.raw(
            "-32700 Parse error",
            "{\"jsonrpc\":\"2.0\",",
            "null",
            words(-32700, "Parse error", "'reason':'syntax','details':'syntax at byte 17'"),
            "ParseError"),
        FlowProvocation.raw(
            "-32600 Invalid Request: jsonrpc",
            "{\"id\":1,\"method\":\"tasks.list\",\"params\":{}}",
            "1",
            invalidRequest("jsonrpc", "version"),
            "InvalidRequest"),
        FlowProvocation.raw(
            "-32600 Invalid Request: method",
            "{\"jsonrpc\":\"2.0\",\"id\":1,\"params\":{}}",
            "1",
            invalidRequest("method", "method"),
            "InvalidRequest"),
        FlowProvocation.raw(
                "-32600 Invalid Request: params",
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tasks.list\"}",
                "1",
                invalidRequest("params", "params"),
                "InvalidRequest")
            .everywhere(),
        FlowProvocation.raw(
                "-32600 Invalid Request: id",
                "{\"jsonrpc\":\"2.0\",\"method\":\"tasks.list\",\"params\":{}}",
                "null",
                invalidRequest("id", "id"),
                "InvalidRequest")
            .everywhere(),
        FlowProvocation.of(
            "-32601 Method not found",
            "tasks.generate",
            "{}",
            words(-32601, "Method not found", "'method':'tasks.generate'"),
            "MethodNotFound"),
        FlowProvocation.of(
                "-32602 Invalid params: Invalid UUID format",
                "tasks.get",
                "{\"task_id\":\"task-1\"}",
                words(
                    -32602,
                    "Invalid params",
                    """
                    'field':'task_id','reason':'Invalid UUID format',\
                    'expected':'UUID v4 format','actual':'string','details':'Expected UUID v4 format'\
                    """),
                "InvalidParams")
            .inProtocol(),
        FlowProvocation.of(
            "-32602 Invalid params: Missing required fields",
            "tasks.get",
            "{}",
            words(
                -32602,
                "Invalid params",
                """
                'field':'task_id','reason':'Missing required field','expected':'string',\
                'actual':'nothing','details':'Expected string'\
                """),
            "InvalidParams"),
        FlowProvocation.of(
            "-32602 Invalid params: Invalid field types",
            "tasks.create",
            "{\"name\":\"a\",\"priority\":\"high\"}",
            words(
                -32602,
                "Invalid params",
                """
                'field':'priority','reason':'Wrong type','expected':'integer',\
                'actual':'string','details':'Expected integer'\
                """),
            "InvalidParams"),
        FlowProvocation.of(
            "-32602 Invalid params: Field value out of range",
            "tasks.create",
            "{\"name\":\"a\",\"priority\":5}",
            words(
                -32602,
                "Invalid params",
                """
                'field':'priority','reason':'Value out of range','expected':'0-3','actual':5,\
                'details':'Expected 0-3'\
                """),
            "InvalidParams"),
        failed(
            "-32603 Internal error: Executor execution failed",
            FAILED,
            "web_crawler",
            "Connection timeout after 30 seconds"),
        failed(
                "-32603 Internal error: Executor timeout",
                SLOW,
                "slow",
                "The upstream server did not answer in time: no answer within 500ms")
            .withErrorOfTheTool(1),
        failed(
                "-32603 Internal error: Invalid executor inputs",
                REFUSED,
                "refusing",
                "The upstream server returned an error: Invalid params")
            .withErrorOfTheTool(1),
        failed(
                "-32603 Internal error: Insufficient permissions",
                DENIED,
                "delete_all",
                "Unauthorized: " + DENIAL)
            .withErrorOfTheTool(0));
  }

  /** What a caller gets who waits for a task that fails. */
  private static FlowProvocation failed(String row, String id, String executor, String error) {
    return FlowProvocation.of(
        row,
        "tasks.execute",
        "{\"task_id\":\"%s\",\"wait\":true}".formatted(id),
        new Words(
            -32603,
            "Internal error",
            """
            "task_id":"%s","executor":"%s","error":"%s"\
            """
                .formatted(id, executor, error)),
        "ExecutorFailed");
  }

  private static List<FlowProvocation> notFound() {
    return List.of(
        FlowProvocation.of(
            "-32001 Task not found",
            "tasks.get",
            "{\"task_id\":\"%s\"}".formatted(MISSING),
            words(-32001, "Task not found", "'task_id':'%s'".formatted(MISSING)),
            "TaskNotFound"),
        FlowProvocation.of(
                "-32001 Task not found: of somebody else",
                "tasks.get",
                "{\"task_id\":\"%s\"}".formatted(PARENT),
                words(-32001, "Task not found", "'task_id':'%s'".formatted(PARENT)),
                "TaskNotFound")
            .by(FlowTasksOverHttp.ANN, 200),
        FlowProvocation.of(
            "-32003 Executor not found",
            "tasks.create",
            task(A, null, "none_such"),
            words(-32003, "Executor not found", "'executor':'none_such'"),
            "ExecutorNotFound"),
        FlowProvocation.of(
            "-32010 Invalid parent reference",
            "tasks.create",
            task(A, MISSING, "echo"),
            words(
                -32010,
                "Invalid parent reference",
                "'task_id':'%s','parent_id':'%s'".formatted(A, MISSING)),
            "InvalidParentReference"),
        FlowProvocation.of(
            "-32011 Invalid dependency reference",
            "tasks.create",
            task(A, PARENT, "echo", MISSING),
            words(
                -32011,
                "Invalid dependency reference",
                "'task_id':'%s','dependency_id':'%s'".formatted(A, MISSING)),
            "InvalidDependencyReference"));
  }

  private static List<FlowProvocation> authorization() {
    return List.of(
        FlowProvocation.of(
                "-32004 Unauthorized: Invalid authentication token",
                "tasks.list",
                "{}",
                words(-32004, "Unauthorized", "'reason':'Invalid authentication token'"),
                "Unauthorized")
            .by(UNKNOWN, 401),
        FlowProvocation.of(
            "-32004 Unauthorized: User ID mismatch",
            "tasks.list",
            "{\"user_id\":\"ann\"}",
            words(-32004, "Unauthorized", "'reason':'User ID mismatch'"),
            "Unauthorized"));
  }

  private static List<FlowProvocation> schemas() {
    return List.of(
        schema(
            "Schema validation failure",
            "\"schemas\":{}",
            "schemas.method",
            "Missing required field",
            "'expected':'string','actual':'nothing'"),
        schema(
            "invalid origin_type",
            "\"origin_type\":\"none\"",
            "origin_type",
            "Unknown value",
            """
            'expected':'one of archive, copy, create, link','actual':'string',\
            'accepted':['archive','copy','create','link']\
            """),
        schema(
            "missing origin_type",
            "\"original_task_id\":\"%s\"".formatted(COMPLETED),
            "origin_type",
            "Missing required field",
            "'expected':'copy','actual':'nothing'"),
        schema(
            "missing original_task_id",
            "\"origin_type\":\"copy\"",
            "original_task_id",
            "Missing required field",
            "'expected':'the id of the source','actual':'nothing'"),
        schema(
            "invalid has_references",
            "\"has_references\":true",
            "has_references",
            "Computed by the server",
            "'expected':'false','actual':'boolean'"),
        FlowProvocation.of(
                "-32005 Invalid task schema: Schema validation failure",
                "tasks.update",
                "{\"task_id\":\"%s\",\"progress\":0.5}".formatted(PARENT),
                words(
                    -32005,
                    "Invalid task schema",
                    "'task_id':'%s','field':'progress','reason':'Computed by the server'"
                        .formatted(PARENT)),
                "InvalidTaskSchema")
            .inClient(),
        incomplete("link", PARENT, "pending"),
        incomplete("archive", RUNNING, "in_progress"));
  }

  private static FlowProvocation incomplete(String origin, String source, String status) {
    return FlowProvocation.of(
        "-32005 Invalid task schema: %s of a task that is not completed".formatted(origin),
        "tasks.clone",
        "{\"task_id\":\"%s\",\"origin_type\":\"%s\",\"recursive\":false}".formatted(source, origin),
        words(
            -32005,
            "Invalid task schema",
            """
            'task_id':'%s','field':'origin_type',\
            'reason':'Only completed tasks can be linked or archived',\
            'expected':'completed','actual':'%s'\
            """
                .formatted(source, status)),
        "InvalidTaskSchema");
  }

  private static FlowProvocation schema(
      String row, String member, String field, String reason, String expected) {
    return FlowProvocation.of(
        "-32005 Invalid task schema: " + row,
        "tasks.create",
        "{\"name\":\"a\",%s}".formatted(member),
        words(
            -32005,
            "Invalid task schema",
            "'field':'%s','reason':'%s',%s".formatted(field, reason, expected)),
        "InvalidTaskSchema");
  }

  private static List<FlowProvocation> states() {
    return List.of(
        FlowProvocation.of(
            "-32006 Invalid state transition: Task in terminal state",
            "tasks.execute",
            "{\"task_id\":\"%s\"}".formatted(COMPLETED),
            transition(
                COMPLETED,
                "completed",
                "pending -> in_progress",
                "Cannot transition from terminal state"),
            "InvalidStateTransition"),
        FlowProvocation.of(
                "-32006 Invalid state transition",
                "tasks.cancel",
                "{\"task_id\":\"%s\"}".formatted(COMPLETED),
                transition(
                    COMPLETED,
                    "completed",
                    "completed -> cancelled",
                    "Cannot transition from terminal state"),
                "InvalidStateTransition")
            .inProtocol(),
        FlowProvocation.of(
                "-32006 Invalid state transition: Task in terminal state",
                "tasks.update",
                "{\"task_id\":\"%s\",\"updates\":{\"name\":\"a\"}}".formatted(COMPLETED),
                transition(COMPLETED, "completed", "update", "Only a pending task can be updated"),
                "InvalidStateTransition")
            .inProtocol(),
        FlowProvocation.of(
                "-32006 Invalid state transition",
                "tasks.update",
                "{\"task_id\":\"%s\",\"status\":\"completed\"}".formatted(PARENT),
                transition(
                    PARENT, "pending", "pending -> completed", "Only its execution ends a task"),
                "InvalidStateTransition")
            .inClient(),
        FlowProvocation.of(
            "-32007 Dependency not satisfied",
            "tasks.execute",
            "{\"task_id\":\"%s\"}".formatted(BLOCKED),
            words(
                -32007,
                "Dependency not satisfied",
                "'task_id':'%s','waits_for':['%s']".formatted(BLOCKED, CANCELLED)),
            "DependencyNotSatisfied"),
        FlowProvocation.of(
            "-32008 Task already executing",
            "tasks.execute",
            "{\"task_id\":\"%s\"}".formatted(RUNNING),
            words(-32008, "Task already executing", "'task_id':'%s'".formatted(RUNNING)),
            "TaskAlreadyExecuting"));
  }

  private static Words transition(String id, String current, String attempted, String reason) {
    return words(
        -32006,
        "Invalid state transition",
        """
        'task_id':'%s','current_status':'%s','attempted_transition':'%s','reason':'%s'\
        """
            .formatted(id, current, attempted, reason));
  }

  private static List<FlowProvocation> deletions() {
    return List.of(
        deletion("has children", PARENT, "has-children"),
        deletion("has dependents", CHILD, "has-dependents"),
        deletion("is not pending", COMPLETED, "not-pending"));
  }

  private static FlowProvocation deletion(String row, String id, String reason) {
    return FlowProvocation.of(
        "-32009 Cannot delete task: " + row,
        "tasks.delete",
        "{\"task_id\":\"%s\"}".formatted(id),
        words(-32009, "Cannot delete task", "'task_id':'%s','reason':'%s'".formatted(id, reason)),
        "CannotDeleteTask");
  }

  private static List<FlowProvocation> trees() {
    return List.of(
        FlowProvocation.of(
            "-32002 Circular dependency",
            "tasks.create",
            "[%s,%s]".formatted(task(A, null, "echo", B), task(B, A, "echo", A)),
            words(
                -32002,
                "Circular dependency detected",
                "'cycle':['%s','%s','%s']".formatted(A, B, A)),
            "CircularDependency"),
        FlowProvocation.of(
            "-32002 Circular dependency: Self-reference",
            "tasks.create",
            task(A, PARENT, "echo", A),
            words(-32002, "Circular dependency detected", "'cycle':['%s','%s']".formatted(A, A)),
            "CircularDependency"),
        FlowProvocation.of(
                "-32002 Circular dependency",
                "tasks.update",
                "{\"task_id\":\"%s\",\"updates\":{\"dependencies\":[{\"id\":\"%s\"}]}}"
                    .formatted(CHILD, DEPENDENT),
                words(
                    -32002,
                    "Circular dependency detected",
                    "'cycle':['%s','%s','%s']".formatted(CHILD, DEPENDENT, CHILD)),
                "CircularDependency")
            .inProtocol(),
        FlowProvocation.of(
            "-32012 Task tree validation failed: multiple roots",
            "tasks.create",
            "[%s,%s]".formatted(task(A, null, "echo"), task(B, null, "echo")),
            words(
                -32012,
                "Task tree validation failed",
                "'task_id':'%s','reason':'several-roots'".formatted(B)),
            "TaskTreeInvalid"),
        FlowProvocation.of(
            "-32012 Task tree validation failed: circular parent-child",
            "tasks.create",
            "[%s,%s,%s]"
                .formatted(task(id(23), null, "echo"), task(A, B, "echo"), task(B, A, "echo")),
            words(
                -32012,
                "Task tree validation failed",
                "'task_id':'%s','reason':'parent-cycle'".formatted(A)),
            "TaskTreeInvalid"));
  }

  private static Words invalidRequest(String field, String reason) {
    return words(
        -32600,
        "Invalid Request",
        "'field':'%s','reason':'%s-missing','details':'%s missing'"
            .formatted(field, reason, reason));
  }

  private static Words words(int code, String message, String data) {
    return new Words(code, message, data.replace('\'', '"'));
  }
}
