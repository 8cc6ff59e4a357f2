package gatebook.api.a2a;

import gatebook.api.a2a.A2aAgent.RequestContext;
import gatebook.api.a2a.A2aRequest.ListTasks;
import gatebook.api.dialect.A2aTaskState;
import gatebook.api.upstream.Upstream.Ended;
import gatebook.command.axon.CommandConfiguration;
import gatebook.command.call.TaskId;
import gatebook.command.call.TaskStatus;
import gatebook.command.call.TaskStatus.Known;
import gatebook.events.fault.Fault;
import gatebook.events.fault.Misdirected.InvalidParams;
import gatebook.events.fault.Problem;
import gatebook.events.fault.ServerFault.Cause;
import gatebook.events.fault.ServerFault.ServiceUnavailable;
import gatebook.query.ViewQueries;
import gatebook.query.calls.CallTaskCursor;
import gatebook.query.calls.CallTaskPage;
import gatebook.query.calls.CallTaskState;
import gatebook.query.calls.ListCallTasks;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Lists the tasks of one caller: the view finds them, and the journal has each. */
final class AgentTaskLists {
  private static final int NUMBER_CHARS = 16;
  private static final Pattern TOKEN = Pattern.compile("[0-9a-f]{%d}".formatted(2 * NUMBER_CHARS));
  private static final HexFormat HEX = HexFormat.of();
  private static final Fault NO_VIEWS = new ServiceUnavailable(Cause.SHUTTING_DOWN, null);

  private final Supplier<Optional<ViewQueries>> viewQueries;
  private final InstantSource clock;

  /**
   * @param viewQueries empty in a process that has no views
   */
  AgentTaskLists(Supplier<Optional<ViewQueries>> viewQueries, InstantSource clock) {
    this.viewQueries = viewQueries;
    this.clock = clock;
  }

  /** The tasks of the caller, the latest status first. */
  CompletableFuture<Ended> list(ListTasks request, RequestContext context) {
    String pageToken = request.pageToken();
    Optional<CallTaskCursor> after = Optional.ofNullable(pageToken).flatMap(AgentTaskLists::cursor);
    if (pageToken != null && after.isEmpty()) {
      return done(new Ended.Failure(unknownToken()));
    }
    Optional<CallTaskState> state =
        Optional.ofNullable(request.state()).flatMap(AgentTaskLists::state);
    if (request.state() != null && state.isEmpty()) {
      return done(page(request, List.of(), Optional.empty(), 0));
    }
    return CompletableFuture.supplyAsync(
            () -> found(query(request, state, after, context)),
            CommandConfiguration.OFF_THE_SENDERS_THREAD)
        .thenCompose(found ->
            found == null || !found.reached().upToDate()
                ? done(new Ended.Failure(NO_VIEWS))
                : read(found, request, context));
  }

  private static Fault unknownToken() {
    return new InvalidParams(
        List.of(
            new Problem("pageToken", null, "the nextPageToken of another page", null, List.of())));
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
      ListTasks request,
      Optional<CallTaskState> state,
      Optional<CallTaskCursor> after,
      RequestContext context) {
    return new ListCallTasks(
        context.answerContext().principal(),
        Optional.ofNullable(request.contextId()),
        state,
        Optional.ofNullable(request.statusAfter()),
        clock.instant(),
        request.pageSize(),
        after);
  }

  /** Absent when there are no views. */
  private @Nullable CallTaskPage found(ListCallTasks query) {
    ViewQueries views = viewQueries.get().orElse(null);
    try {
      return views == null ? null : views.send(query, CallTaskPage.class);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return null;
    }
  }

  private static CompletableFuture<Ended> read(
      CallTaskPage found, ListTasks request, RequestContext context) {
    List<TaskId> tasks = found.taskIds().stream().flatMap(id -> TaskId.parse(id).stream()).toList();
    return context
        .answerContext()
        .tasks()
        .statuses(
            tasks,
            statuses ->
                page(
                    request,
                    statuses.stream()
                        .flatMap(status -> task(status, request, context).stream())
                        .toList(),
                    found.next(),
                    found.total()));
  }

  /** Empty when the task has left the state, or has expired, since the view found it. */
  private static Optional<String> task(
      TaskStatus status, ListTasks request, RequestContext context) {
    return Stream.of(status)
        .filter(Known.class::isInstance)
        .map(Known.class::cast)
        .filter(known -> request.state() == null || request.state() == AgentTaskJson.state(known))
        .map(known ->
            AgentTaskJson.of(
                known, context.version(), request.historyLength(), request.includesArtifacts()))
        .findFirst();
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

  private static String token(CallTaskCursor cursor) {
    return HEX.toHexDigits(cursor.changedNanos()) + HEX.toHexDigits(cursor.position());
  }

  private static Optional<CallTaskCursor> cursor(String token) {
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
