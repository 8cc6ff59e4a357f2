package gatebook.command.rules.file;

import gatebook.command.rules.GatewayLimits;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Reads the section {@code limits}. Limits that it omits keep their defaults. */
final class LimitsReader {

  static final long MILLIS_LEAST = 10;
  static final long CONNECT_MILLIS_MOST = 600_000;
  static final long ANSWER_MILLIS_MOST = 3_600_000;

  private LimitsReader() {}

  /** A limit by its key in the file, with its default and its range. */
  enum Limit {
    BODY_BYTES_MAX(GatewayLimits.DEFAULT.bodyBytesMax(), 1 << 10, 64 << 20),
    DEPTH_MAX(GatewayLimits.DEFAULT.depthMax(), 8, 256),
    HEADER_BYTES_MAX(GatewayLimits.DEFAULT.headerBytesMax(), 1 << 10, 64 << 10),
    READ_MILLIS_MAX(GatewayLimits.DEFAULT.readMillisMax(), 100, 600_000),
    CONNECT_MILLIS_MAX(GatewayLimits.DEFAULT.connectMillisMax(), MILLIS_LEAST, CONNECT_MILLIS_MOST),
    ANSWER_MILLIS_MAX(GatewayLimits.DEFAULT.answerMillisMax(), MILLIS_LEAST, ANSWER_MILLIS_MOST),
    ANSWER_BYTES_MAX(GatewayLimits.DEFAULT.answerBytesMax(), 1 << 10, 64 << 20),
    HELD_PER_PRINCIPAL_MAX(GatewayLimits.DEFAULT.heldPerPrincipalMax(), 1, 100_000),
    HELD_MAX(GatewayLimits.DEFAULT.heldMax(), 1, 100_000),
    RATE_PER_SECOND(GatewayLimits.DEFAULT.ratePerSecond(), 1, 1_000_000),
    RATE_BURST(GatewayLimits.DEFAULT.rateBurst(), 1, 1_000_000),
    REFUSALS_PER_SECOND_MAX(GatewayLimits.DEFAULT.refusalsPerSecondMax(), 1, 10_000),
    VIEW_LAG_EVENTS_MAX(GatewayLimits.DEFAULT.viewLagEventsMax(), 1, 1_000_000_000),
    TAIL_READERS_MAX(GatewayLimits.DEFAULT.tailReadersMax(), 1, 1_000),
    TAIL_STALLED_MILLIS_MAX(GatewayLimits.DEFAULT.tailStalledMillisMax(), 100, 3_600_000),
    STREAMS_MAX(GatewayLimits.DEFAULT.streamsMax(), 1, 100_000),
    STREAM_MILLIS_MAX(GatewayLimits.DEFAULT.streamMillisMax(), 100, 86_400_000),
    STREAM_STALLED_MILLIS_MAX(GatewayLimits.DEFAULT.streamStalledMillisMax(), 100, 3_600_000),
    SESSIONS_MAX(GatewayLimits.DEFAULT.sessionsMax(), 1, 1_000_000),
    SESSION_IDLE_MILLIS_MAX(GatewayLimits.DEFAULT.sessionIdleMillisMax(), 100, 86_400_000),
    HELD_ANSWER_MILLIS_MAX(GatewayLimits.DEFAULT.heldAnswerMillisMax(), 10, 3_600_000),
    HELD_AWAY_MILLIS_MAX(GatewayLimits.DEFAULT.heldAwayMillisMax(), 10, 3_600_000),
    TASK_MILLIS_MAX(GatewayLimits.DEFAULT.taskMillisMax(), 100, 2_592_000_000L),
    TASK_KEPT_MILLIS(GatewayLimits.DEFAULT.taskKeptMillis(), 0, 2_592_000_000L),
    /** Sealed params of the upper bound still fit into one event with the rest of a call. */
    TASK_PARAMS_BYTES_MAX(GatewayLimits.DEFAULT.taskParamsBytesMax(), 1 << 10, 640 << 10),
    LISTEN_RESOURCES_MAX(GatewayLimits.DEFAULT.listenResourcesMax(), 1, 10_000),
    SOURCE_TASKS_MAX(GatewayLimits.DEFAULT.sourceTasksMax(), 1, 1_000_000),
    INPUT_ROUNDS_MAX(GatewayLimits.DEFAULT.inputRoundsMax(), 0, 1_000),
    TREE_TASKS_MAX(GatewayLimits.DEFAULT.treeTasksMax(), 1, 50_000),
    TREE_DEPTH_MAX(GatewayLimits.DEFAULT.treeDepthMax(), 1, 256),
    TREE_TASKS_RUNNING_MAX(GatewayLimits.DEFAULT.treeTasksRunningMax(), 1, 10_000),
    TREE_TASKS_RUNNING_PER_TREE_MAX(GatewayLimits.DEFAULT.treeTasksRunningPerTreeMax(), 1, 10_000),
    TREES_OPEN_PER_PRINCIPAL_MAX(GatewayLimits.DEFAULT.treesOpenPerPrincipalMax(), 1, 1_000_000),
    TREE_INPUTS_BYTES_MAX(GatewayLimits.DEFAULT.treeInputsBytesMax(), 1 << 10, 512 << 10),
    TREE_DEFINITION_BYTES_MAX(GatewayLimits.DEFAULT.treeDefinitionBytesMax(), 1 << 10, 640 << 10),
    /** A sealed result of the upper bound still fits into one event. */
    TREE_RESULT_BYTES_MAX(GatewayLimits.DEFAULT.treeResultBytesMax(), 1 << 10, 640 << 10),
    TREE_STREAM_SECONDS_MAX(GatewayLimits.DEFAULT.treeStreamSecondsMax(), 1, 86_400),
    TREE_WEBHOOK_TIMEOUT_SECONDS_MAX(
        GatewayLimits.DEFAULT.treeWebhookTimeoutSecondsMax(), 1, 3_600),
    TREE_WEBHOOK_RETRIES_MAX(GatewayLimits.DEFAULT.treeWebhookRetriesMax(), 0, 100),
    SCHEMA_BYTES_MAX(GatewayLimits.DEFAULT.schemaBytesMax(), 1 << 10, 256 << 10),
    SCHEMA_DEPTH_MAX(GatewayLimits.DEFAULT.schemaDepthMax(), 8, 256),
    SCHEMA_STEPS_MAX(GatewayLimits.DEFAULT.schemaStepsMax(), 1_000, 100_000_000),
    TOOL_LIST_MILLIS_MAX(GatewayLimits.DEFAULT.toolListMillisMax(), 0, 3_600_000),
    AGENT_CARD_WAIT_MILLIS_MAX(GatewayLimits.DEFAULT.agentCardWaitMillisMax(), 10, 60_000),
    AGENT_STREAM_KEEP_ALIVE_MILLIS(
        GatewayLimits.DEFAULT.agentStreamKeepAliveMillis(), 100, 3_600_000),
    AGENT_MESSAGE_KEPT_MILLIS(GatewayLimits.DEFAULT.agentMessageKeptMillis(), 0, 86_400_000),
    AGENT_CARD_MILLIS_MAX(GatewayLimits.DEFAULT.agentCardMillisMax(), 0, 86_400_000),
    AGENT_CARD_BYTES_MAX(GatewayLimits.DEFAULT.agentCardBytesMax(), 1 << 10, 64 << 20),
    AGENT_STREAM_ITEMS_MAX(GatewayLimits.DEFAULT.agentStreamItemsMax(), 1, 1_000_000_000),
    AGENT_STREAM_BYTES_MAX(GatewayLimits.DEFAULT.agentStreamBytesMax(), 1 << 10, 1L << 40),
    AGENT_STREAM_IDLE_MILLIS_MAX(GatewayLimits.DEFAULT.agentStreamIdleMillisMax(), 100, 86_400_000),
    AGENT_MESSAGE_MILLIS_MAX(
        GatewayLimits.DEFAULT.agentMessageMillisMax(), MILLIS_LEAST, ANSWER_MILLIS_MOST),
    AGENT_REQUEST_IDS_MAX(GatewayLimits.DEFAULT.agentRequestIdsMax(), 1, 1_000),
    CONSOLE_SESSION_IDLE_MINUTES_MAX(
        GatewayLimits.DEFAULT.consoleSessionIdleMinutesMax(), 1, 43_200),
    CONSOLE_SESSION_MINUTES_MAX(GatewayLimits.DEFAULT.consoleSessionMinutesMax(), 1, 43_200),
    CONSOLE_SESSIONS_MAX(GatewayLimits.DEFAULT.consoleSessionsMax(), 1, 100_000),
    CONSOLE_LINK_SECONDS_MAX(GatewayLimits.DEFAULT.consoleLinkSecondsMax(), 1, 600),
    CONSOLE_REFUSALS_PER_MINUTE_MAX(GatewayLimits.DEFAULT.consoleRefusalsPerMinuteMax(), 1, 1_000),
    IN_FLIGHT_HEAP_PERCENT_MAX(GatewayLimits.DEFAULT.inFlightHeapPercentMax(), 1, 80);

    private final long defaultValue;
    private final long least;
    private final long most;

    Limit(long defaultValue, long least, long most) {
      this.defaultValue = defaultValue;
      this.least = least;
      this.most = most;
    }

    String key() {
      return name().toLowerCase(Locale.ROOT);
    }

    long defaultValue() {
      return defaultValue;
    }

    long least() {
      return least;
    }

    long most() {
      return most;
    }
  }

  static GatewayLimits read(YamlValue yamlValue) {
    Optional<StrictMapping> keys =
        yamlValue.keys(Arrays.stream(Limit.values()).map(Limit::key).toArray(String[]::new));
    Map<Limit, Long> set = new EnumMap<>(Limit.class);
    for (Limit limit : Limit.values()) {
      keys.flatMap(it -> it.get(limit.key()))
          .ifPresent(it ->
              it.integer(limit.least, limit.most).ifPresent(number -> set.put(limit, number)));
    }
    checkPart(Limit.HELD_PER_PRINCIPAL_MAX, Limit.HELD_MAX, keys, set);
    checkPart(Limit.TREE_TASKS_RUNNING_PER_TREE_MAX, Limit.TREE_TASKS_RUNNING_MAX, keys, set);
    return limits(set);
  }

  /** One principal or tree cannot have more than all together. */
  private static void checkPart(
      Limit part, Limit whole, Optional<StrictMapping> keys, Map<Limit, Long> set) {
    keys.flatMap(it -> it.get(part.key()))
        .filter(_ -> of(set, part) > of(set, whole))
        .ifPresent(it -> it.mistake("must not be more than '%s'".formatted(whole.key())));
  }

  private static GatewayLimits limits(Map<Limit, Long> set) {
    return new GatewayLimits(
        of(set, Limit.BODY_BYTES_MAX),
        (int) of(set, Limit.DEPTH_MAX),
        (int) of(set, Limit.HEADER_BYTES_MAX),
        of(set, Limit.READ_MILLIS_MAX),
        of(set, Limit.CONNECT_MILLIS_MAX),
        of(set, Limit.ANSWER_MILLIS_MAX),
        of(set, Limit.ANSWER_BYTES_MAX),
        (int) of(set, Limit.HELD_PER_PRINCIPAL_MAX),
        (int) of(set, Limit.HELD_MAX),
        (int) of(set, Limit.RATE_PER_SECOND),
        (int) of(set, Limit.RATE_BURST),
        (int) of(set, Limit.REFUSALS_PER_SECOND_MAX),
        of(set, Limit.VIEW_LAG_EVENTS_MAX),
        (int) of(set, Limit.TAIL_READERS_MAX),
        of(set, Limit.TAIL_STALLED_MILLIS_MAX),
        (int) of(set, Limit.STREAMS_MAX),
        of(set, Limit.STREAM_MILLIS_MAX),
        of(set, Limit.STREAM_STALLED_MILLIS_MAX),
        (int) of(set, Limit.SESSIONS_MAX),
        of(set, Limit.SESSION_IDLE_MILLIS_MAX),
        of(set, Limit.HELD_ANSWER_MILLIS_MAX),
        of(set, Limit.HELD_AWAY_MILLIS_MAX),
        of(set, Limit.TASK_MILLIS_MAX),
        of(set, Limit.TASK_KEPT_MILLIS),
        (int) of(set, Limit.TASK_PARAMS_BYTES_MAX),
        (int) of(set, Limit.LISTEN_RESOURCES_MAX),
        (int) of(set, Limit.SOURCE_TASKS_MAX),
        (int) of(set, Limit.INPUT_ROUNDS_MAX),
        (int) of(set, Limit.TREE_TASKS_MAX),
        (int) of(set, Limit.TREE_DEPTH_MAX),
        (int) of(set, Limit.TREE_TASKS_RUNNING_MAX),
        (int) of(set, Limit.TREE_TASKS_RUNNING_PER_TREE_MAX),
        (int) of(set, Limit.TREES_OPEN_PER_PRINCIPAL_MAX),
        (int) of(set, Limit.TREE_INPUTS_BYTES_MAX),
        (int) of(set, Limit.TREE_DEFINITION_BYTES_MAX),
        (int) of(set, Limit.TREE_RESULT_BYTES_MAX),
        (int) of(set, Limit.TREE_STREAM_SECONDS_MAX),
        (int) of(set, Limit.TREE_WEBHOOK_TIMEOUT_SECONDS_MAX),
        (int) of(set, Limit.TREE_WEBHOOK_RETRIES_MAX),
        (int) of(set, Limit.SCHEMA_BYTES_MAX),
        (int) of(set, Limit.SCHEMA_DEPTH_MAX),
        of(set, Limit.SCHEMA_STEPS_MAX),
        of(set, Limit.TOOL_LIST_MILLIS_MAX),
        of(set, Limit.AGENT_CARD_WAIT_MILLIS_MAX),
        of(set, Limit.AGENT_STREAM_KEEP_ALIVE_MILLIS),
        of(set, Limit.AGENT_MESSAGE_KEPT_MILLIS),
        of(set, Limit.AGENT_CARD_MILLIS_MAX),
        (int) of(set, Limit.AGENT_CARD_BYTES_MAX),
        of(set, Limit.AGENT_STREAM_ITEMS_MAX),
        of(set, Limit.AGENT_STREAM_BYTES_MAX),
        of(set, Limit.AGENT_STREAM_IDLE_MILLIS_MAX),
        of(set, Limit.AGENT_MESSAGE_MILLIS_MAX),
        (int) of(set, Limit.AGENT_REQUEST_IDS_MAX),
        (int) of(set, Limit.CONSOLE_SESSION_IDLE_MINUTES_MAX),
        (int) of(set, Limit.CONSOLE_SESSION_MINUTES_MAX),
        (int) of(set, Limit.CONSOLE_SESSIONS_MAX),
        (int) of(set, Limit.CONSOLE_LINK_SECONDS_MAX),
        (int) of(set, Limit.CONSOLE_REFUSALS_PER_MINUTE_MAX),
        (int) of(set, Limit.IN_FLIGHT_HEAP_PERCENT_MAX));
  }

  private static long of(Map<Limit, Long> set, Limit limit) {
    return set.getOrDefault(limit, limit.defaultValue);
  }
}
