package gatebook.command.rules;

import static gatebook.command.rules.Limit.Unit.BYTES;
import static gatebook.command.rules.Limit.Unit.COUNT;
import static gatebook.command.rules.Limit.Unit.MILLISECONDS;
import static gatebook.command.rules.Limit.Unit.MINUTES;
import static gatebook.command.rules.Limit.Unit.PERCENT;
import static gatebook.command.rules.Limit.Unit.PER_MINUTE;
import static gatebook.command.rules.Limit.Unit.PER_SECOND;
import static gatebook.command.rules.Limit.Unit.SECONDS;

import java.util.Locale;
import java.util.Optional;

/**
 * A limit of the gateway: what it bounds, and its default, lowest and highest value. The rules file
 * sets it by its name in lower case. Its section {@code limits} and the table of limits in the
 * README follow this list.
 */
public enum Limit {
  BODY_BYTES_MAX("the largest message of a caller", BYTES.of(10 << 20, 1 << 10, 64 << 20)),
  DEPTH_MAX("how deep the objects and arrays of a message may be nested", COUNT.of(256, 8, 256)),
  HEADER_BYTES_MAX(
      "the largest header section of a request, an answer or a frame",
      BYTES.of(8 << 10, 1 << 10, 64 << 10)),
  READ_MILLIS_MAX(
      "how long a handshake of TLS, a header section, a body or a frame may take to arrive",
      MILLISECONDS.of(30_000, 100, 600_000)),
  CONNECT_MILLIS_MAX(
      "how long it may take to connect to a source or a webhook",
      MILLISECONDS.of(5_000, 10, 600_000)),
  ANSWER_MILLIS_MAX("how long a source may take to answer", MILLISECONDS.of(30_000, 10, 3_600_000)),
  ANSWER_BYTES_MAX("the largest answer of a source", BYTES.of(10 << 20, 1 << 10, 64 << 20)),
  HELD_PER_PRINCIPAL_MAX(
      "calls of one principal that wait for an approval at the same time",
      COUNT.of(10, 1, 100_000)),
  HELD_MAX(
      "calls of all principals that wait for an approval at the same time",
      COUNT.of(1_000, 1, 100_000)),
  RATE_PER_SECOND("calls of one principal", PER_SECOND.of(100, 1, 1_000_000)),
  RATE_BURST("calls of one principal at once", COUNT.of(200, 1, 1_000_000)),
  REFUSALS_PER_SECOND_MAX(
      "messages that are no calls and are recorded singly; further ones are counted",
      PER_SECOND.of(100, 1, 10_000)),
  VIEW_LAG_EVENTS_MAX(
      "how many events a view may lag behind the journal before the node is not ready",
      COUNT.of(100_000, 1, 1_000_000_000)),
  TAIL_READERS_MAX("operators who follow the journal concurrently", COUNT.of(32, 1, 1_000)),
  TAIL_STALLED_MILLIS_MAX(
      "how long an operator who follows the journal may read nothing although events are there",
      MILLISECONDS.of(60_000, 100, 3_600_000)),
  STREAMS_MAX("concurrent streams of one source", COUNT.of(4_096, 1, 100_000)),
  STREAM_MILLIS_MAX(
      "the longest duration of a stream", MILLISECONDS.of(3_600_000, 100, 86_400_000)),
  STREAM_STALLED_MILLIS_MAX(
      "how long a caller may read nothing of a stream", MILLISECONDS.of(30_000, 100, 3_600_000)),
  SESSIONS_MAX("concurrent sessions of clients", COUNT.of(10_000, 1, 1_000_000)),
  SESSION_IDLE_MILLIS_MAX(
      "how long a session of a client may be idle", MILLISECONDS.of(1_800_000, 100, 86_400_000)),
  HELD_ANSWER_MILLIS_MAX(
      "the wait before a held call returns a resumable answer",
      MILLISECONDS.of(45_000, 10, 3_600_000)),
  HELD_AWAY_MILLIS_MAX(
      "how long the caller of a held call may take to come back",
      MILLISECONDS.of(60_000, 10, 3_600_000)),
  TASK_MILLIS_MAX(
      "the longest time to live of a task; its approval timeout if that is longer",
      MILLISECONDS.of(86_400_000, 100, 2_592_000_000L)),
  TASK_KEPT_MILLIS(
      "how long a task is kept after its approval timeout, unless its caller asks otherwise",
      MILLISECONDS.of(3_600_000, 0, 2_592_000_000L)),
  // Sealed params of the highest value still fit into one event with the rest of a call.
  TASK_PARAMS_BYTES_MAX("the largest params of a task", BYTES.of(512 << 10, 1 << 10, 640 << 10)),
  LISTEN_RESOURCES_MAX(
      "the most resources that one call may subscribe to", COUNT.of(100, 1, 10_000)),
  SOURCE_TASKS_MAX(
      "the most tasks of sources whose callers are remembered", COUNT.of(10_000, 1, 1_000_000)),
  INPUT_ROUNDS_MAX(
      "how often a source may ask for more input before it answers one call",
      COUNT.of(16, 0, 1_000)),
  TREE_TASKS_MAX("the most tasks of one tree", COUNT.of(10_000, 1, 50_000)),
  TREE_DEPTH_MAX(
      "the most tasks from the root of a tree to one below it, both counted",
      COUNT.of(256, 1, 256)),
  TREE_TASKS_RUNNING_MAX(
      "the most tasks of all trees that run at the same time", COUNT.of(256, 1, 10_000)),
  TREE_TASKS_RUNNING_PER_TREE_MAX(
      "the most tasks of one tree that run at the same time", COUNT.of(32, 1, 10_000)),
  TREES_OPEN_PER_PRINCIPAL_MAX(
      "the most trees of one principal with a task that is pending or in progress",
      COUNT.of(10_000, 1, 1_000_000)),
  TREE_INPUTS_BYTES_MAX(
      "the largest inputs of a task of a tree", BYTES.of(256 << 10, 1 << 10, 512 << 10)),
  TREE_DEFINITION_BYTES_MAX(
      "the largest task of a tree as its owner gives it, without its dependencies",
      BYTES.of(512 << 10, 1 << 10, 640 << 10)),
  // A sealed result of the highest value still fits into one event.
  TREE_RESULT_BYTES_MAX(
      "the largest result of a task of a tree; a larger one fails it",
      BYTES.of(512 << 10, 1 << 10, 640 << 10)),
  TREE_STREAM_SECONDS_MAX(
      "how long one stream tells of the progress of a tree", SECONDS.of(300, 1, 86_400)),
  TREE_WEBHOOK_TIMEOUT_SECONDS_MAX(
      "the longest that a webhook may take to answer", SECONDS.of(300, 1, 3_600)),
  TREE_WEBHOOK_RETRIES_MAX("the retries of a request to a webhook", COUNT.of(10, 0, 100)),
  SCHEMA_BYTES_MAX(
      "the largest JSON Schema of a task's inputs or of a tool",
      BYTES.of(64 << 10, 1 << 10, 256 << 10)),
  SCHEMA_DEPTH_MAX(
      "how deep the objects and arrays of a JSON Schema may be nested", COUNT.of(64, 8, 256)),
  SCHEMA_STEPS_MAX(
      "how many steps the schemas of one request, or of one task that runs, may take",
      COUNT.of(1_000_000, 1_000, 100_000_000)),
  TOOL_LIST_MILLIS_MAX(
      "how long the tools that a source listed are remembered for tasks",
      MILLISECONDS.of(60_000, 0, 3_600_000)),
  AGENT_CARD_WAIT_MILLIS_MAX(
      "how long a card of an agent waits for sources to list their tools",
      MILLISECONDS.of(2_000, 10, 60_000)),
  AGENT_STREAM_KEEP_ALIVE_MILLIS(
      "time without an event before a stream of an agent sends a comment",
      MILLISECONDS.of(15_000, 100, 3_600_000)),
  AGENT_MESSAGE_KEPT_MILLIS(
      "how long a duplicate message gets the same task", MILLISECONDS.of(600_000, 0, 86_400_000)),
  AGENT_CARD_MILLIS_MAX(
      "how long the card of an agent upstream is remembered",
      MILLISECONDS.of(300_000, 0, 86_400_000)),
  AGENT_CARD_BYTES_MAX(
      "the largest card of an agent upstream", BYTES.of(1 << 20, 1 << 10, 64 << 20)),
  AGENT_STREAM_ITEMS_MAX(
      "the most items of one stream of an agent upstream", COUNT.of(100_000, 1, 1_000_000_000)),
  AGENT_STREAM_BYTES_MAX(
      "the most bytes of all items of one stream of an agent upstream",
      BYTES.of(1L << 30, 1 << 10, 1L << 40)),
  AGENT_STREAM_IDLE_MILLIS_MAX(
      "the longest time between two items of a stream of an agent upstream",
      MILLISECONDS.of(300_000, 100, 86_400_000)),
  AGENT_MESSAGE_MILLIS_MAX(
      "how long an agent upstream may take to answer a message",
      MILLISECONDS.of(300_000, 10, 3_600_000)),
  AGENT_REQUEST_IDS_MAX(
      "the most ids of tasks and contexts that a request to an agent may name",
      COUNT.of(100, 1, 1_000)),
  CONTENT_KEYS_AHEAD_MAX(
      "the most keys of content that are made before their day", COUNT.of(10_000, 0, 1_000_000)),
  CASE_BYTES_MAX("the largest case file", BYTES.of(16 << 20, 64 << 10, 64 << 20)),
  CASE_EVENTS_MAX("the most events of a case file", COUNT.of(10_000, 1, 10_000)),
  CONSOLE_SESSION_IDLE_MINUTES_MAX(
      "how long an operator's session may be idle", MINUTES.of(480, 1, 43_200)),
  CONSOLE_SESSION_MINUTES_MAX(
      "the longest duration of an operator's session", MINUTES.of(1_440, 1, 43_200)),
  CONSOLE_SESSIONS_MAX("concurrent sessions of operators", COUNT.of(1_000, 1, 100_000)),
  CONSOLE_LINK_SECONDS_MAX("how long the link of a sign-in works", SECONDS.of(60, 1, 600)),
  CONSOLE_SIGN_ON_SECONDS_MAX(
      "how long an operator may take to sign in at an authorization server",
      SECONDS.of(600, 1, 3_600)),
  CONSOLE_SIGN_ONS_MAX(
      "operators who sign in at an authorization server at the same time",
      COUNT.of(10_000, 1, 1_000_000)),
  CONSOLE_REFUSALS_PER_MINUTE_MAX(
      "refused sign-ins that are recorded singly; further ones are only counted",
      PER_MINUTE.of(10, 1, 1_000)),
  SIGN_ON_TOKEN_BYTES_MAX(
      "the largest signed token; a larger one is not read", BYTES.of(16 << 10, 1 << 10, 64 << 10)),
  SIGN_ON_TOKEN_MINUTES_MAX(
      "how long a signed token is accepted after it was issued, if it does not expire before",
      MINUTES.of(1_440, 1, 43_200)),
  SIGN_ON_CLOCK_SECONDS_MAX(
      "how far the clock of an issuer of tokens may be from the clock here",
      SECONDS.of(60, 0, 600)),
  SIGN_ON_TOKENS_MAX(
      "verified tokens that are remembered, so that each is verified once",
      COUNT.of(10_000, 1, 1_000_000)),
  SIGN_ON_KEYS_SECONDS_MAX(
      "how long the keys of an issuer, and what they verified, are used before they are read again",
      SECONDS.of(300, 10, 86_400)),
  SIGN_ON_KEYS_PAUSE_SECONDS(
      "the time between two readings of an issuer's keys that tokens with an unknown key cause",
      SECONDS.of(30, 1, 3_600)),
  SIGN_ON_KEYS_OUTAGE_SECONDS_MAX(
      "how long the keys of an issuer are used while they cannot be read again",
      SECONDS.of(14_400, 0, 604_800)),
  SIGN_ON_KEYS_MILLIS_MAX(
      "how long an issuer may take to answer with its metadata or its keys",
      MILLISECONDS.of(5_000, 10, 60_000)),
  SIGN_ON_KEYS_BYTES_MAX(
      "the largest metadata or key set of an issuer", BYTES.of(256 << 10, 1 << 10, 4 << 20)),
  WHATIF_GROUPS_MAX(
      "the most groups of calls that the report of a what-if shows", COUNT.of(200, 1, 500)),
  WHATIF_OPEN_CALLS_MAX(
      "calls that a what-if remembers until their later events are read",
      COUNT.of(10_000, 1, 1_000_000)),
  WHATIF_THREADS_MAX(
      "threads that decide calls for a what-if, of one for each processor", COUNT.of(2, 1, 64)),
  IN_FLIGHT_HEAP_PERCENT_MAX(
      "the part of the heap for messages in flight, with what they grow to", PERCENT.of(60, 1, 80)),
  STOP_DRAIN_MILLIS(
      "how long a node that stops still takes new calls, while its probe says that it stops",
      MILLISECONDS.of(3_000, 0, 600_000)),
  STOP_GRACE_MILLIS_MAX(
      "how long a node that stops waits for the calls in flight",
      MILLISECONDS.of(20_000, 0, 3_600_000)),
  WITNESS_BODY_BYTES_MAX(
      "the largest request to cosign a checkpoint of another log",
      BYTES.of(64 << 10, 8 << 10, 1 << 20)),
  WITNESS_ANSWER_MILLIS_MAX(
      "how long a witness of this log may take to answer", MILLISECONDS.of(10_000, 10, 600_000)),
  WITNESS_ANSWER_BYTES_MAX(
      "the largest answer of a witness of this log", BYTES.of(64 << 10, 1 << 10, 1 << 20)),
  WITNESS_CLOCK_SECONDS_MAX(
      "how far the time of a cosignature may be from the clock", SECONDS.of(300, 1, 86_400)),
  ANCHOR_MILLIS_MAX(
      "how long an anchor's endpoint may take to accept a checkpoint",
      MILLISECONDS.of(10_000, 10, 600_000)),
  TIMESTAMP_MILLIS_MAX(
      "how long an authority may take to timestamp a case file",
      MILLISECONDS.of(10_000, 10, 60_000)),
  TIMESTAMP_BYTES_MAX(
      "the largest answer of an authority that timestamps case files",
      BYTES.of(64 << 10, 1 << 10, 1 << 20));

  private final String meaning;
  private final Unit unit;
  private final long defaultValue;
  private final long lowest;
  private final long highest;

  Limit(String meaning, Range range) {
    this.meaning = meaning;
    this.unit = range.unit;
    this.defaultValue = range.defaultValue;
    this.lowest = range.lowest;
    this.highest = range.highest;
  }

  /** The name in the rules file. */
  public String key() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** What is limited, without the unit. */
  public String meaning() {
    return meaning;
  }

  public Unit unit() {
    return unit;
  }

  public long defaultValue() {
    return defaultValue;
  }

  public long lowest() {
    return lowest;
  }

  public long highest() {
    return highest;
  }

  /** The limit of which this one is a part, and which it therefore must not exceed. */
  public Optional<Limit> whole() {
    return switch (this) {
      case HELD_PER_PRINCIPAL_MAX -> Optional.of(HELD_MAX);
      case TREE_TASKS_RUNNING_PER_TREE_MAX -> Optional.of(TREE_TASKS_RUNNING_MAX);
      default -> Optional.empty();
    };
  }

  /** What the number of a limit counts. */
  public enum Unit {
    BYTES,
    COUNT,
    MILLISECONDS,
    SECONDS,
    MINUTES,
    PERCENT,
    PER_SECOND,
    PER_MINUTE;

    /** The unit in a table. */
    public String words() {
      return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    private Range of(long defaultValue, long lowest, long highest) {
      return new Range(this, defaultValue, lowest, highest);
    }
  }

  private record Range(Unit unit, long defaultValue, long lowest, long highest) {}
}
