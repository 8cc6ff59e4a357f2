package gatebook.api.a2a.upstream;

import gatebook.api.a2a.message.A2aMeters;
import gatebook.api.a2a.message.A2aRequest.ListTasks;
import gatebook.api.a2a.message.AgentAnswerIds;
import gatebook.api.a2a.message.AgentTaskJson;
import gatebook.api.a2a.message.RequestContext;
import gatebook.api.a2a.upstream.AgentTaskOwners.OwnAgentTasks;
import gatebook.api.dialect.A2aTaskState;
import gatebook.api.dialect.A2aVersion;
import gatebook.api.gateway.ViewReader;
import gatebook.api.gateway.message.CallerTasks;
import gatebook.api.gateway.message.CommandResult;
import gatebook.api.rpc.JsonType;
import gatebook.api.upstream.FutureList;
import gatebook.api.upstream.Upstream.Ended;
import gatebook.command.call.TaskId;
import gatebook.command.call.task.TaskStatus;
import gatebook.command.call.task.TaskStatus.Known;
import gatebook.events.fault.Fault;
import gatebook.events.fault.Misdirected.InvalidParams;
import gatebook.events.fault.Problem;
import gatebook.events.fault.ServerFault.Cause;
import gatebook.events.fault.ServerFault.ServiceUnavailable;
import gatebook.query.calls.CallTaskCursor;
import gatebook.query.calls.CallTaskPage;
import gatebook.query.calls.CallTaskState;
import gatebook.query.calls.ListCallTasks;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Lists the tasks of one caller: the view finds them, and the journal has each. */
public final class AgentTaskLists {
  private static final int NUMBER_CHARS = 16;
  private static final Pattern TOKEN = Pattern.compile("[0-9a-f]{%d}".formatted(2 * NUMBER_CHARS));
  private static final HexFormat HEX = HexFormat.of();
  private static final Fault NO_VIEWS = new ServiceUnavailable(Cause.SHUTTING_DOWN, null);

  private final ViewReader viewReader;
  private final InstantSource clock;
  private final A2aMeters meters;

  public AgentTaskLists(ViewReader viewReader, InstantSource clock, A2aMeters meters) {
    this.viewReader = viewReader;
    this.clock = clock;
    this.meters = meters;
  }

  /** The tasks of the caller, the latest status first. */
  public CompletableFuture<Ended> list(ListTasks request, RequestContext context) {
    String pageToken = request.pageToken();
    Optional<CallTaskCursor> after = Optional.ofNullable(pageToken).flatMap(AgentTaskLists::cursor);
    if (pageToken != null && after.isEmpty()) {
      return done(new Ended.Failure(unknownToken()));
    }
    if (hasNone(request)) {
      return done(page(request, List.of(), Optional.empty(), 0));
    }
    return found(query(request, context.answerContext().principal(), Optional.empty(), after))
        .thenCompose(found ->
            found
                .map(it -> read(it, request, context))
                .orElseGet(() -> done(new Ended.Failure(NO_VIEWS))));
  }

  /**
   * Held messages to an agent upstream.
   *
   * @param fault why there are none; absent mostly
   */
  record HeldTasks(List<HeldTask> tasks, boolean hasMore, @Nullable Fault fault) {
    static final HeldTasks NONE = new HeldTasks(List.of(), false, null);

    private static HeldTasks unlisted(Fault fault) {
      return new HeldTasks(List.of(), false, fault);
    }
  }

  /**
   * A held message, which is a task.
   *
   * @param cursor of a page that begins after it
   */
  record HeldTask(String id, String json, Instant changedAt, CallTaskCursor cursor) {}

  /**
   * The caller's held messages to an agent upstream that it has not answered with a task, the
   * latest status first.
   */
  CompletableFuture<HeldTasks> held(
      String agent, ListTasks request, OwnAgentTasks owners, Optional<CallTaskCursor> after) {
    return hasNone(request)
        ? CompletableFuture.completedFuture(HeldTasks.NONE)
        : found(query(request, owners.principal(), Optional.of(agent), after))
            .thenCompose(found ->
                found
                    .map(page -> held(page, request, owners))
                    .orElseGet(
                        () -> CompletableFuture.completedFuture(HeldTasks.unlisted(NO_VIEWS))));
  }

  private static CompletableFuture<HeldTasks> held(
      CallTaskPage page, ListTasks request, OwnAgentTasks owners) {
    return statuses(page, owners::status)
        .thenApply(found ->
            switch (found) {
              case CommandResult.Stored<List<TaskStatus>>(var statuses) ->
                  new HeldTasks(held(page, statuses, request), page.next().isPresent(), null);
              case CommandResult.Refused<List<TaskStatus>> _ ->
                  HeldTasks.unlisted(OwnedIds.UNRECORDED);
            });
  }

  private static List<HeldTask> held(
      CallTaskPage page, List<TaskStatus> statuses, ListTasks request) {
    return IntStream.range(0, statuses.size())
        .boxed()
        .flatMap(i -> held(statuses.get(i), page.tasks().get(i).cursor(), request).stream())
        .toList();
  }

  /** Empty for one that has become a task of the agent since the view found it. */
  private static Optional<HeldTask> held(
      TaskStatus status, CallTaskCursor cursor, ListTasks request) {
    return AgentAnswerIds.answered(status).isPresent()
        ? Optional.empty()
        : known(status, request)
            .map(known ->
                new HeldTask(
                    known.task().taskId(),
                    json(known, A2aVersion.V1_0, request),
                    known.changedAt(),
                    cursor));
  }

  /** Whether the wanted state is one that no task here has. */
  private static boolean hasNone(ListTasks request) {
    return request.state() != null && state(request.state()).isEmpty();
  }

  private static Fault unknownToken() {
    return new InvalidParams(
        List.of(
            new Problem(
                "pageToken",
                null,
                "the nextPageToken of another page",
                JsonType.STRING,
                List.of())));
  }

  /** A state that no task of the built-in agent has is that of none. */
  private static Optional<CallTaskState> state(A2aTaskState state) {
    return switch (state) {
      case SUBMITTED -> Optional.of(CallTaskState.WAITING);
      case WORKING -> Optional.of(CallTaskState.WORKING);
      case COMPLETED -> Optional.of(CallTaskState.COMPLETED);
      case FAILED -> Optional.of(CallTaskState.FAILED);
      case REJECTED -> Optional.of(CallTaskState.DENIED);
      case CANCELED -> Optional.of(CallTaskState.CANCELLED);
      case INPUT_REQUIRED, AUTH_REQUIRED, UNKNOWN -> Optional.empty();
    };
  }

  private ListCallTasks query(
      ListTasks request, String principal, Optional<String> agent, Optional<CallTaskCursor> after) {
    return new ListCallTasks(
        principal,
        agent,
        Optional.ofNullable(request.contextId()),
        Optional.ofNullable(request.state()).flatMap(AgentTaskLists::state),
        Optional.ofNullable(request.statusAfter()),
        clock.instant(),
        request.pageSize(),
        after);
  }

  /** Empty when there are no views, or they are not up to date. */
  private CompletableFuture<Optional<CallTaskPage>> found(ListCallTasks query) {
    return viewReader
        .send(query, CallTaskPage.class)
        .thenApply(found -> found.filter(page -> page.reached().upToDate()));
  }

  private CompletableFuture<Ended> read(
      CallTaskPage found, ListTasks request, RequestContext context) {
    return CallerTasks.ended(
        meters.countedReads(statuses(found, context.answerContext().tasks()::status)),
        statuses ->
            page(
                request,
                statuses.stream()
                    .flatMap(status -> task(status, request, context).stream())
                    .toList(),
                found.next(),
                found.total()));
  }

  private static CompletableFuture<CommandResult<List<TaskStatus>>> statuses(
      CallTaskPage page, Function<TaskId, CompletableFuture<CommandResult<TaskStatus>>> reader) {
    return FutureList.all(
            page.taskIds().stream()
                .map(id -> reader.apply(TaskId.parse(id).orElseThrow()))
                .toList())
        .thenApply(CommandResult::all);
  }

  /** Empty when the task has left the state, or has expired, since the view found it. */
  private static Optional<String> task(
      TaskStatus status, ListTasks request, RequestContext context) {
    return known(status, request).map(known -> json(known, context.version(), request));
  }

  private static Optional<Known> known(TaskStatus status, ListTasks request) {
    return status instanceof Known known
            && (request.state() == null || request.state() == AgentTaskJson.state(known))
        ? Optional.of(known)
        : Optional.empty();
  }

  private static String json(Known known, A2aVersion version, ListTasks request) {
    return AgentTaskJson.of(known, version, request.historyLength(), request.includesArtifacts());
  }

  private static Ended page(
      ListTasks request, List<String> tasks, Optional<CallTaskCursor> next, long total) {
    return new Ended.Result(
        AgentTaskJson.page(
            tasks,
            next.map(AgentTaskLists::token).orElse(""),
            String.valueOf(request.pageSize()),
            total),
        false);
  }

  static String token(CallTaskCursor cursor) {
    return HEX.toHexDigits(cursor.changedNanos()) + HEX.toHexDigits(cursor.position());
  }

  static Optional<CallTaskCursor> cursor(String token) {
    return TOKEN.matcher(token).matches()
        ? Optional.of(
            new CallTaskCursor(
                HexFormat.fromHexDigitsToLong(token, 0, NUMBER_CHARS),
                HexFormat.fromHexDigitsToLong(token, NUMBER_CHARS, 2 * NUMBER_CHARS)))
        : Optional.empty();
  }

  private static CompletableFuture<Ended> done(Ended ended) {
    return CompletableFuture.completedFuture(ended);
  }
}
