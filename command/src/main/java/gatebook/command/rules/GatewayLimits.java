package gatebook.command.rules;

/**
 * All limits of the gateway.
 *
 * @param refusalsPerSecondMax messages that are no calls and are recorded singly; further ones are
 *     counted
 * @param viewLagEventsMax how many events a view may lag behind the journal before the node is not
 *     ready
 * @param tailReadersMax operators who follow the journal concurrently
 * @param tailStalledMillisMax how long one of them may read nothing although events are there
 * @param streamsMax concurrent streams of one source
 * @param streamMillisMax the longest duration of one stream
 * @param streamStalledMillisMax how long a caller may read nothing of a stream
 * @param sessionsMax concurrent sessions of clients
 * @param sessionIdleMillisMax how long a session may be idle
 * @param heldAnswerMillisMax the wait before a held call returns a resumable answer
 * @param heldAwayMillisMax how long the caller may take to come back
 * @param taskMillisMax the longest time to live of a task; its approval timeout if that is longer
 * @param taskKeptMillis how long a task is kept after its approval timeout, unless its caller asks
 *     otherwise
 * @param taskParamsBytesMax the largest params of a task
 * @param listenResourcesMax the most resources that one call may subscribe to
 * @param sourceTasksMax the most tasks of sources whose callers are remembered
 * @param inputRoundsMax how often a source may ask for more input before it answers one call
 * @param treeTasksMax the most tasks of one tree
 * @param treeDepthMax the most tasks from the root of a tree to one below it, both counted
 * @param treeTasksRunningMax the most tasks of all trees that run at the same time
 * @param treeTasksRunningPerTreeMax the most tasks of one tree that run at the same time
 * @param treesOpenPerPrincipalMax the most trees of one principal with a task that is pending or in
 *     progress
 * @param treeInputsBytesMax the largest inputs of a task of a tree
 * @param treeDefinitionBytesMax the largest task of a tree as its owner gives it, without its
 *     dependencies
 * @param treeResultBytesMax the largest result of a task of a tree; a larger one fails it
 * @param treeStreamSecondsMax how long one stream tells of the progress of a tree
 * @param treeWebhookTimeoutSecondsMax the longest that a webhook may take to answer
 * @param treeWebhookRetriesMax the retries of a request to a webhook
 * @param schemaBytesMax the largest JSON Schema of a task's inputs or of a tool
 * @param schemaDepthMax how deep its objects and arrays may be nested
 * @param schemaStepsMax how many steps the schemas of one request, or of one task that runs, may
 *     take
 * @param toolListMillisMax how long the tools that a source listed are remembered for tasks
 * @param agentCardWaitMillisMax how long a card of an agent waits for sources to list their tools
 * @param agentStreamKeepAliveMillis time without an event before a stream of an agent sends a
 *     comment
 * @param agentMessageKeptMillis how long a duplicate message gets the same task
 * @param agentCardMillisMax how long the card of an agent upstream is remembered
 * @param agentCardBytesMax of the card of an agent upstream
 * @param agentStreamItemsMax the most items of one stream of an agent upstream
 * @param agentStreamBytesMax the most bytes of all its items
 * @param agentStreamIdleMillisMax the longest time from one of its items to the next
 * @param agentMessageMillisMax how long an agent upstream may take to answer a message
 * @param agentRequestIdsMax the most ids of tasks and contexts that a request to an agent may name
 * @param consoleSessionIdleMinutesMax how long an operator's session may be idle
 * @param consoleSessionMinutesMax the longest duration of an operator's session
 * @param consoleSessionsMax concurrent sessions of operators
 * @param consoleLinkSecondsMax how long the link of a sign-in works
 * @param consoleRefusalsPerMinuteMax refused sign-ins that are recorded singly; further ones are
 *     only counted
 * @param inFlightHeapPercentMax how much of the heap messages in flight may take with what they
 *     grow to, over all ports and sources
 */
public record GatewayLimits(
    long bodyBytesMax,
    int depthMax,
    int headerBytesMax,
    long readMillisMax,
    long connectMillisMax,
    long answerMillisMax,
    long answerBytesMax,
    int heldPerPrincipalMax,
    int heldMax,
    int ratePerSecond,
    int rateBurst,
    int refusalsPerSecondMax,
    long viewLagEventsMax,
    int tailReadersMax,
    long tailStalledMillisMax,
    int streamsMax,
    long streamMillisMax,
    long streamStalledMillisMax,
    int sessionsMax,
    long sessionIdleMillisMax,
    long heldAnswerMillisMax,
    long heldAwayMillisMax,
    long taskMillisMax,
    long taskKeptMillis,
    int taskParamsBytesMax,
    int listenResourcesMax,
    int sourceTasksMax,
    int inputRoundsMax,
    int treeTasksMax,
    int treeDepthMax,
    int treeTasksRunningMax,
    int treeTasksRunningPerTreeMax,
    int treesOpenPerPrincipalMax,
    int treeInputsBytesMax,
    int treeDefinitionBytesMax,
    int treeResultBytesMax,
    int treeStreamSecondsMax,
    int treeWebhookTimeoutSecondsMax,
    int treeWebhookRetriesMax,
    int schemaBytesMax,
    int schemaDepthMax,
    long schemaStepsMax,
    long toolListMillisMax,
    long agentCardWaitMillisMax,
    long agentStreamKeepAliveMillis,
    long agentMessageKeptMillis,
    long agentCardMillisMax,
    int agentCardBytesMax,
    long agentStreamItemsMax,
    long agentStreamBytesMax,
    long agentStreamIdleMillisMax,
    long agentMessageMillisMax,
    int agentRequestIdsMax,
    int consoleSessionIdleMinutesMax,
    int consoleSessionMinutesMax,
    int consoleSessionsMax,
    int consoleLinkSecondsMax,
    int consoleRefusalsPerMinuteMax,
    int inFlightHeapPercentMax) {
  public static final GatewayLimits DEFAULT =
      new GatewayLimits(
          10L << 20,
          256,
          8 << 10,
          30_000,
          5_000,
          30_000,
          10L << 20,
          10,
          1_000,
          100,
          200,
          100,
          100_000,
          32,
          60_000,
          4_096,
          3_600_000,
          30_000,
          10_000,
          1_800_000,
          45_000,
          60_000,
          86_400_000,
          3_600_000,
          512 << 10,
          100,
          10_000,
          16,
          10_000,
          256,
          256,
          32,
          10_000,
          256 << 10,
          512 << 10,
          512 << 10,
          300,
          300,
          10,
          64 << 10,
          64,
          1_000_000,
          60_000,
          2_000,
          15_000,
          600_000,
          300_000,
          1 << 20,
          100_000,
          1L << 30,
          300_000,
          300_000,
          100,
          480,
          1_440,
          1_000,
          60,
          10,
          60);
}
