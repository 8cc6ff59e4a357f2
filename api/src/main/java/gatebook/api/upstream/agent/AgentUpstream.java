package gatebook.api.upstream.agent;

import static gatebook.api.rpc.JsonStrings.quoted;

import gatebook.api.dialect.A2aMethod;
import gatebook.api.dialect.A2aMethod.VersionedMethod;
import gatebook.api.dialect.A2aTaskState;
import gatebook.api.dialect.A2aVersion;
import gatebook.api.rpc.ObjectMembers;
import gatebook.api.upstream.Retries.BeforeAttempt;
import gatebook.api.upstream.Upstream;
import gatebook.api.upstream.agent.AgentFailure.ConnectionRefused;
import gatebook.api.upstream.agent.AgentFailure.HttpError;
import gatebook.api.upstream.agent.AgentFailure.InvalidResponse;
import gatebook.api.upstream.agent.AgentFailure.ServerError;
import gatebook.api.upstream.agent.AgentFailure.TaskNotFound;
import gatebook.api.upstream.agent.AgentFailure.Timeout;
import gatebook.api.upstream.agent.AgentOutcome.Failed;
import gatebook.api.upstream.agent.AgentOutcome.Success;
import gatebook.command.rules.Source;
import gatebook.events.fault.Fault;
import gatebook.events.fault.ServerFault;
import gatebook.events.fault.TaskFault;
import gatebook.events.fault.Unsupported.PushNotificationNotSupported;
import gatebook.events.fault.Unsupported.UnsupportedOperation;
import gatebook.events.fault.UpstreamFault.InvalidAgentResponse;
import gatebook.events.fault.UpstreamFault.UpstreamConnectionFailed;
import gatebook.events.fault.UpstreamFault.UpstreamError;
import gatebook.events.fault.UpstreamFault.UpstreamTimeout;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The upstream of an agent. Its card is fetched when it is first needed and remembered for some
 * time; it says which version the agent speaks. Callers may speak the other one.
 */
public final class AgentUpstream implements Upstream.Defined {

  /** How long a card is remembered, in milliseconds. */
  public static final long CARD_MILLIS_DEFAULT = 300_000;

  private static final int TASK_NOT_FOUND = -32001;
  private static final int TASK_NOT_CANCELABLE = -32002;
  private static final int PUSH_NOT_SUPPORTED = -32003;
  private static final int UNSUPPORTED_OPERATION = -32004;
  private static final int VERSION_NOT_SUPPORTED = -32009;
  private static final int METHOD_NOT_FOUND = -32601;

  private final Source definition;
  private final AgentClient agentClient;
  private final InstantSource clock;
  private final Duration cardAgeMax;
  private @Nullable FetchedCard fetchedCard;

  private record FetchedCard(Instant until, CompletableFuture<AgentOutcome<AgentCard>> outcome) {

    /** A card that could not be fetched is fetched again for the next call. */
    boolean isUsable(Instant now) {
      return !outcome.isDone()
          || (now.isBefore(until)
              && !outcome.isCompletedExceptionally()
              && outcome.join() instanceof Success<AgentCard>);
    }
  }

  /**
   * Fetches nothing yet.
   *
   * @param cardMillisMax how long the card is remembered
   */
  public AgentUpstream(
      Source definition, AgentClient agentClient, InstantSource clock, long cardMillisMax) {
    this.definition = definition;
    this.agentClient = agentClient;
    this.clock = clock;
    this.cardAgeMax = Duration.ofMillis(cardMillisMax);
  }

  @Override
  public Source definition() {
    return definition;
  }

  @Override
  public CompletableFuture<Response> call(Call call, MessageListener listener) {
    return call(call, listener, (_, _) -> CompletableFuture.completedFuture(true));
  }

  @Override
  public CompletableFuture<Response> call(
      Call call, MessageListener listener, BeforeAttempt before) {
    CompletableFuture<Response> response = new CompletableFuture<>();
    CompletableFuture<Void> _ =
        card()
            .thenCompose(card -> new AgentCall(call, before, response).start(card))
            .handle((ended, failure) -> {
              if (failure == null) {
                response.complete(ended);
              } else {
                response.completeExceptionally(failure);
              }
              return null;
            });
    return response;
  }

  /** The skills of the agent's card. */
  @Override
  public CompletableFuture<Listing> listTools() {
    return card()
        .thenApply(outcome ->
            switch (outcome) {
              case Success<AgentCard>(var card) ->
                  new Listing.Tools(card.skills().stream().map(AgentUpstream::tool).toList());
              case Failed<AgentCard>(var failure) ->
                  new Listing.Failed(new Ended.Failure(fault(failure, 1)));
            });
  }

  private static Tool tool(AgentCard.Skill skill) {
    return new Tool(
        skill.id(),
        "{\"name\":%s,\"title\":%s,\"description\":%s}"
            .formatted(quoted(skill.id()), quoted(skill.name()), quoted(skill.description())));
  }

  private synchronized CompletableFuture<AgentOutcome<AgentCard>> card() {
    Instant now = clock.instant();
    if (fetchedCard == null || !fetchedCard.isUsable(now)) {
      fetchedCard =
          new FetchedCard(now.plus(cardAgeMax), agentClient.fetchCard(AgentCallOptions.NONE));
    }
    return fetchedCard.outcome;
  }

  /** Has the card fetched again: the agent no longer speaks as it says. */
  private synchronized void forgetCard() {
    fetchedCard = null;
  }

  private Fault fault(AgentFailure failure, int attempts) {
    return switch (failure) {
      case ConnectionRefused(var reason) ->
          new UpstreamConnectionFailed(source(), endpoint(), reason, attempts);
      case Timeout(long millis) -> new UpstreamTimeout(source(), endpoint(), millis);
      case HttpError(int status, _) ->
          new UpstreamError(source(), null, words(failure), null, status);
      case InvalidResponse(var defect) -> new InvalidAgentResponse(source(), defect);
      case TaskNotFound(var id) when id != null -> new TaskFault.TaskNotFound(id);
      case TaskNotFound _ ->
          new UpstreamError(source(), TASK_NOT_FOUND, words(failure), null, null);
      case ServerError(int code, _) ->
          new UpstreamError(source(), code, words(failure), null, null);
      case AgentFailure.InternalError(var reason) ->
          new ServerFault.InternalError("calling an agent", reason);
    };
  }

  private static String words(@Nullable AgentFailure failure) {
    return switch (failure) {
      case ConnectionRefused(var reason) -> reason;
      case Timeout(long millis) -> "no response within %d ms".formatted(millis);
      case HttpError(int status, _) -> "the response has the status %d".formatted(status);
      case InvalidResponse(var defect) -> defect;
      case TaskNotFound _ -> "the agent does not know a task";
      case ServerError(int code, _) -> "the agent answered with the error %d".formatted(code);
      case AgentFailure.InternalError(var reason) -> reason;
      case null -> "unknown";
    };
  }

  /** One call of the agent, with its repeats. */
  private final class AgentCall {
    private final Call call;
    private final BeforeAttempt before;
    private final CompletableFuture<Response> response;
    private final ObjectMembers members;
    private final AtomicInteger attempts = new AtomicInteger(1);

    AgentCall(Call call, BeforeAttempt before, CompletableFuture<Response> response) {
      this.call = call;
      this.before = before;
      this.response = response;
      this.members = call.members();
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
                .map(this::send)
                .orElseGet(() ->
                    done(
                        failed(
                            new InvalidResponse("the card names no version that is spoken here"))));
      };
    }

    private CompletableFuture<Ended> send(AgentEndpoint to) {
      VersionedMethod named = A2aMethod.of(call.method()).orElse(null);
      if (named == null || named.method().wireName(to.version()).isEmpty()) {
        return done(unsupported("the agent speaks version " + to.version().text()));
      }
      A2aVersion version = named.version();
      AgentTranslation there = new AgentTranslation(version, to.version());
      AgentTranslation back = new AgentTranslation(to.version(), version);
      AgentTranslation.Params params = there.params(call.params()).orElse(null);
      if (params == null) {
        return done(unsupported("the agent speaks version " + to.version().text()));
      }
      return switch (named.method()) {
        case SEND ->
            ended(
                agentClient.sendMessage(to, params.json(), params.sendMode(), options()),
                item -> result(item, back.sent(item), hasFailed(item)));
        case GET ->
            ended(
                agentClient.getTask(to, params.json(), options()),
                item -> result(item, back.task(item), false));
        case CANCEL ->
            ended(
                agentClient.cancelTask(to, params.json(), options()),
                item -> result(item, back.task(item), false));
        case LIST ->
            ended(
                agentClient.listTasks(to, params.json(), options()),
                page -> new Ended.Result(page.result(), false));
        case STREAM, SUBSCRIBE -> done(unsupported("responses are no streams"));
        case CREATE_PUSH, GET_PUSH, LIST_PUSH, DELETE_PUSH, EXTENDED_CARD ->
            done(unsupported("it goes to no agent"));
      };
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
    private static boolean hasFailed(AgentItem item) {
      return item.state() == A2aTaskState.FAILED || item.state() == A2aTaskState.REJECTED;
    }

    private Ended result(AgentItem item, Optional<String> json, boolean taskFailed) {
      if (json.isPresent()) {
        return new Ended.Result(json.get(), taskFailed);
      }
      return item.state() == A2aTaskState.UNKNOWN
          ? unsupported("version 1.0 has no word for the state of the task")
          : failed(new InvalidResponse("the answer has no counterpart in the other version"));
    }

    private Ended failed(AgentFailure failure) {
      return switch (failure) {
        case ServerError(int code, _) when code == TASK_NOT_CANCELABLE && taskId() != null ->
            new Ended.Failure(new TaskFault.TaskNotCancelable(taskId(), null));
        case ServerError(int code, _) when code == PUSH_NOT_SUPPORTED ->
            new Ended.Failure(new PushNotificationNotSupported());
        case ServerError(int code, _) when code == UNSUPPORTED_OPERATION ->
            unsupported("the agent refused it");
        case ServerError(int code, var message) -> {
          if (code == VERSION_NOT_SUPPORTED || code == METHOD_NOT_FOUND) {
            forgetCard();
          }
          yield new Ended.ForeignError(source(), code, message, null, null);
        }
        case AgentFailure other -> new Ended.Failure(fault(other, attempts.get()));
      };
    }

    private @Nullable String taskId() {
      return members.text("id").or(() -> members.members("message").text("taskId")).orElse(null);
    }

    private Ended unsupported(String reason) {
      return new Ended.Failure(new UnsupportedOperation(call.method(), reason));
    }

    private AgentCallOptions options() {
      return new AgentCallOptions(call.headers(), this::onAttempt);
    }

    private CompletableFuture<Boolean> onAttempt(Attempt attempt) {
      if (attempt.nextMillis() == null) {
        return CompletableFuture.completedFuture(true);
      }
      int next = attempt.number() + 1;
      return before
          .record(next, words(attempt.failure()))
          .thenApply(mayRepeat -> {
            attempts.set(mayRepeat ? next : attempt.number());
            return mayRepeat;
          });
    }
  }

  private static CompletableFuture<Ended> done(Ended ended) {
    return CompletableFuture.completedFuture(ended);
  }
}
