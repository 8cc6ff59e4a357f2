package gatebook.api.upstream.mcp;

import static gatebook.api.upstream.mcp.McpMethod.Property.ABOUT_ONE_TASK;
import static gatebook.api.upstream.mcp.McpMethod.Property.CACHEABLE;
import static gatebook.api.upstream.mcp.McpMethod.Property.GOVERNED;
import static gatebook.api.upstream.mcp.McpMethod.Property.NAMED_IN_HEADER;
import static gatebook.api.upstream.mcp.McpMethod.Property.READ_ONLY;
import static gatebook.api.upstream.mcp.McpMethod.Property.REMOVED;
import static gatebook.api.upstream.mcp.McpMethod.Property.TARGET_IN_NAME;
import static gatebook.api.upstream.mcp.McpMethod.Property.TARGET_IN_URI;

import gatebook.api.rpc.DeclaredParams;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The one list of MCP methods: the name of each, and its properties. The names are constants, so
 * that they can be the labels of a switch.
 */
public final class McpMethod {

  public static final String INITIALIZE = "initialize";
  public static final String PING = "ping";
  public static final String SERVER_DISCOVER = "server/discover";
  public static final String TOOLS_LIST = "tools/list";
  public static final String TOOLS_CALL = "tools/call";
  public static final String RESOURCES_LIST = "resources/list";
  public static final String RESOURCES_TEMPLATES_LIST = "resources/templates/list";
  public static final String RESOURCES_READ = "resources/read";
  public static final String RESOURCES_SUBSCRIBE = "resources/subscribe";
  public static final String RESOURCES_UNSUBSCRIBE = "resources/unsubscribe";
  public static final String PROMPTS_LIST = "prompts/list";
  public static final String PROMPTS_GET = "prompts/get";
  public static final String COMPLETION_COMPLETE = "completion/complete";
  public static final String LOGGING_SET_LEVEL = "logging/setLevel";
  public static final String SUBSCRIPTIONS_LISTEN = "subscriptions/listen";
  public static final String TASKS_LIST = "tasks/list";
  public static final String TASKS_GET = "tasks/get";
  public static final String TASKS_RESULT = "tasks/result";
  public static final String TASKS_UPDATE = "tasks/update";
  public static final String TASKS_CANCEL = "tasks/cancel";

  // requests of servers to clients
  public static final String ELICITATION_CREATE = "elicitation/create";
  public static final String SAMPLING_CREATE_MESSAGE = "sampling/createMessage";
  public static final String ROOTS_LIST = "roots/list";

  public static final String NOTIFICATIONS_INITIALIZED = "notifications/initialized";
  public static final String NOTIFICATIONS_CANCELLED = "notifications/cancelled";
  private static final String NOTIFICATIONS_PROGRESS = "notifications/progress";
  public static final String NOTIFICATIONS_TOOLS_LIST_CHANGED = "notifications/tools/list_changed";
  public static final String NOTIFICATIONS_PROMPTS_LIST_CHANGED =
      "notifications/prompts/list_changed";
  public static final String NOTIFICATIONS_RESOURCES_LIST_CHANGED =
      "notifications/resources/list_changed";
  public static final String NOTIFICATIONS_RESOURCES_UPDATED = "notifications/resources/updated";
  public static final String NOTIFICATIONS_SUBSCRIPTIONS_ACKNOWLEDGED =
      "notifications/subscriptions/acknowledged";

  private static final String TASKS = "tasks/";
  private static final String NOTIFICATIONS = "notifications/";

  /** A property that changes how a request is treated. */
  enum Property {
    /** The request passes the gates when its params name a target. */
    GOVERNED,
    /** The member {@code name} of the params names the target. */
    TARGET_IN_NAME,
    /** The member {@code uri} of the params names the target. */
    TARGET_IN_URI,
    /** The header {@code Mcp-Name} must equal the target. */
    NAMED_IN_HEADER,
    /** The request only reads and is not governed, so it may be sent twice. */
    READ_ONLY,
    /** The result says how long it may be cached, in the stateless revisions. */
    CACHEABLE,
    /** The stateless revisions do not have the method. */
    REMOVED,
    /** The params name one task. */
    ABOUT_ONE_TASK
  }

  /**
   * A row of the list.
   *
   * @param params as the revisions declare them; others are accepted
   */
  private record Row(DeclaredParams params, Set<Property> properties) {}

  /**
   * The requests of clients, and the notifications of which more than the metadata are declared.
   */
  private static final Map<String, Row> ROWS =
      Map.ofEntries(
          row(INITIALIZE, McpParams.INITIALIZE, REMOVED),
          row(PING, McpParams.NONE, READ_ONLY, REMOVED),
          row(SERVER_DISCOVER, McpParams.NONE, READ_ONLY),
          row(TOOLS_LIST, McpParams.PAGE, READ_ONLY, CACHEABLE),
          row(TOOLS_CALL, McpParams.TOOL, GOVERNED, TARGET_IN_NAME, NAMED_IN_HEADER),
          row(RESOURCES_LIST, McpParams.PAGE, READ_ONLY, CACHEABLE),
          row(RESOURCES_TEMPLATES_LIST, McpParams.PAGE, READ_ONLY, CACHEABLE),
          row(
              RESOURCES_READ,
              McpParams.RESOURCE,
              GOVERNED,
              TARGET_IN_URI,
              NAMED_IN_HEADER,
              CACHEABLE),
          row(RESOURCES_SUBSCRIBE, McpParams.RESOURCE, GOVERNED, TARGET_IN_URI, REMOVED),
          row(RESOURCES_UNSUBSCRIBE, McpParams.RESOURCE, TARGET_IN_URI, REMOVED),
          row(PROMPTS_LIST, McpParams.PAGE, READ_ONLY, CACHEABLE),
          row(PROMPTS_GET, McpParams.PROMPT, GOVERNED, TARGET_IN_NAME, NAMED_IN_HEADER),
          row(COMPLETION_COMPLETE, McpParams.COMPLETION, GOVERNED),
          row(LOGGING_SET_LEVEL, McpParams.LEVEL, REMOVED),
          row(SUBSCRIPTIONS_LISTEN, McpParams.SUBSCRIPTION, GOVERNED),
          row(TASKS_LIST, McpParams.PAGE, READ_ONLY, REMOVED),
          row(TASKS_GET, McpParams.TASK, READ_ONLY, ABOUT_ONE_TASK),
          row(TASKS_RESULT, McpParams.TASK, REMOVED, ABOUT_ONE_TASK),
          row(TASKS_UPDATE, McpParams.TASK, ABOUT_ONE_TASK),
          row(TASKS_CANCEL, McpParams.TASK, ABOUT_ONE_TASK),
          row(NOTIFICATIONS_CANCELLED, McpParams.CANCELLATION),
          row(NOTIFICATIONS_PROGRESS, McpParams.PROGRESS));

  private static final Set<String> ALL_GOVERNED =
      ROWS.keySet().stream().filter(McpMethod::isGoverned).collect(Collectors.toUnmodifiableSet());

  private McpMethod() {}

  private static Map.Entry<String, Row> row(
      String method, DeclaredParams params, Property... properties) {
    return Map.entry(method, new Row(params, Set.of(properties)));
  }

  private static boolean has(String method, Property property) {
    Row row = ROWS.get(method);
    return row != null && row.properties.contains(property);
  }

  /** The declared params of a method of clients; empty when the method is unknown. */
  public static Optional<DeclaredParams> params(String method) {
    Row row = ROWS.get(method);
    return row != null
        ? Optional.of(row.params)
        : isNotification(method) ? Optional.of(McpParams.NONE) : Optional.empty();
  }

  /** The methods of clients on the list. */
  public static Set<String> declared() {
    return ROWS.keySet();
  }

  /** The methods whose requests pass the gates. */
  public static Set<String> governed() {
    return ALL_GOVERNED;
  }

  public static boolean isGoverned(String method) {
    return has(method, GOVERNED);
  }

  /** The member of the params that holds the name; empty when there is none at the top level. */
  public static Optional<String> targetMember(String method) {
    if (has(method, TARGET_IN_NAME)) {
      return Optional.of("name");
    }
    return has(method, TARGET_IN_URI) ? Optional.of("uri") : Optional.empty();
  }

  /** Whether the header {@code Mcp-Name} must equal the target. */
  public static boolean isNamedInHeader(String method) {
    return has(method, NAMED_IN_HEADER);
  }

  /** Whether a request only reads and is not governed, so it may be sent twice. */
  public static boolean isReadOnly(String method) {
    return has(method, READ_ONLY);
  }

  /** Whether a result says how long it may be cached, in the stateless revisions. */
  public static boolean isCacheable(String method) {
    return has(method, CACHEABLE);
  }

  /** Whether the stateless revisions removed the method. */
  public static boolean isRemoved(String method) {
    return has(method, REMOVED);
  }

  /** Whether a method is about one task, which its params name. */
  public static boolean isAboutOneTask(String method) {
    return has(method, ABOUT_ONE_TASK);
  }

  /** Whether a method is about tasks, be it on this list or not. */
  public static boolean isAboutTasks(String method) {
    return method.startsWith(TASKS);
  }

  /** Whether a method is that of a notification, be it on this list or not. */
  public static boolean isNotification(String method) {
    return method.startsWith(NOTIFICATIONS);
  }
}
