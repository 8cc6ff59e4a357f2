package gatebook.api.upstream.agent.client;

import gatebook.api.dialect.A2aTaskState;
import gatebook.api.dialect.A2aVersion;
import gatebook.api.upstream.agent.client.AgentOutcome.Failed;
import gatebook.api.upstream.agent.client.AgentOutcome.Success;
import gatebook.api.upstream.http.ExchangeResult;
import gatebook.api.upstream.http.ExchangeResult.Answered;
import gatebook.api.upstream.http.ExchangeResult.Broken;
import gatebook.api.upstream.http.ExchangeResult.Defect;
import gatebook.api.upstream.http.SseListener;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** One stream of an agent: passes its items on in order, until the last one or a violation. */
final class AgentStream implements SseListener {

  /** Closes the connection. */
  private static final CompletableFuture<Boolean> STOP =
      CompletableFuture.failedFuture(new CancellationException("the stream is not read further"));

  private static final Set<Defect> ENDS =
      EnumSet.of(Defect.STREAM_WITHOUT_ANSWER, Defect.CLOSED_IN_BODY);

  private final AgentRequest request;
  private final String id;
  private final AnswerReader answerReader;
  private final AgentLimits limits;
  private final AgentStreamListener listener;

  /** Completes when the listener has taken all items so far. */
  private volatile CompletableFuture<Boolean> lastTurn = GO_ON;

  private volatile Received received;
  private volatile @Nullable AgentFailure violation;
  private volatile boolean stopped;

  /**
   * What was received so far.
   *
   * @param taskId to which all items belong; absent while it is not known
   * @param complete whether the last item arrived
   */
  private record Received(
      long items,
      long bytes,
      @Nullable String taskId,
      @Nullable A2aTaskState state,
      boolean complete) {

    Received with(AgentItem item, int size, boolean isLast) {
      return new Received(
          items + 1,
          bytes + size,
          item.taskId() == null ? taskId : item.taskId(),
          item.state() == null ? state : item.state(),
          isLast);
    }

    boolean allows(AgentItem item) {
      return taskId == null || item.taskId() == null || taskId.equals(item.taskId());
    }

    /** Whether the task changes after its end, or a message comes after other items of 1.0. */
    boolean isOutOfOrder(AgentItem item, A2aVersion version) {
      boolean changesAfterEnd =
          state != null && state.isTerminal() && item.state() != null && item.state() != state;
      return changesAfterEnd
          || (version == A2aVersion.V1_0 && items > 0 && item.kind() == AgentItem.Kind.MESSAGE);
    }

    /** Whether an agent may close its stream now. */
    boolean mayEnd() {
      return complete || (state != null && (state.isTerminal() || state.isInterrupted()));
    }
  }

  AgentStream(
      AgentRequest request,
      String id,
      AnswerReader answerReader,
      AgentLimits limits,
      AgentStreamListener listener) {
    this.request = request;
    this.id = id;
    this.answerReader = answerReader;
    this.limits = limits;
    this.listener = listener;
    this.received =
        new Received(0, 0, request.method().sendsMessage() ? null : request.taskId(), null, false);
  }

  /** Takes events one after the other, although one read may bring several. */
  @Override
  public CompletableFuture<Boolean> take(Event event) {
    if (event.data().length == 0) {
      return GO_ON;
    }
    CompletableFuture<Boolean> turn = lastTurn.thenCompose(_ -> next(event.data()));
    lastTurn = turn;
    return turn;
  }

  /** Passes no further item on. */
  void stop() {
    stopped = true;
  }

  private CompletableFuture<Boolean> next(byte[] data) {
    if (stopped || received.complete) {
      return GO_ON;
    }
    return switch (checked(answerReader.item(data, request, id), data.length)) {
      case Success<AgentItem>(var item) -> deliver(item, data.length);
      case Failed<AgentItem>(var failure) -> {
        violation = failure;
        yield STOP;
      }
    };
  }

  private AgentOutcome<AgentItem> checked(AgentOutcome<AgentItem> read, int size) {
    if (!(read instanceof Success<AgentItem>(var item))) {
      return read;
    }
    if (received.items == limits.streamItemsMax()) {
      return AgentOutcome.invalid("the stream has too many items");
    }
    if (received.bytes + size > limits.streamBytesMax()) {
      return AgentOutcome.invalid("the stream is too large");
    }
    if (!received.allows(item)) {
      return AgentOutcome.invalid("an item of the stream belongs to another task");
    }
    return received.isOutOfOrder(item, request.version())
        ? AgentOutcome.invalid("the items of the stream are out of order")
        : read;
  }

  private CompletableFuture<Boolean> deliver(AgentItem item, int size) {
    boolean isLast = AgentItemReader.isLast(request.version(), item);
    received = received.with(item, size, isLast);
    return listener.onItem(item).thenApply(_ -> isLast);
  }

  /** The result of the stream after its exchange; fails when the stream was stopped here. */
  CompletableFuture<AttemptResult<StreamEnd>> result(ExchangeResult exchangeResult) {
    return switch (exchangeResult) {
      // the connection may be closed before the listener has taken the last item
      case Broken(Defect defect) when ENDS.contains(defect) -> lastTurn.thenApply(_ -> ended());
      case Answered _ when received.complete -> done(ended());
      case Answered answered -> single(answered);
      case ExchangeResult other -> done(inPart(AnswerReader.noResponse(other)));
    };
  }

  /** The result of a stream that was stopped here; fails when the agent is not to blame. */
  CompletableFuture<AttemptResult<StreamEnd>> stopped(Throwable reason) {
    AgentFailure failure = violation;
    return failure == null
        ? CompletableFuture.failedFuture(reason)
        : done(inPart(AttemptResult.failed(failure)));
  }

  /** A response that is no stream: an error, or the only item. */
  private CompletableFuture<AttemptResult<StreamEnd>> single(Answered answered) {
    int size = answered.body().length;
    AttemptResult<AgentItem> response =
        answerReader.response(
            answered,
            request,
            id,
            json -> checked(AgentItemReader.streamed(request.version(), json), size));
    return switch (response.outcome()) {
      case Success<AgentItem>(var item) -> deliver(item, size).thenApply(_ -> ended());
      case Failed<AgentItem>(var failure) -> done(AttemptResult.failed(failure));
    };
  }

  private AttemptResult<StreamEnd> ended() {
    Received all = received;
    return all.mayEnd()
        ? AttemptResult.of(AgentOutcome.success(new StreamEnd(all.items, all.state)))
        : inPart(AttemptResult.of(AgentOutcome.invalid("the stream ended before its task did")));
  }

  private <T> AttemptResult<T> inPart(AttemptResult<T> result) {
    return received.items == 0 ? result : result.answeredInPart();
  }

  private static <R> CompletableFuture<R> done(R result) {
    return CompletableFuture.completedFuture(result);
  }
}
