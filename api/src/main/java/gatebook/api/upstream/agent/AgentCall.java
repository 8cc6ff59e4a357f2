package gatebook.api.upstream.agent;

import gatebook.api.dialect.A2aMethod;
import gatebook.api.dialect.A2aMethod.VersionedMethod;
import gatebook.api.dialect.A2aTaskState;
import gatebook.api.rpc.ObjectMembers;
import gatebook.api.upstream.Retries.BeforeAttempt;
import gatebook.api.upstream.Upstream.Call;
import gatebook.api.upstream.Upstream.Ended;
import gatebook.api.upstream.Upstream.MessageListener;
import gatebook.api.upstream.Upstream.Response;
import gatebook.api.upstream.agent.client.AgentCallOptions;
import gatebook.api.upstream.agent.client.AgentCard;
import gatebook.api.upstream.agent.client.AgentClient;
import gatebook.api.upstream.agent.client.AgentEndpoint;
import gatebook.api.upstream.agent.client.AgentFailure;
import gatebook.api.upstream.agent.client.AgentFailure.InvalidResponse;
import gatebook.api.upstream.agent.client.AgentHeaders;
import gatebook.api.upstream.agent.client.AgentItem;
import gatebook.api.upstream.agent.client.AgentOutcome;
import gatebook.api.upstream.agent.client.AgentOutcome.Failed;
import gatebook.api.upstream.agent.client.AgentOutcome.Success;
import gatebook.api.upstream.agent.client.Attempt;
import gatebook.api.upstream.agent.client.RequestTime;
import gatebook.api.upstream.agent.client.StreamEnd;
import gatebook.events.fault.Unsupported.UnsupportedOperation;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** One call of an agent, with its retries: speaks the version of the agent's card. */
final class AgentCall {
  private final AgentClient agentClient;
  private final AgentFaults faults;
  private final Call call;
  private final MessageListener listener;
  private final BeforeAttempt before;
  private final CompletableFuture<Response> response;
  private final Runnable forgetCard;
  private final AttemptMeter meter;
  private final RequestTime time = RequestTime.start();
  private final AtomicInteger attempts = new AtomicInteger(1);

  /**
   * A call that is not sent yet.
   *
   * @param listener receives the items of a stream
   * @param response the call is cancelled when it is done
   * @param forgetCard runs when the agent no longer speaks as its card says
   * @param meter measures each attempt
   */
  AgentCall(
      AgentClient agentClient,
      AgentFaults faults,
      Call call,
      MessageListener listener,
      BeforeAttempt before,
      CompletableFuture<Response> response,
      Runnable forgetCard,
      AttemptMeter meter) {
    this.agentClient = agentClient;
    this.faults = faults;
    this.call = call;
    this.listener = listener;
    this.before = before;
    this.response = response;
    this.forgetCard = forgetCard;
    this.meter = meter;
  }

  CompletableFuture<Ended> start(AgentOutcome<AgentCard> outcome) {
    if (response.isDone()) {
      return done(failed(new AgentFailure.InternalError("the call was cancelled")));
    }
    return switch (outcome) {
      case Failed<AgentCard>(var failure) -> done(failed(failure));
      case Success<AgentCard>(var card) ->
          agentClient
              .endpoint(card)
              .map(endpoint -> send(endpoint, card))
              .orElseGet(() ->
                  done(
                      failed(
                          new InvalidResponse("the card names no version that is spoken here"))));
    };
  }

  private CompletableFuture<Ended> send(AgentEndpoint to, AgentCard card) {
    VersionedMethod named = A2aMethod.of(call.method()).orElse(null);
    if (named == null || named.method().wireName(to.version()).isEmpty()) {
      return done(unsupported("the agent speaks version " + to.version().text()));
    }
    AgentTranslation there = new AgentTranslation(named.version(), to.version());
    AgentTranslation back = new AgentTranslation(to.version(), named.version());
    AgentTranslation.Params params = there.params(call.params()).orElse(null);
    if (params == null) {
      return done(unsupported("the agent speaks version " + to.version().text()));
    }
    return switch (named.method()) {
      case SEND ->
          ended(
              agentClient.sendMessage(to, params.json(), params.sendMode(), options(to)),
              item -> result(item, back.item(item), hasFailed(item.state())));
      case GET ->
          ended(
              agentClient.getTask(to, params.json(), options(to)),
              item -> result(item, back.task(item), false));
      case CANCEL ->
          ended(
              agentClient.cancelTask(to, params.json(), options(to)),
              item -> result(item, back.task(item), false));
      case LIST ->
          ended(
              agentClient.listTasks(to, params.json(), options(to)),
              page -> new Ended.Result(page.result(), false));
      case STREAM, SUBSCRIBE ->
          card.capabilities().streaming()
              ? streamed(named.method(), to, params.json(), back)
              : done(unsupported("the agent has no streams"));
      case CREATE_PUSH, GET_PUSH, LIST_PUSH, DELETE_PUSH, EXTENDED_CARD ->
          done(unsupported("it goes to no agent"));
    };
  }

  private CompletableFuture<Ended> streamed(
      A2aMethod method, AgentEndpoint to, String params, AgentTranslation back) {
    RelayedItems items =
        new RelayedItems(to.version(), back, listener, item -> untranslatable(item.state()));
    CompletableFuture<AgentOutcome<StreamEnd>> pending =
        method.sendsMessage()
            ? agentClient.sendStreamingMessage(to, params, items, options(to))
            : agentClient.subscribeToTask(to, params, items, options(to));
    CompletableFuture<Ended> ended =
        ended(pending, end -> items.end(end, method.sendsMessage() && hasFailed(end.state())));
    CompletableFuture<Ended> first = items.stopped().applyToEither(ended, it -> it);
    CompletableFuture<Ended> _ = first.whenComplete((_, _) -> pending.cancel(false));
    return first;
  }

  private <T> CompletableFuture<Ended> ended(
      CompletableFuture<AgentOutcome<T>> pending, Function<T, Ended> toEnded) {
    CompletableFuture<Response> _ = response.whenComplete((_, _) -> pending.cancel(false));
    return pending.thenApply(outcome ->
        switch (outcome) {
          case Success<T>(var value) -> toEnded.apply(value);
          case Failed<T>(var failure) -> failed(failure);
        });
  }

  /** Only the answer to a message says that its task failed: reading a task succeeds. */
  private static boolean hasFailed(@Nullable A2aTaskState state) {
    return state == A2aTaskState.FAILED || state == A2aTaskState.REJECTED;
  }

  private Ended result(AgentItem item, Optional<String> json, boolean taskFailed) {
    return json.<Ended>map(text -> new Ended.Result(text, taskFailed))
        .orElseGet(() -> untranslatable(item.state()));
  }

  private Ended untranslatable(@Nullable A2aTaskState state) {
    return state == A2aTaskState.UNKNOWN
        ? unsupported("version 1.0 has no word for the state of the task")
        : failed(new InvalidResponse("the answer has no counterpart in the other version"));
  }

  private Ended failed(AgentFailure failure) {
    if (AgentFaults.contradictsCard(failure)) {
      forgetCard.run();
    }
    return faults.ended(
        failure, new AgentFaults.FailedRequest(call.method(), taskId(), attempts.get()));
  }

  private @Nullable String taskId() {
    ObjectMembers members = call.members();
    return members.text("id").or(() -> members.members("message").text("taskId")).orElse(null);
  }

  private Ended unsupported(String reason) {
    return new Ended.Failure(new UnsupportedOperation(call.method(), reason));
  }

  /** The options of fetching the card for this call: others get the same card. */
  AgentCallOptions cardOptions() {
    return new AgentCallOptions(
        Map.of(), new MeteredAttempts(meter, false, this::onAttempt), time, _ -> {});
  }

  private AgentCallOptions options(AgentEndpoint to) {
    return new AgentCallOptions(
        AgentHeaders.of(call.headers(), to.version()),
        new MeteredAttempts(meter, true, this::onAttempt),
        time,
        listener::onExtensions);
  }

  private CompletableFuture<Boolean> onAttempt(Attempt attempt) {
    if (attempt.nextMillis() == null) {
      return CompletableFuture.completedFuture(true);
    }
    int next = attempts.get() + 1;
    return before
        .record(next, AgentFaults.classified(attempt.failure()))
        .thenApply(mayRetry -> {
          if (mayRetry) {
            attempts.set(next);
          }
          return mayRetry;
        });
  }

  private static CompletableFuture<Ended> done(Ended ended) {
    return CompletableFuture.completedFuture(ended);
  }
}
