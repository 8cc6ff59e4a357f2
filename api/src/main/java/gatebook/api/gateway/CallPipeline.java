package gatebook.api.gateway;

import gatebook.api.gateway.CallerIdentities.Identity;
import gatebook.api.gateway.DialectHandler.Asking;
import gatebook.api.rpc.ObjectMembers;
import gatebook.api.rpc.RpcMessage;
import gatebook.api.upstream.Upstream;
import gatebook.api.upstream.Upstream.Ended;
import gatebook.api.upstream.Upstream.Response;
import gatebook.command.call.AbandonCall;
import gatebook.command.call.DialectVersion;
import gatebook.command.call.HeldCall;
import gatebook.command.call.Intent;
import gatebook.command.call.ReceiveCall;
import gatebook.command.call.ReceiveOutcome;
import gatebook.command.call.RefuseMessage;
import gatebook.command.call.ResumeOutcome;
import gatebook.command.call.RetryCall;
import gatebook.command.call.SettleCall;
import gatebook.command.call.SettleCall.Ending;
import gatebook.command.call.SettleOutcome;
import gatebook.command.call.TaskId;
import gatebook.command.call.TaskStatus;
import gatebook.command.call.TaskStatus.State;
import gatebook.command.rules.Source;
import gatebook.events.CallAbandoned;
import gatebook.events.CallAnswered;
import gatebook.events.TaskCreated;
import gatebook.events.call.ErrorResponse;
import gatebook.events.call.Principal;
import gatebook.events.call.TextPrefix;
import gatebook.events.call.Transport;
import gatebook.events.fault.Fault;
import gatebook.events.fault.Misdirected;
import gatebook.events.fault.Problem;
import gatebook.events.fault.ServerFault;
import gatebook.events.fault.ServerFault.Cause;
import gatebook.events.fault.ServerFault.InternalError;
import gatebook.events.fault.ServerFault.ServiceUnavailable;
import gatebook.events.journal.Append;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One message's way across the border. Each step begins when the one before is durable, and no
 * thread waits in between.
 */
final class CallPipeline {

  private static final Logger LOG = LoggerFactory.getLogger(CallPipeline.class);

  /** What is kept of a method's name, or of an id; none is so long that is meant. */
  private static final int NAME_CHARS_MAX = 1_024;

  private final Gateway.Tools tools;
  private final BackgroundCalls backgroundCalls;
  private final DialectHandler dialectHandler;
  private final IncomingMessage incomingMessage;
  private final ObjectMembers objectMembers;
  private final CallIds callIds;
  private final RoutingSnapshot routingSnapshot;
  private final Instant receivedAt;
  private final ReplyBuilder replyBuilder;

  /** Set by whoever ends the call: its answer, or its caller's leaving. */
  private final AtomicBoolean ended = new AtomicBoolean();

  /** How far the call has come, for whoever has to close it when something unforeseen happens. */
  private volatile Progress progress = new Progress(false, null, 0);

  /** The name of whoever sent it, once he is known. */
  private volatile String caller = "";

  /** What it wants, once that is known. */
  private volatile @Nullable Want want;

  private record Progress(boolean received, @Nullable String target, int attempts) {}

  private record Want(String method, Intent aim) {}

  /** What both kinds of calls have; {@code id} is absent when no answer is wanted. */
  private record Call(@Nullable String id, Asking asking) {}

  CallPipeline(
      Gateway.Tools tools,
      BackgroundCalls backgroundCalls,
      DialectHandler dialectHandler,
      IncomingMessage incomingMessage,
      ObjectMembers objectMembers,
      CallIds callIds) {
    this.tools = tools;
    this.backgroundCalls = backgroundCalls;
    this.dialectHandler = dialectHandler;
    this.incomingMessage = incomingMessage;
    this.objectMembers = objectMembers;
    this.callIds = callIds;
    this.routingSnapshot = tools.ground().get();
    this.receivedAt = tools.clock().instant();
    this.replyBuilder =
        new ReplyBuilder(tools, callIds, tongue(), incomingMessage.message(), this::context);
  }

  String correlationId() {
    return callIds.correlationId();
  }

  UUID callId() {
    return callIds.callId();
  }

  CompletableFuture<Reply> reply() {
    return neverFailing(guarded(this::serve));
  }

  /** The reply to a message of which so little could be taken in that it is none. */
  CompletableFuture<Reply> failed(Throwable failure) {
    return neverFailing(CompletableFuture.failedFuture(failure));
  }

  /** The reply to a message with a fault that was found elsewhere. */
  CompletableFuture<Reply> refused(Fault fault) {
    String id =
        incomingMessage.message() instanceof RpcMessage.Request request ? request.id() : null;
    return neverFailing(guarded(() -> refuse(fault, id)));
  }

  /** The same where there cannot be a record now. */
  Reply unrecorded(Fault fault) {
    return unrecorded(fault, false);
  }

  private CompletableFuture<Reply> neverFailing(CompletableFuture<Reply> reply) {
    return reply
        .exceptionallyCompose(this::unforeseen)
        .exceptionally(failure -> unrecorded(internal(failure), true));
  }

  private CompletableFuture<Reply> serve() {
    if (routingSnapshot.obstacle() instanceof ServiceUnavailable notYet) {
      return done(unrecorded(notYet, false));
    }
    return switch (incomingMessage.message()) {
      case RpcMessage.Request(var id, var method, var params) ->
          identify(new Call(id, asking(method, params)));
      case RpcMessage.Notification(var method, var params) ->
          identify(new Call(null, asking(method, params)));
      case RpcMessage.Unreadable(var fault, var id) -> refuse(fault, id);
    };
  }

  private Asking asking(String method, @Nullable String params) {
    return new Asking(
        method,
        params,
        objectMembers,
        callIds.dialectVersion(),
        routingSnapshot.rules(),
        incomingMessage.transport() == Transport.HTTP ? incomingMessage.passedOn() : null);
  }

  private CompletableFuture<Reply> identify(Call call) {
    return switch (CallerIdentities.of(incomingMessage.caller(), routingSnapshot.rules())) {
      case Identity.Unknown(var fault) -> refuse(whyNot(call, fault), call.id);
      case Identity.Known(var principal, boolean named) -> {
        caller = principal.name();
        yield receive(call, principal, aim(call, principal, named));
      }
    };
  }

  /** Without rules no token is known: whoever wants to act is told so, and not that it is his. */
  private Fault whyNot(Call call, Misdirected.Unauthorized fault) {
    ServerFault obstacle = routingSnapshot.obstacle();
    return obstacle != null && dialectHandler.mayAct(dialectHandler.aim(call.asking))
        ? obstacle
        : fault;
  }

  /** What a line about an error of it says. */
  private CallContext context() {
    return switch (want) {
      case null -> new CallContext(caller.isEmpty() ? null : caller, null);
      case Want(var method, Intent.Act act) ->
          CallContext.of(
              caller, method, act, routingSnapshot.rules(), tools.telling().names()::scrub, null);
      case Want(var method, _) when method.startsWith("tasks/") ->
          new CallContext(caller, objectMembers.text("taskId").orElse(null));
      case Want _ -> new CallContext(caller, null);
    };
  }

  private Intent aim(Call call, Principal principal, boolean named) {
    OptionalLong wait =
        named
            ? tools.rates().exceeded(principal.name(), routingSnapshot.rules().limits())
            : OptionalLong.empty();
    if (wait.isPresent()) {
      return new Intent.Unservable(
          new Misdirected.RateLimited(Misdirected.Limit.RATE, wait.getAsLong()));
    }
    Intent wanted = kept(withoutCredentials(call.asking, dialectHandler.aim(call.asking)));
    ServerFault obstacle = routingSnapshot.obstacle();
    return obstacle != null && dialectHandler.mayAct(wanted)
        ? new Intent.Unservable(obstacle)
        : wanted;
  }

  /** Names are kept, logged and shown: one that holds a credential is not acted on. */
  private Intent withoutCredentials(Asking asking, Intent intent) {
    if (CredentialMask.in(asking.method())) {
      return new Intent.Unservable(
          new Misdirected.MethodNotFound(CredentialMask.takenOut(asking.method())));
    }
    return intent instanceof Intent.Act act && isCredentialIn(act)
        ? new Intent.Unservable(
            new Misdirected.InvalidParams(List.of(credential(dialectHandler.targetParam(asking)))))
        : intent;
  }

  private static Problem credential(String param) {
    return new Problem(param, null, "a name without a credential in it", null, List.of());
  }

  /** What a fault repeats of a name is no longer than what is kept of the name. */
  private static Intent kept(Intent intent) {
    return intent instanceof Intent.Unservable(Misdirected.MethodNotFound(var method))
        ? new Intent.Unservable(new Misdirected.MethodNotFound(kept(method)))
        : intent;
  }

  private static boolean isCredentialIn(Intent.Act act) {
    return CredentialMask.in(act.target()) || act.others().stream().anyMatch(CredentialMask::in);
  }

  private CompletableFuture<Reply> receive(Call call, Principal principal, Intent wanted) {
    want = new Want(call.asking.method(), wanted);
    return tools
        .decisions()
        .of(command(call, principal, wanted), ReceiveOutcome.class)
        .whenComplete((commandResult, _) -> leaveSeatUnlessHeld(commandResult))
        .thenCompose(commandResult ->
            switch (commandResult) {
              case CommandResult.Not<ReceiveOutcome>(var refusal) -> done(unrecorded(refusal));
              case CommandResult.Done<ReceiveOutcome>(var receiveOutcome) ->
                  received(call, principal, wanted, receiveOutcome);
            });
  }

  private void leaveSeatUnlessHeld(@Nullable CommandResult<ReceiveOutcome> commandResult) {
    if (!(commandResult instanceof CommandResult.Done<ReceiveOutcome>)) {
      tools.holds().leave(callIds.callId());
    }
  }

  private ReceiveCall command(Call call, Principal principal, Intent wanted) {
    return new ReceiveCall(
        callIds.callId(),
        callIds.correlationId(),
        callIds.traceId(),
        tongue(),
        incomingMessage.transport(),
        receivedAt,
        kept(call.asking.method()),
        call.id == null ? null : keptId(call.id),
        principal,
        wanted,
        call.asking.params(),
        dialectHandler.arguments(call.asking).orElse(null),
        dialectHandler.deferral(call.asking, callIds.callId()).orElse(null),
        routingSnapshot.rules());
  }

  private CompletableFuture<Reply> received(
      Call call, Principal principal, Intent wanted, ReceiveOutcome receiveOutcome) {
    String target = wanted instanceof Intent.Act act ? act.targets() : null;
    progress = new Progress(true, target, 0);
    return switch (receiveOutcome) {
      case ReceiveOutcome.Refused(var fault, var errorResponse, var denial) ->
          done(replyBuilder.error(fault, errorResponse, denial));
      case ReceiveOutcome.Admitted() -> answerHere(call, principal);
      case ReceiveOutcome.Forwarded(var source) -> forward(call, source, routingSnapshot);
      case ReceiveOutcome.Held(var heldCall) -> held(call, heldCall);
      case ReceiveOutcome.Deferred(var heldCall, var task) -> deferred(call, heldCall, task);
    };
  }

  private CompletableFuture<Reply> answerHere(Call call, Principal principal) {
    if (call.id == null) {
      dialectHandler.taken(call.asking, setting(call, principal));
      return done(replyBuilder.accepted());
    }
    CompletableFuture<Ended> answer = dialectHandler.answer(call.asking, setting(call, principal));
    CallerConnection.Watch watch =
        incomingMessage.caller().presence().whenGone(how -> leave(how, () -> answer.cancel(false)));
    return answer
        .handle(this::arrived)
        .whenComplete((_, _) -> watch.end())
        .thenCompose(
            response -> response == null ? done(replyBuilder.accepted()) : settle(response, null));
  }

  private DialectHandler.Setting setting(Call call, Principal principal) {
    return new DialectHandler.Setting(
        callIds.callId(),
        principal.name(),
        routingSnapshot,
        call.id,
        TraceContext.passedOn(incomingMessage, objectMembers),
        incomingMessage.conversation(),
        (source, method, params) -> ask(call, source, method, params),
        backgroundCalls.of(principal.name()));
  }

  /** Nothing is tried again that nobody decided about. */
  private CompletableFuture<Ended> ask(
      Call call, Source source, String method, @Nullable String params) {
    Map<String, String> headers = TraceContext.passedOn(incomingMessage, objectMembers);
    CompletableFuture<Response> response =
        upstream(call, source, routingSnapshot)
            .call(
                new Upstream.Call(call.id, method, params, call.id == null, headers),
                aside(source));
    CompletableFuture<Ended> ended =
        response.thenApply(it -> ours(source, Upstream.ended(source, it)));
    CompletableFuture<Ended> _ =
        ended.whenComplete((_, failure) -> {
          if (failure != null) {
            response.cancel(false);
          }
        });
    return ended;
  }

  /** It goes on without its caller, who is told where to come back, or waits a while before. */
  private CompletableFuture<Reply> deferred(Call call, HeldCall heldCall, TaskCreated task) {
    BackgroundCall backgroundCall =
        backgroundCalls.begin(
            heldCall, task, TraceContext.passedOn(incomingMessage, objectMembers));
    return switch (task.form()) {
      case TASK ->
          done(replyBuilder.result(dialectHandler.deferred(call.asking, begun(heldCall, task))));
      case AGAIN -> waitedFor(call, backgroundCall, heldCall, task);
    };
  }

  private static TaskStatus.Known begun(HeldCall heldCall, TaskCreated task) {
    return new TaskStatus.Known(
        task,
        new State.Waiting(),
        task.createdAt(),
        heldCall.due(),
        task.createdAt(),
        heldCall.call().params());
  }

  /** Until he is told where to come back, he is gone when he goes. */
  private CompletableFuture<Reply> waitedFor(
      Call call, BackgroundCall backgroundCall, HeldCall heldCall, TaskCreated task) {
    CompletableFuture<CommandResult<TaskStatus>> standing =
        backgroundCalls
            .of(heldCall.call().principal().name())
            .standing(
                new TaskId(task.taskId(), task.callId()),
                routingSnapshot.rules().limits().heldAnswerMillisMax());
    CallerConnection.Watch watch =
        incomingMessage
            .caller()
            .presence()
            .strict()
            .whenGone(how -> leave(how, backgroundCall::cancel));
    incomingMessage.conversation().waits();
    return standing
        .whenComplete((_, _) -> watch.end())
        .thenApply(found ->
            ended.compareAndSet(false, true) ? stood(call, found) : replyBuilder.accepted());
  }

  private Reply stood(Call call, CommandResult<TaskStatus> found) {
    return switch (found) {
      case CommandResult.Not<TaskStatus>(var refusal) -> unrecorded(refusal);
      case CommandResult.Done<TaskStatus>(TaskStatus.Known known) -> stood(call, known);
      case CommandResult.Done<TaskStatus>(TaskStatus.Unknown _),
          CommandResult.Done<TaskStatus>(TaskStatus.Expired _) ->
          throw new IllegalStateException("a task that was just recorded is there");
    };
  }

  private Reply stood(Call call, TaskStatus.Known known) {
    return switch (known.state()) {
      case State.Waiting(), State.Working() ->
          replyBuilder.result(dialectHandler.deferred(call.asking, known));
      case State.Answered(_, var result) -> replyBuilder.result(result);
      case State.Failed(_, var errorResponse) -> replyBuilder.recorded(errorResponse);
      // who cancels it has been told of it, and so is not who waits here
      case State.Cancelled() -> replyBuilder.accepted();
    };
  }

  private CompletableFuture<Reply> held(Call call, HeldCall heldCall) {
    // before the watch begins: a call that is not listed yet cannot be forgotten
    CompletableFuture<CommandResult<ResumeOutcome>> over = tools.holds().hold(heldCall);
    CallerConnection.Watch watch =
        incomingMessage
            .caller()
            .presence()
            .strict()
            .whenGone(how -> leave(how, () -> tools.holds().forget(callIds.callId())));
    incomingMessage.conversation().waits();
    return over.whenComplete((_, _) -> watch.end())
        .thenCompose(commandResult ->
            switch (commandResult) {
              case CommandResult.Not<ResumeOutcome>(var refusal) -> done(unrecorded(refusal));
              case CommandResult.Done<ResumeOutcome>(var resumeOutcome) ->
                  resumed(call, resumeOutcome);
            });
  }

  private CompletableFuture<Reply> resumed(Call call, ResumeOutcome resumeOutcome) {
    return switch (resumeOutcome) {
      case ResumeOutcome.Forwarded(var source) ->
          ended.get() ? done(replyBuilder.accepted()) : forward(call, source, tools.ground().get());
      case ResumeOutcome.Refused(var fault, var errorResponse, var denial) ->
          done(replyBuilder.error(fault, errorResponse, denial));
      // the caller left, or nobody knows whether it was to be forwarded: then it is not
      case ResumeOutcome.Gone() ->
          done(
              ended.get()
                  ? replyBuilder.accepted()
                  : unrecorded(new ServiceUnavailable(Cause.JOURNAL, null), true));
      case ResumeOutcome.StillHeld() ->
          throw new IllegalStateException("a call that is still held goes nowhere");
    };
  }

  private CompletableFuture<Reply> forward(Call call, Source source, RoutingSnapshot now) {
    progress = new Progress(true, progress.target, 1);
    Instant sentAt = tools.clock().instant();
    CompletableFuture<Ended> answer =
        guarded(() ->
            tools
                .attempts()
                .call(
                    upstream(call, source, now),
                    outgoing(call),
                    aside(source),
                    routingSnapshot.rules().limits().inputRoundsMax(),
                    (attempt, why) -> attemptAgain(source, attempt, why)));
    CallerConnection.Watch watch =
        presence(call).whenGone(how -> leave(how, () -> answer.cancel(false)));
    CompletableFuture<Reply> settled =
        answer
            .handle(this::arrived)
            .whenComplete((_, _) -> watch.end())
            .thenCompose(response ->
                response == null
                    ? done(replyBuilder.accepted())
                    : settle(noted(call, source, ours(source, response)), millisSince(sentAt)));
    return call.id == null ? notWaitingFor(settled) : settled;
  }

  /** Who wants no answer may go. */
  private CallerConnection presence(Call call) {
    return call.id == null ? CallerConnection.UNSEEN : incomingMessage.caller().presence();
  }

  /** The answer, unless nobody waits for it any longer. */
  private @Nullable Ended arrived(@Nullable Ended answer, @Nullable Throwable failure) {
    if (!ended.compareAndSet(false, true)) {
      return null;
    }
    if (failure != null) {
      throw new CompletionException(failure);
    }
    return answer;
  }

  private Upstream upstream(Call call, Source source, RoutingSnapshot now) {
    return dialectHandler.upstream(
        call.asking, source, new DialectHandler.Party(caller, now, incomingMessage.conversation()));
  }

  private Ended noted(Call call, Source source, Ended ended) {
    dialectHandler.ended(call.asking, source, caller, ended);
    return ended;
  }

  private Ended ours(Source source, Ended ended) {
    return switch (ended) {
      case Ended.ForeignError error ->
          new Ended.Failure(tools.foreignErrors().apply(source, error));
      case Ended.Result _, Ended.Accepted _, Ended.Failure _, Ended.ToldBefore _ -> ended;
    };
  }

  private Upstream.Aside aside(Source source) {
    return incomingMessage.conversation().hears()
        ? new ServerMessageRecorder(
            tools, incomingMessage.conversation(), callIds.callId(), source, routingSnapshot)
        : Upstream.Aside.NOBODY;
  }

  private Upstream.Call outgoing(Call call) {
    return new Upstream.Call(
        call.id,
        call.asking.method(),
        call.asking.params(),
        call.id == null,
        TraceContext.passedOn(incomingMessage, objectMembers));
  }

  /** Whether it is recorded that the source is tried once more. */
  private CompletableFuture<Boolean> attemptAgain(Source source, int attempt, String why) {
    return tools
        .decisions()
        .of(new RetryCall(callIds.callId(), source, attempt, why), Boolean.class)
        .thenApply(commandResult -> {
          boolean mayGoOn = commandResult instanceof CommandResult.Done<Boolean> && !ended.get();
          progress = new Progress(true, progress.target, mayGoOn ? attempt : attempt - 1);
          return mayGoOn;
        });
  }

  /** The caller is gone: what was begun for it is stopped, and that is recorded. */
  private void leave(CallAbandoned.Cause how, Runnable stop) {
    if (ended.compareAndSet(false, true)) {
      stop.run();
      tools
          .outages()
          .record(new AbandonCall(callIds.callId(), how, receivedAt, tools.clock().instant()));
    }
  }

  /** A notification is acknowledged when it is recorded; what comes of it is recorded later. */
  private CompletableFuture<Reply> notWaitingFor(CompletableFuture<Reply> settled) {
    CompletableFuture<Reply> _ = neverFailing(settled); // nobody waits for it
    return done(replyBuilder.accepted());
  }

  private CompletableFuture<Reply> settle(Ended response, @Nullable Long upstreamMillis) {
    return switch (response) {
      case Ended.Result(var json, boolean toolError, var missing) ->
          settled(
              new Ending.Result(
                  CallAnswered.Outcome.of(toolError), json, missing, routingSnapshot.rules()),
              upstreamMillis,
              () -> replyBuilder.result(json));
      case Ended.Accepted() ->
          settled(
              new Ending.Result(CallAnswered.Outcome.SUCCESS, "", routingSnapshot.rules()),
              upstreamMillis,
              replyBuilder::accepted);
      case Ended.Failure(var fault) ->
          settled(new Ending.Failure(fault), upstreamMillis, replyBuilder::accepted);
      case Ended.ToldBefore(var fault, var callId) ->
          settled(new Ending.Failure(fault, callId), upstreamMillis, replyBuilder::accepted);
      case Ended.ForeignError _ ->
          throw new IllegalStateException("a source's own error was not made a fault");
    };
  }

  private CompletableFuture<Reply> settled(
      Ending ending, @Nullable Long upstreamMillis, Supplier<Reply> answered) {
    return tools
        .decisions()
        .of(settlement(ending, upstreamMillis), SettleOutcome.class)
        .thenApply(commandResult ->
            switch (commandResult) {
              case CommandResult.Not<SettleOutcome>(var refusal) -> unrecorded(refusal);
              case CommandResult.Done<SettleOutcome>(SettleOutcome.Answered()) -> answered.get();
              case CommandResult.Done<SettleOutcome>(
                      SettleOutcome.Failed(var fault, var errorResponse)) ->
                  failed(ending, fault, errorResponse);
            });
  }

  private Reply failed(Ending ending, Fault fault, ErrorResponse errorResponse) {
    UUID firstToldTo = ending instanceof Ending.Failure failure ? failure.firstToldTo() : null;
    return firstToldTo == null
        ? replyBuilder.error(fault, errorResponse, null)
        : replyBuilder.toldBefore(fault, errorResponse, firstToldTo);
  }

  private SettleCall settlement(Ending ending, @Nullable Long upstreamMillis) {
    Progress now = progress;
    return new SettleCall(
        callIds.callId(),
        callIds.correlationId(),
        tongue(),
        receivedAt,
        now.target,
        ending,
        now.attempts,
        upstreamMillis);
  }

  private CompletableFuture<Reply> refuse(Fault fault, @Nullable String rpcId) {
    if (tools
        .floods()
        .counts(
            dialectHandler.dialect(),
            incomingMessage.transport(),
            fault,
            routingSnapshot.rules().limits())) {
      return done(replyBuilder.counted(fault));
    }
    return tools
        .decisions()
        .of(refusal(fault, rpcId), ErrorResponse.class)
        .thenApply(commandResult ->
            switch (commandResult) {
              case CommandResult.Not<ErrorResponse>(var refusal) -> unrecorded(refusal);
              case CommandResult.Done<ErrorResponse>(var errorResponse) ->
                  replyBuilder.error(fault, errorResponse, null);
            });
  }

  private RefuseMessage refusal(Fault fault, @Nullable String rpcId) {
    return new RefuseMessage(
        callIds.callId(),
        callIds.correlationId(),
        tongue(),
        incomingMessage.transport(),
        principalName(),
        rpcId == null ? null : keptId(rpcId),
        incomingMessage.sizeBytes(),
        fault);
  }

  private @Nullable String principalName() {
    return switch (CallerIdentities.of(incomingMessage.caller(), routingSnapshot.rules())) {
      case Identity.Known(var principal, _) -> principal.name();
      case Identity.Unknown _ -> null;
    };
  }

  /** Closes what was begun, so that the caller and the journal agree on how it ended. */
  private CompletableFuture<Reply> unforeseen(Throwable failure) {
    Fault fault = internal(failure);
    return progress.received
        ? settled(new Ending.Failure(fault), null, replyBuilder::accepted)
        : refuse(fault, null); // whatever could not be recorded may have been the id
  }

  private Fault internal(Throwable failure) {
    LOG.atError()
        .addKeyValue("correlation_id", callIds.correlationId())
        .addKeyValue("call_id", callIds.callId())
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

  private Reply unrecorded(Append.Refused refusal) {
    return unrecorded(unavailable(refusal), progress.received || refusal instanceof Append.InDoubt);
  }

  /** {@code mayBeOpen} when the journal may hold its beginning, so that somebody has to end it. */
  private Reply unrecorded(Fault fault, boolean mayBeOpen) {
    return replyBuilder.unrecorded(fault, progress.target, receivedAt, mayBeOpen);
  }

  private DialectVersion tongue() {
    return new DialectVersion(dialectHandler.dialect(), callIds.dialectVersion());
  }

  private long millisSince(Instant from) {
    return Math.max(0, Duration.between(from, tools.clock().instant()).toMillis());
  }

  /** Half a credential looks like none, so it is taken out first. */
  private static String kept(String text) {
    return TextPrefix.of(CredentialMask.takenOut(text), NAME_CHARS_MAX);
  }

  private static String keptId(String token) {
    return kept(CredentialMask.takenOutOfId(token));
  }

  private static <T> CompletableFuture<T> done(T value) {
    return CompletableFuture.completedFuture(value);
  }

  /**
   * Turns also what is thrown before there is a future into a failed one. The future is the step's
   * own: cancelling one that depends on it would not reach it.
   */
  private static <T> CompletableFuture<T> guarded(Supplier<CompletableFuture<T>> step) {
    try {
      return step.get();
    } catch (RuntimeException | Error failure) {
      return CompletableFuture.failedFuture(failure);
    }
  }
}
