package gatebook.api.border;

import gatebook.api.rpc.Answer;
import gatebook.api.rpc.Message;
import gatebook.api.upstream.Upstream.Response;
import gatebook.command.Tongue;
import gatebook.command.gate.Source;
import gatebook.command.receive.Aim;
import gatebook.command.receive.ReceiveCall;
import gatebook.command.receive.Reception;
import gatebook.command.refuse.RefuseMessage;
import gatebook.command.settle.SettleCall;
import gatebook.command.settle.SettleCall.Ending;
import gatebook.command.settle.Settlement;
import gatebook.events.CallAnswered;
import gatebook.events.call.Principal;
import gatebook.events.call.Told;
import gatebook.events.fault.Fault;
import gatebook.events.fault.ServerFault.Cause;
import gatebook.events.fault.ServerFault.InternalError;
import gatebook.events.fault.ServerFault.ServiceUnavailable;
import gatebook.events.fault.UpstreamFault.UpstreamTimeout;
import gatebook.events.journal.Append;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One message's way across the border. Each step begins when the one before is durable, and no
 * thread waits in between.
 */
final class Passage {

  private static final Logger LOG = LoggerFactory.getLogger(Passage.class);

  /** What is kept of a method's name; no method is called so. */
  private static final int METHOD_CHARS_MAX = 1_024;

  private static final int ACCEPTED = 202;
  private static final int OK = 200;
  private static final int UNAVAILABLE = 503;

  private final Border.Tools tools;
  private final Methods methods;
  private final Principal principal;
  private final Incoming incoming;
  private final Names names;
  private final Instant receivedAt;

  /** How far the call has come, for whoever has to close it when something unforeseen happens. */
  private volatile Progress progress = new Progress(false, null, 0);

  private record Progress(boolean received, @Nullable String target, int attempts) {}

  /** What both kinds of calls have; {@code id} is absent when no answer is wanted. */
  private record Call(@Nullable String id, String method, @Nullable String params) {}

  Passage(
      Border.Tools tools, Methods methods, Principal principal, Incoming incoming, Names names) {
    this.tools = tools;
    this.methods = methods;
    this.principal = principal;
    this.incoming = incoming;
    this.names = names;
    this.receivedAt = tools.clock().instant();
  }

  CompletableFuture<Reply> reply() {
    return neverFailing(guarded(this::serve));
  }

  /** The reply to a message of which so little could be taken in that it is none. */
  CompletableFuture<Reply> failed(Throwable failure) {
    return neverFailing(CompletableFuture.failedFuture(failure));
  }

  private CompletableFuture<Reply> neverFailing(CompletableFuture<Reply> reply) {
    return reply
        .exceptionallyCompose(this::unforeseen)
        .exceptionally(failure -> unrecorded(internal(failure)));
  }

  private CompletableFuture<Reply> serve() {
    return switch (incoming.message()) {
      case Message.Request(var id, var method, var params) ->
          receive(new Call(id, shortened(method), params));
      case Message.Notification(var method, var params) ->
          receive(new Call(null, shortened(method), params));
      case Message.Unreadable(var fault, var id) -> refuse(fault, id);
    };
  }

  private CompletableFuture<Reply> receive(Call call) {
    Aim aim = methods.aim(call.method, call.params, names.dialectVersion());
    return tools
        .decisions()
        .of(command(call, aim), Reception.class)
        .thenCompose(recorded ->
            switch (recorded) {
              case Recorded.Not<Reception>(var refusal) -> done(unrecorded(unavailable(refusal)));
              case Recorded.Done<Reception>(var reception) -> received(call, aim, reception);
            });
  }

  private ReceiveCall command(Call call, Aim aim) {
    return new ReceiveCall(
        names.callId(),
        names.correlationId(),
        names.traceId(),
        tongue(),
        incoming.transport(),
        receivedAt,
        call.method,
        call.id,
        principal,
        aim,
        methods.arguments(call.method, call.params).map(tools.keeper()::keep).orElse(null));
  }

  private CompletableFuture<Reply> received(Call call, Aim aim, Reception reception) {
    String target = aim instanceof Aim.Act(var name) ? name : null;
    progress = new Progress(true, target, 0);
    return switch (reception) {
      case Reception.Refused(var fault, var told, var denial) -> {
        if (denial != null) {
          tools.errors().denied(fault, denial);
        }
        yield done(told(fault, told));
      }
      case Reception.Admitted() -> answerHere(call);
      case Reception.Forwarded(var source) -> forward(call, target, source);
    };
  }

  private CompletableFuture<Reply> answerHere(Call call) {
    if (call.id == null) {
      return done(accepted());
    }
    String result = methods.answer(call.method, call.params);
    return settle(call, new Response.Result(result, false), null);
  }

  private CompletableFuture<Reply> forward(Call call, @Nullable String target, Source source) {
    progress = new Progress(true, target, 1);
    Instant sentAt = tools.clock().instant();
    CompletableFuture<Reply> settled =
        guarded(() -> tools.upstream().call(call.method, call.params))
            .orTimeout(source.timeoutMillis(), TimeUnit.MILLISECONDS)
            .exceptionally(failure -> tooLate(failure, source))
            .thenCompose(response -> settle(call, response, millisSince(sentAt)));
    return call.id == null ? notWaitingFor(settled) : settled;
  }

  /** A notification is acknowledged when it is recorded; what comes of it is recorded later. */
  private CompletableFuture<Reply> notWaitingFor(CompletableFuture<Reply> settled) {
    CompletableFuture<Reply> _ = neverFailing(settled); // nobody waits for it
    return done(accepted());
  }

  private static Response tooLate(Throwable failure, Source source) {
    if (failure instanceof TimeoutException) {
      return new Response.Failure(
          new UpstreamTimeout(source.id(), source.endpoint(), source.timeoutMillis()));
    }
    throw new CompletionException(failure);
  }

  private CompletableFuture<Reply> settle(
      Call call, Response response, @Nullable Long upstreamMillis) {
    return switch (response) {
      case Response.Result _ when call.id == null -> done(accepted());
      case Response.Result(var json, boolean toolError) ->
          settled(
              new Ending.Result(outcome(toolError), tools.keeper().keep(json)),
              upstreamMillis,
              () -> answer(Answer.result(String.valueOf(call.id), json)));
      case Response.Failure(var fault) ->
          settled(new Ending.Failure(fault), upstreamMillis, this::accepted);
    };
  }

  private CompletableFuture<Reply> settled(
      Ending ending, @Nullable Long upstreamMillis, Supplier<Reply> answered) {
    return tools
        .decisions()
        .of(settlement(ending, upstreamMillis), Settlement.class)
        .thenApply(recorded ->
            switch (recorded) {
              case Recorded.Not<Settlement>(var refusal) -> unrecorded(unavailable(refusal));
              case Recorded.Done<Settlement>(Settlement.Answered()) -> answered.get();
              case Recorded.Done<Settlement>(Settlement.Failed(var fault, var told)) ->
                  told(fault, told);
            });
  }

  private SettleCall settlement(Ending ending, @Nullable Long upstreamMillis) {
    Progress now = progress;
    return new SettleCall(
        names.callId(),
        names.correlationId(),
        tongue(),
        receivedAt,
        now.target,
        ending,
        now.attempts,
        upstreamMillis);
  }

  private static CallAnswered.Outcome outcome(boolean toolError) {
    return toolError ? CallAnswered.Outcome.TOOL_ERROR : CallAnswered.Outcome.SUCCESS;
  }

  private CompletableFuture<Reply> refuse(Fault fault, @Nullable String rpcId) {
    return tools
        .decisions()
        .of(refusal(fault, rpcId), Told.class)
        .thenApply(recorded ->
            switch (recorded) {
              case Recorded.Not<Told>(var refusal) -> unrecorded(unavailable(refusal));
              case Recorded.Done<Told>(var told) -> told(fault, told);
            });
  }

  private RefuseMessage refusal(Fault fault, @Nullable String rpcId) {
    return new RefuseMessage(
        names.callId(),
        names.correlationId(),
        tongue(),
        incoming.transport(),
        principal.name(),
        rpcId,
        incoming.sizeBytes(),
        fault);
  }

  /** Closes what was begun, so that the caller and the journal agree on how it ended. */
  private CompletableFuture<Reply> unforeseen(Throwable failure) {
    Fault fault = internal(failure);
    return progress.received
        ? settled(new Ending.Failure(fault), null, this::accepted)
        : refuse(fault, null); // whatever could not be recorded may have been the id
  }

  private Fault internal(Throwable failure) {
    LOG.atError()
        .addKeyValue("correlation_id", names.correlationId())
        .addKeyValue("call_id", names.callId())
        .setCause(failure)
        .log("unforeseen failure while serving a message");
    return new InternalError("serving a message", rootOf(failure).getClass().getSimpleName());
  }

  private static Throwable rootOf(Throwable failure) {
    return failure.getCause() == null ? failure : rootOf(failure.getCause());
  }

  private Fault unavailable(Append.Refused refusal) {
    boolean forwarded = progress.attempts > 0;
    return switch (refusal) {
      case Append.Refused _ when forwarded ->
          new ServiceUnavailable(Cause.OUTCOME_NOT_RECORDED, null);
      case Append.Overloaded(_, long millis) ->
          new ServiceUnavailable(Cause.QUEUE_FULL, Math.ceilDiv(millis, 1_000L));
      case Append.Closed _ -> new ServiceUnavailable(Cause.SHUTTING_DOWN, null);
      case Append.Unavailable _, Append.InDoubt _, Append.Distrusted _, Append.Unstorable _ ->
          new ServiceUnavailable(Cause.JOURNAL, null);
    };
  }

  /** The one kind of answer without a record of its own. */
  private Reply unrecorded(Fault fault) {
    Told told = tools.telling().tell(fault, tongue(), names.correlationId());
    tools.errors().told(names, id(), fault, told);
    return isNotification()
        ? new Reply(names.correlationId(), UNAVAILABLE, null)
        : new Reply(names.correlationId(), status(told), error(told));
  }

  private Reply told(Fault fault, Told told) {
    tools.errors().told(names, id(), fault, told);
    return isNotification()
        ? accepted()
        : new Reply(names.correlationId(), status(told), error(told));
  }

  private byte[] error(Told told) {
    return Answer.error(id(), told.code(), told.message(), told.data());
  }

  private static int status(Told told) {
    return told.httpStatus() == null ? OK : told.httpStatus();
  }

  private Reply answer(byte[] body) {
    return new Reply(names.correlationId(), OK, body);
  }

  private Reply accepted() {
    return new Reply(names.correlationId(), ACCEPTED, null);
  }

  private boolean isNotification() {
    return incoming.message() instanceof Message.Notification;
  }

  private Tongue tongue() {
    return new Tongue(methods.dialect(), names.dialectVersion());
  }

  private @Nullable String id() {
    return switch (incoming.message()) {
      case Message.Request request -> request.id();
      case Message.Notification _ -> null;
      case Message.Unreadable unreadable -> unreadable.id();
    };
  }

  private long millisSince(Instant from) {
    return Math.max(0, Duration.between(from, tools.clock().instant()).toMillis());
  }

  private static String shortened(String method) {
    return method.length() <= METHOD_CHARS_MAX ? method : method.substring(0, METHOD_CHARS_MAX);
  }

  private static <T> CompletableFuture<T> done(T value) {
    return CompletableFuture.completedFuture(value);
  }

  /** Turns also what is thrown before there is a future into a failed one. */
  private static <T> CompletableFuture<T> guarded(Supplier<CompletableFuture<T>> step) {
    return CompletableFuture.completedFuture(step).thenCompose(Supplier::get);
  }
}
