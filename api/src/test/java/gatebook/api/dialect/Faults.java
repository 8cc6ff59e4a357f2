package gatebook.api.dialect;

import static gatebook.api.rpc.JsonStrings.quoted;

import gatebook.events.call.Gate;
import gatebook.events.call.JsonValue;
import gatebook.events.fault.Denied;
import gatebook.events.fault.Fault;
import gatebook.events.fault.Malformed;
import gatebook.events.fault.Misdirected;
import gatebook.events.fault.Problem;
import gatebook.events.fault.ServerFault;
import gatebook.events.fault.TaskFault;
import gatebook.events.fault.Unsupported;
import gatebook.events.fault.UpstreamFault;
import gatebook.events.fault.Withheld;
import java.lang.reflect.Constructor;
import java.lang.reflect.RecordComponent;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** At least one fault of each kind; the texts that no dialect may disclose are {@link #SECRET}. */
public final class Faults {

  static final String SECRET = "hidden";

  private static final String TASK = "task-1";

  private Faults() {}

  private static final Problem PROBLEM =
      new Problem("limit", "too large", "at most 10", JsonValue.parse("11"), List.of("1", "10"));

  private static final Problem OTHER_PROBLEM =
      new Problem("name", null, "a string", null, List.of());

  public static List<Fault> all() {
    return List.of(
        new Malformed.ParseError(Malformed.ParseDefect.SYNTAX, 7L),
        new Malformed.ParseError(Malformed.ParseDefect.EMPTY, null),
        new Malformed.LengthMismatch(10, 7),
        new Malformed.LengthMissing(),
        new Malformed.HeaderMalformed(2),
        new Malformed.HeaderTooLarge(8192),
        new Malformed.ReadTimeout(30_000, 5),
        new Malformed.Oversize(10_485_760, 20_000_000L),
        new Malformed.Oversize(10_485_760, null, true),
        new Malformed.UnsupportedContentType("text/" + SECRET),
        new Malformed.UnsupportedContentEncoding(SECRET),
        new Malformed.BadCharset(SECRET),
        new Malformed.InvalidRequest(Malformed.EnvelopeDefect.METHOD_MISSING),
        new Malformed.InvalidRequest(Malformed.EnvelopeDefect.NOT_AN_OBJECT),
        new Malformed.InvalidRequest(Malformed.EnvelopeDefect.VERSION_WRONG),
        new Malformed.InvalidRequest(Malformed.EnvelopeDefect.PARAMS_MISSING),
        new Malformed.InvalidRequest(Malformed.EnvelopeDefect.ID_MISSING),
        new Malformed.InvalidIdType("fraction"),
        new Malformed.BatchNotSupported(),
        new Malformed.UnknownSession(),
        new Malformed.DuplicateKey(12L),
        new Malformed.TooDeep(256),
        new Misdirected.MethodNotFound("no/such"),
        new Misdirected.UnknownAgent(SECRET),
        new Misdirected.InvalidParams(List.of(PROBLEM)),
        new Misdirected.InvalidParams(List.of(OTHER_PROBLEM, PROBLEM)),
        new Misdirected.Unauthorized(Misdirected.Refusal.TOKEN_MISSING),
        new Misdirected.Unauthorized(Misdirected.Refusal.TOKEN_UNKNOWN),
        new Misdirected.Unauthorized(Misdirected.Refusal.NOT_PERMITTED),
        new Misdirected.Unauthorized(Misdirected.Refusal.USER_MISMATCH),
        new Misdirected.Unauthorized(Misdirected.Refusal.TOKEN_EXPIRED),
        new Misdirected.Unauthorized(Misdirected.Refusal.SCOPE_MISSING),
        new Misdirected.RateLimited(Misdirected.Limit.RATE, 3L),
        new Misdirected.RateLimited(Misdirected.Limit.HELD_CALLS, null),
        new Misdirected.RateLimited(Misdirected.Limit.CONCURRENCY, null),
        new Misdirected.RateLimited(Misdirected.Limit.BUDGET, 3L),
        new Misdirected.RateLimited(Misdirected.Limit.UPSTREAM, null),
        new Misdirected.HeaderMismatch("Mcp-Method"),
        new Denied.ToolNotExposed("tool", SECRET),
        new Denied.ToolNotExposed("file:///a", SECRET, Denied.Content.RESOURCE),
        new Denied.GovernanceRuleDenied("tool", "tool_*", true),
        new Denied.GovernanceRuleDenied("tool", SECRET, false),
        new Denied.PolicyDenied("tool", SECRET, SECRET),
        new Denied.ApprovalRejected("tool", "alice", SECRET, SECRET),
        new Denied.ApprovalRejected("tool", null, null, null),
        new Denied.ApprovalTimeout("tool", 600, SECRET),
        new Denied.WorkflowNotFound("deploy"),
        new Withheld.InspectionFailed("secrets", SECRET),
        new Withheld.PolicyDrift(SECRET, SECRET, Gate.POLICY, SECRET, SECRET),
        new Withheld.TransformDrift(SECRET, SECRET),
        new TaskFault.TaskNotFound(TASK),
        new TaskFault.TaskExpired(TASK, 60L),
        new TaskFault.TaskExpired(TASK, null),
        new TaskFault.TaskCancelled(TASK),
        new TaskFault.TaskNotCancelable(TASK, "completed"),
        new TaskFault.TaskNotCancelable(TASK, null),
        new TaskFault.InvalidStateTransition(
            TASK, "completed", "in_progress", "Cannot transition from terminal state"),
        new TaskFault.InvalidStateTransition(
            TASK, "completed", "update", "Only a pending task can be updated"),
        new TaskFault.InvalidStateTransition(null, "completed", "in_progress", null),
        new TaskFault.TaskAlreadyExecuting(TASK),
        new TaskFault.InvalidTaskSchema(TASK, List.of(PROBLEM)),
        new TaskFault.InvalidTaskSchema(null, List.of(PROBLEM, OTHER_PROBLEM)),
        new TaskFault.CircularDependency(List.of("task-a", "task-b", "task-a")),
        new TaskFault.DependencyNotSatisfied(TASK, List.of("task-a")),
        new TaskFault.InvalidDependencyReference(TASK, "task-a"),
        new TaskFault.InvalidParentReference(TASK, "task-a", "it is its own child"),
        new TaskFault.TaskTreeInvalid(TaskFault.TreeDefect.NO_ROOT, TASK),
        new TaskFault.CannotDeleteTask(TASK, TaskFault.Obstacle.HAS_CHILDREN),
        new TaskFault.ExecutorNotFound("web_crawler", null),
        new TaskFault.ExecutorNotFound("fetch", List.of("a_fetch", "b_fetch")),
        new TaskFault.UnknownSkill("dancing"),
        new TaskFault.SeveralTaskFaults(
            List.of(
                new TaskFault.InvalidTaskSchema(TASK, List.of(PROBLEM)),
                new TaskFault.InvalidTaskSchema(null, List.of(PROBLEM, OTHER_PROBLEM)))),
        new Unsupported.PushNotificationNotSupported(),
        new Unsupported.UnsupportedOperation(SECRET, SECRET),
        new Unsupported.ContentTypeNotSupported(SECRET, List.of("text/plain")),
        new Unsupported.ExtendedAgentCardNotConfigured(),
        new Unsupported.ExtensionSupportRequired("urn:extension"),
        new Unsupported.ClientCapabilityMissing(List.of("roots", "sampling")),
        new Unsupported.VersionNotSupported(SECRET, List.of("2025-11-25")),
        new UpstreamFault.UpstreamConnectionFailed(
            SECRET, "http://u:hidden@up.example:8080/mcp?k=hidden#hidden", SECRET, 3),
        new UpstreamFault.UpstreamConnectionFailed(SECRET, "hidden:no url", SECRET, 3),
        new UpstreamFault.UpstreamTimeout(SECRET, "http://hidden", 30_000),
        new UpstreamFault.UpstreamError(SECRET, -32_042, "no room", JsonValue.parse("{}"), 200),
        new UpstreamFault.InvalidAgentResponse(SECRET, SECRET),
        new UpstreamFault.ExecutorFailed(TASK, "web_crawler", "no connection after 30 seconds"),
        new UpstreamFault.CoordinatorError(SECRET),
        new ServerFault.ServiceUnavailable(ServerFault.Cause.JOURNAL, null),
        new ServerFault.ServiceUnavailable(ServerFault.Cause.OUTCOME_NOT_RECORDED, null),
        new ServerFault.ServiceUnavailable(ServerFault.Cause.QUEUE_FULL, 1L),
        new ServerFault.ServiceUnavailable(ServerFault.Cause.OVERLOADED, 1L),
        new ServerFault.ServiceUnavailable(ServerFault.Cause.ANSWER_DROPPED, null),
        new ServerFault.ServiceUnavailable(ServerFault.Cause.HELD_CALLS_FULL, null),
        new ServerFault.ServiceUnavailable(ServerFault.Cause.UPSTREAM, 9L),
        new ServerFault.ServiceUnavailable(ServerFault.Cause.UPSTREAM_QUEUE_FULL, null),
        new ServerFault.ServiceUnavailable(ServerFault.Cause.SIGN_ON_KEYS, 30L),
        new ServerFault.ServiceUnavailable(ServerFault.Cause.SHUTTING_DOWN, null),
        new ServerFault.ServiceUnavailable(ServerFault.Cause.STOPPED, null),
        new ServerFault.ConfigurationError(SECRET),
        new ServerFault.InternalError(SECRET, SECRET),
        new ServerFault.SerializationError(SECRET),
        new ServerFault.IoError(SECRET));
  }

  /** A fault of each kind with this text in every place that takes one. */
  public static List<Fault> all(String text) {
    return kinds(Fault.class).map(kind -> (Fault) filled(kind, text)).toList();
  }

  /** A fault, and the same without each of the values that may be absent. */
  public static Stream<Fault> withAndWithout(Fault fault) {
    return Stream.concat(Stream.of(fault), without(fault).map(Fault.class::cast));
  }

  private static Stream<Object> without(Object whole) {
    RecordComponent[] components = whole.getClass().getRecordComponents();
    return Stream.of(components)
        .flatMap(component -> fewer(component, read(component, whole)))
        .map(fewer ->
            create(
                whole.getClass(),
                component ->
                    component.getName().equals(fewer.name) ? fewer.value : read(component, whole)));
  }

  private record Fewer(String name, @Nullable Object value) {}

  /** The values of a component that lack something that this value has. */
  private static Stream<Fewer> fewer(RecordComponent component, @Nullable Object value) {
    if (component.getAnnotatedType().isAnnotationPresent(Nullable.class)) {
      return Stream.of(new Fewer(component.getName(), null));
    }
    return value instanceof List<?> list
            && !list.isEmpty()
            && list.getFirst() instanceof Problem problem
        ? Stream.concat(
                without(problem),
                Stream.of(
                    new Problem(
                        problem.param(),
                        problem.reason(),
                        problem.expected(),
                        problem.received(),
                        List.of())))
            .map(less -> new Fewer(component.getName(), List.of(less)))
        : Stream.of();
  }

  private static @Nullable Object read(RecordComponent component, Object whole) {
    try {
      return component.getAccessor().invoke(whole);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError(e.getMessage(), e);
    }
  }

  static Stream<Class<?>> kinds(Class<?> type) {
    return type.isSealed()
        ? Stream.of(type.getPermittedSubclasses()).flatMap(Faults::kinds)
        : Stream.of(type);
  }

  private static Object filled(Class<?> type, String text) {
    return create(type, component -> value(component, text));
  }

  private static Object create(Class<?> type, Function<RecordComponent, @Nullable Object> valueOf) {
    RecordComponent[] components = type.getRecordComponents();
    Class<?>[] types = Stream.of(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
    Object[] values = Stream.of(components).map(valueOf).toArray();
    try {
      Constructor<?> canonical = type.getDeclaredConstructor(types);
      return canonical.newInstance(values);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError(e.getMessage(), e);
    }
  }

  private static Object value(RecordComponent component, String text) {
    Class<?> type = component.getType();
    if (type.isEnum()) {
      return type.getEnumConstants()[0];
    }
    return switch (type.getSimpleName()) {
      case "String" -> text;
      case "JsonValue" -> JsonValue.parse(quoted(text));
      case "boolean" -> true;
      case "Boolean" -> false; // an upstream's error that is not passed on
      case "int", "Integer" -> 7;
      case "long", "Long" -> 7L;
      case "List" -> list(component.getGenericType().getTypeName(), text);
      default -> throw new AssertionError("a component of an unknown type: " + component);
    };
  }

  private static List<Object> list(String type, String text) {
    if (type.contains("Problem")) {
      return List.of(filled(Problem.class, text));
    }
    return type.contains("TaskFault")
        ? List.of(
            filled(TaskFault.InvalidTaskSchema.class, text),
            filled(TaskFault.InvalidParentReference.class, text))
        : List.of(text);
  }
}
