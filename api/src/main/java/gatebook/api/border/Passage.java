package gatebook.api.border;

import gatebook.api.border.Identities.Identity;
import gatebook.api.border.Methods.Asking;
import gatebook.api.rpc.Members;
import gatebook.api.rpc.Message;
import gatebook.api.upstream.Upstream;
import gatebook.api.upstream.Upstream.Ended;
import gatebook.api.upstream.Upstream.Response;
import gatebook.command.Tongue;
import gatebook.command.abandon.AbandonCall;
import gatebook.command.receive.Aim;
import gatebook.command.receive.Hold;
import gatebook.command.receive.ReceiveCall;
import gatebook.command.receive.Reception;
import gatebook.command.refuse.RefuseMessage;
import gatebook.command.resume.Resumption;
import gatebook.command.retry.RetryCall;
import gatebook.command.rules.Source;
import gatebook.command.settle.SettleCall;
import gatebook.command.settle.SettleCall.Ending;
import gatebook.command.settle.Settlement;
import gatebook.command.task.TaskId;
import gatebook.command.task.TaskStanding;
import gatebook.command.task.TaskStanding.State;
import gatebook.events.CallAbandoned;
import gatebook.events.CallAnswered;
import gatebook.events.TaskCreated;
import gatebook.events.call.Beginning;
import gatebook.events.call.Principal;
import gatebook.events.call.Told;
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
final class Passage {

  private static final Logger LOG = LoggerFactory.getLogger(Passage.class);

  /** What is kept of a method's name, or of an id; none is so long that is meant. */
  private static final int NAME_CHARS_MAX = 1_024;

  private final Border.Tools tools;
  private final Errands errands;
  private final Methods methods;
  private final Incoming incoming;
  private final Members members;
  private final Names names;
  private final Ground ground;
  private final Instant receivedAt;
  private final Replies replies;

  /** Set by whoever ends the call: its answer, or its caller's leaving. */
  private final AtomicBoolean ended = new AtomicBoolean();

  /** How far the call has come, for whoever has to close it when something unforeseen happens. */
  private volatile Progress progress = new Progress(false, null, 0);

  /** The name of whoever sent it, once he is known. */
  private volatile String caller = "";

  /** What it wants, once that is known. */
  private volatile @Nullable Want want;

  private record Progress(boolean received, @Nullable String target, int attempts) {}

  private record Want(String method, Aim aim) {}

  /** What both kinds of calls have; {@code id} is absent when no answer is wanted. */
  private record Call(@Nullable String id, Asking asking) {}

  Passage(
      Border.Tools tools,
      Errands errands,
      Methods methods,
      Incoming incoming,
      Members members,
      Names names) {
    this.tools = tools;
    this.errands = errands;
    this.methods = methods;
    this.incoming = incoming;
    this.members = members;
    this.names = names;
    this.ground = tools.ground().get();
    this.receivedAt = tools.clock().instant();
    this.replies = new Replies(tools, names, tongue(), incoming.message(), this::context);
  }

  String correlationId() {
    return names.correlationId();
  }

  UUID callId() {
    return names.callId();
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
    String id = incoming.message() instanceof Message.Request request ? request.id() : null;
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
    if (ground.obstacle() instanceof ServiceUnavailable notYet) {
      return done(unrecorded(notYet, false));
    }
    return switch (incoming.message()) {
      case Message.Request(var id, var method, var params) ->
          identify(new Call(id, asking(method, params)));
      case Message.Notification(var method, var params) ->
          identify(new Call(null, asking(method, params)));
      case Message.Unreadable(var fault, var id) -> refuse(fault, id);
    };
  }

  private Asking asking(String method, @Nullable String params) {
    return new Asking(
        method,
        params,
        members,
        names.dialectVersion(),
        ground.rules(),
        incoming.transport() == Transport.HTTP ? incoming.passedOn() : null);
  }

  private CompletableFuture<Reply> identify(Call call) {
    return switch (Identities.of(incoming.caller(), ground.rules())) {
      case Identity.Unknown(var fault) -> refuse(whyNot(call, fault), call.id);
      case Identity.Known(var principal, boolean named) -> {
        caller = principal.name();
        yield receive(call, principal, aim(call, principal, named));
      }
    };
  }

  /** Without rules no token is known: whoever wants to act is told so, and not that it is his. */
  private Fault whyNot(Call call, Misdirected.Unauthorized fault) {
    ServerFault obstacle = ground.obstacle();
    return obstacle != null && methods.mayAct(methods.aim(call.asking)) ? obstacle : fault;
  }

  /** What a line about an error of it says. */
  private CallContext context() {
    return switch (want) {
      case null -> new CallContext(caller.isEmpty() ? null : caller, null);
      case Want(var method, Aim.Act act) ->
          CallContext.of(caller, method, act, ground.rules(), tools.telling().names()::scrub, null);
      case Want(var method, _) when method.startsWith("tasks/") ->
          new CallContext(caller, members.text("taskId").orElse(null));
      case Want _ -> new CallContext(caller, null);
    };
  }

  private Aim aim(Call call, Principal principal, boolean named) {
    OptionalLong wait =
        named
            ? tools.rates().exceeded(principal.name(), ground.rules().limits())
            : OptionalLong.empty();
    if (wait.isPresent()) {
      return new Aim.Unservable(
          new Misdirected.RateLimited(Misdirected.Limit.RATE, wait.getAsLong()));
    }
    Aim wanted = kept(withoutCredentials(call.asking, methods.aim(call.asking)));
    ServerFault obstacle = ground.obstacle();
    return obstacle != null && methods.mayAct(wanted) ? new Aim.Unservable(obstacle) : wanted;
  }

  /** Names are kept, logged and shown: one that holds a credential is not acted on. */
  private Aim withoutCredentials(Asking asking, Aim aim) {
    if (Credentials.in(asking.method())) {
      return new Aim.Unservable(
          new Misdirected.MethodNotFound(Credentials.takenOut(asking.method())));
    }
    return aim instanceof Aim.Act act && isCredentialIn(act)
        ? new Aim.Unservable(
            new Misdirected.InvalidParams(List.of(credential(methods.targetParam(asking)))))
        : aim;
  }

  private static Problem credential(String param) {
    return new Problem(param, null, "a name without a credential in it", null, List.of());
  }

  /** What a fault repeats of a name is no longer than what is kept of the name. */
  private static Aim kept(Aim aim) {
    return aim instanceof Aim.Unservable(Misdirected.MethodNotFound(var method))
        ? new Aim.Unservable(new Misdirected.MethodNotFound(kept(method)))
        : aim;
  }

  private static boolean isCredentialIn(Aim.Act act) {
    return Credentials.in(act.target()) || act.others().stream().anyMatch(Credentials::in);
  }

  private CompletableFuture<Reply> receive(Call call, Principal principal, Aim wanted) {
    want = new Want(call.asking.method(), wanted);
    return tools
        .decisions()
        .of(command(call, principal, wanted), Reception.class)
        .whenComplete((recorded, _) -> leaveSeatUnlessHeld(recorded))
        .thenCompose(recorded ->
            switch (recorded) {
              case Recorded.Not<Reception>(var refusal) -> done(unrecorded(refusal));
              case Recorded.Done<Reception>(var reception) ->
                  received(call, principal, wanted, reception);
            });
  }

  private void leaveSeatUnlessHeld(@Nullable Recorded<Reception> recorded) {
    if (!(recorded instanceof Recorded.Done<Reception>)) {
      tools.holds().leave(names.callId());
    }
  }

  private ReceiveCall command(Call call, Principal principal, Aim wanted) {
    return new ReceiveCall(
        names.callId(),
        names.correlationId(),
        names.traceId(),
        tongue(),
        incoming.transport(),
        receivedAt,
        kept(call.asking.method()),
        call.id == null ? null : keptId(call.id),
        principal,
        wanted,
        call.asking.params(),
        methods.arguments(call.asking).orElse(null),
        methods.deferral(call.asking, names.callId()).orElse(null),
        ground.rules());
  }

  private CompletableFuture<Reply> received(
      Call call, Principal principal, Aim wanted, Reception reception) {
    String target = wanted instanceof Aim.Act act ? act.targets() : null;
    progress = new Progress(true, target, 0);
    return switch (reception) {
      case Reception.Refused(var fault, var told, var denial) ->
          done(replies.error(fault, told, denial));
      case Reception.Admitted() -> answerHere(call, principal);
      case Reception.Forwarded(var source) -> forward(call, source, ground);
      case Reception.Held(var hold) -> held(call, hold);
      case Reception.Deferred(var hold, var task) -> deferred(call, hold, task);
    };
  }

  private CompletableFuture<Reply> answerHere(Call call, Principal principal) {
    if (call.id == null) {
      methods.taken(call.asking, setting(call, principal));
      return done(replies.accepted());
    }
    CompletableFuture<Ended> answer = methods.answer(call.asking, setting(call, principal));
    Presence.Watch watch =
        incoming.caller().presence().whenGone(how -> leave(how, () -> answer.cancel(false)));
    return answer
        .handle(this::arrived)
        .whenComplete((_, _) -> watch.end())
        .thenCompose(
            response -> response == null ? done(replies.accepted()) : settle(response, null));
  }

  private Methods.Setting setting(Call call, Principal principal) {
    return new Methods.Setting(
        names.callId(),
        principal.name(),
        ground,
        call.id,
        Trace.passedOn(incoming, members),
        incoming.conversation(),
        (source, method, params) -> ask(call, source, method, params),
        errands.of(principal.name()));
  }

  /** Nothing is tried again that nobody decided about. */
  private CompletableFuture<Ended> ask(
      Call call, Source source, String method, @Nullable String params) {
    Map<String, String> headers = Trace.passedOn(incoming, members);
    CompletableFuture<Response> response =
        upstream(call, source, ground)
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
  private CompletableFuture<Reply> deferred(Call call, Hold hold, TaskCreated task) {
    Errand errand = errands.begin(hold, task, Trace.passedOn(incoming, members));
    return switch (task.form()) {
      case TASK -> done(replies.result(methods.deferred(call.asking, begun(hold, task))));
      case AGAIN -> waitedFor(call, errand, hold, task);
    };
  }

  private static TaskStanding.Known begun(Hold hold, TaskCreated task) {
    return new TaskStanding.Known(
        task,
        new State.Waiting(),
        task.createdAt(),
        hold.due(),
        task.createdAt(),
        hold.call().params());
  }

  /** Until he is told where to come back, he is gone when he goes. */
  private CompletableFuture<Reply> waitedFor(
      Call call, Errand errand, Hold hold, TaskCreated task) {
    CompletableFuture<Recorded<TaskStanding>> standing =
        errands
            .of(hold.call().principal().name())
            .standing(
                new TaskId(task.taskId(), task.callId()),
                ground.rules().limits().heldAnswerMillisMax());
    Presence.Watch watch =
        incoming.caller().presence().strict().whenGone(how -> leave(how, errand::cancel));
    incoming.conversation().waits();
    return standing
        .whenComplete((_, _) -> watch.end())
        .thenApply(
            found -> ended.compareAndSet(false, true) ? stood(call, found) : replies.accepted());
  }

  private Reply stood(Call call, Recorded<TaskStanding> found) {
    return switch (found) {
      case Recorded.Not<TaskStanding>(var refusal) -> unrecorded(refusal);
      case Recorded.Done<TaskStanding>(TaskStanding.Known known) -> stood(call, known);
      case Recorded.Done<TaskStanding>(TaskStanding.Unknown _),
          Recorded.Done<TaskStanding>(TaskStanding.Expired _) ->
          throw new IllegalStateException("a task that was just recorded is there");
    };
  }

  private Reply stood(Call call, TaskStanding.Known known) {
    return switch (known.state()) {
      case State.Waiting(), State.Working() -> replies.result(methods.deferred(call.asking, known));
      case State.Answered(_, var result) -> replies.result(result);
      case State.Failed(_, var told) -> replies.recorded(told);
      // who cancels it has been told of it, and so is not who waits here
      case State.Cancelled() -> replies.accepted();
    };
  }

  private CompletableFuture<Reply> held(Call call, Hold hold) {
    // before the watch begins: a call that is not listed yet cannot be forgotten
    CompletableFuture<Recorded<Resumption>> over = tools.holds().hold(hold);
    Presence.Watch watch =
        incoming
            .caller()
            .presence()
            .strict()
            .whenGone(how -> leave(how, () -> tools.holds().forget(names.callId())));
    incoming.conversation().waits();
    return over.whenComplete((_, _) -> watch.end())
        .thenCompose(recorded ->
            switch (recorded) {
              case Recorded.Not<Resumption>(var refusal) -> done(unrecorded(refusal));
              case Recorded.Done<Resumption>(var resumption) -> resumed(call, resumption);
            });
  }

  private CompletableFuture<Reply> resumed(Call call, Resumption resumption) {
    return switch (resumption) {
      case Resumption.Forwarded(var source) ->
          ended.get() ? done(replies.accepted()) : forward(call, source, tools.ground().get());
      case Resumption.Refused(var fault, var told, var denial) ->
          done(replies.error(fault, told, denial));
      // the caller left, or nobody knows whether it was to be forwarded: then it is not
      case Resumption.Gone() ->
          done(
              ended.get()
                  ? replies.accepted()
                  : unrecorded(new ServiceUnavailable(Cause.JOURNAL, null), true));
      case Resumption.StillHeld() ->
          throw new IllegalStateException("a call that is still held goes nowhere");
    };
  }

  private CompletableFuture<Reply> forward(Call call, Source source, Ground now) {
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
                    ground.rules().limits().inputRoundsMax(),
                    (attempt, why) -> attemptAgain(source, attempt, why)));
    Presence.Watch watch = presence(call).whenGone(how -> leave(how, () -> answer.cancel(false)));
    CompletableFuture<Reply> settled =
        answer
            .handle(this::arrived)
            .whenComplete((_, _) -> watch.end())
            .thenCompose(response ->
                response == null
                    ? done(replies.accepted())
                    : settle(noted(call, source, ours(source, response)), millisSince(sentAt)));
    return call.id == null ? notWaitingFor(settled) : settled;
  }

  /** Who wants no answer may go. */
  private Presence presence(Call call) {
    return call.id == null ? Presence.UNSEEN : incoming.caller().presence();
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

  private Upstream upstream(Call call, Source source, Ground now) {
    return methods.upstream(
        call.asking, source, new Methods.Party(caller, now, incoming.conversation()));
  }

  private Ended noted(Call call, Source source, Ended ended) {
    methods.ended(call.asking, source, caller, ended);
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
    return incoming.conversation().hears()
        ? new Asides(tools, incoming.conversation(), names.callId(), source, ground)
        : Upstream.Aside.NOBODY;
  }

  private Upstream.Call outgoing(Call call) {
    return new Upstream.Call(
        call.id,
        call.asking.method(),
        call.asking.params(),
        call.id == null,
        Trace.passedOn(incoming, members));
  }

  /** Whether it is recorded that the source is tried once more. */
  private CompletableFuture<Boolean> attemptAgain(Source source, int attempt, String why) {
    return tools
        .decisions()
        .of(new RetryCall(names.callId(), source, attempt, why), Boolean.class)
        .thenApply(recorded -> {
          boolean mayGoOn = recorded instanceof Recorded.Done<Boolean> && !ended.get();
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
          .record(new AbandonCall(names.callId(), how, receivedAt, tools.clock().instant()));
    }
  }

  /** A notification is acknowledged when it is recorded; what comes of it is recorded later. */
  private CompletableFuture<Reply> notWaitingFor(CompletableFuture<Reply> settled) {
    CompletableFuture<Reply> _ = neverFailing(settled); // nobody waits for it
    return done(replies.accepted());
  }

  private CompletableFuture<Reply> settle(Ended response, @Nullable Long upstreamMillis) {
    return switch (response) {
      case Ended.Result(var json, boolean toolError, var missing) ->
          settled(
              new Ending.Result(CallAnswered.Outcome.of(toolError), json, missing, ground.rules()),
              upstreamMillis,
              () -> replies.result(json));
      case Ended.Accepted() ->
          settled(
              new Ending.Result(CallAnswered.Outcome.SUCCESS, "", ground.rules()),
              upstreamMillis,
              replies::accepted);
      case Ended.Failure(var fault) ->
          settled(new Ending.Failure(fault), upstreamMillis, replies::accepted);
      case Ended.ToldBefore(var fault, var callId) ->
          settled(new Ending.Failure(fault, callId), upstreamMillis, replies::accepted);
      case Ended.ForeignError _ ->
          throw new IllegalStateException("a source's own error was not made a fault");
    };
  }

  private CompletableFuture<Reply> settled(
      Ending ending, @Nullable Long upstreamMillis, Supplier<Reply> answered) {
    return tools
        .decisions()
        .of(settlement(ending, upstreamMillis), Settlement.class)
        .thenApply(recorded ->
            switch (recorded) {
              case Recorded.Not<Settlement>(var refusal) -> unrecorded(refusal);
              case Recorded.Done<Settlement>(Settlement.Answered()) -> answered.get();
              case Recorded.Done<Settlement>(Settlement.Failed(var fault, var told)) ->
                  failed(ending, fault, told);
            });
  }

  private Reply failed(Ending ending, Fault fault, Told told) {
    UUID firstToldTo = ending instanceof Ending.Failure failure ? failure.firstToldTo() : null;
    return firstToldTo == null
        ? replies.error(fault, told, null)
        : replies.toldBefore(fault, told, firstToldTo);
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

  private CompletableFuture<Reply> refuse(Fault fault, @Nullable String rpcId) {
    if (tools
        .floods()
        .counts(methods.dialect(), incoming.transport(), fault, ground.rules().limits())) {
      return done(replies.counted(fault));
    }
    return tools
        .decisions()
        .of(refusal(fault, rpcId), Told.class)
        .thenApply(recorded ->
            switch (recorded) {
              case Recorded.Not<Told>(var refusal) -> unrecorded(refusal);
              case Recorded.Done<Told>(var told) -> replies.error(fault, told, null);
            });
  }

  private RefuseMessage refusal(Fault fault, @Nullable String rpcId) {
    return new RefuseMessage(
        names.callId(),
        names.correlationId(),
        tongue(),
        incoming.transport(),
        principalName(),
        rpcId == null ? null : keptId(rpcId),
        incoming.sizeBytes(),
        fault);
  }

  private @Nullable String principalName() {
    return switch (Identities.of(incoming.caller(), ground.rules())) {
      case Identity.Known(var principal, _) -> principal.name();
      case Identity.Unknown _ -> null;
    };
  }

  /** Closes what was begun, so that the caller and the journal agree on how it ended. */
  private CompletableFuture<Reply> unforeseen(Throwable failure) {
    Fault fault = internal(failure);
    return progress.received
        ? settled(new Ending.Failure(fault), null, replies::accepted)
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

  private Reply unrecorded(Append.Refused refusal) {
    return unrecorded(unavailable(refusal), progress.received || refusal instanceof Append.InDoubt);
  }

  /** {@code mayBeOpen} when the journal may hold its beginning, so that somebody has to end it. */
  private Reply unrecorded(Fault fault, boolean mayBeOpen) {
    return replies.unrecorded(fault, progress.target, receivedAt, mayBeOpen);
  }

  private Tongue tongue() {
    return new Tongue(methods.dialect(), names.dialectVersion());
  }

  private long millisSince(Instant from) {
    return Math.max(0, Duration.between(from, tools.clock().instant()).toMillis());
  }

  /** Half a credential looks like none, so it is taken out first. */
  private static String kept(String text) {
    return Beginning.of(Credentials.takenOut(text), NAME_CHARS_MAX);
  }

  private static String keptId(String token) {
    return kept(Credentials.takenOutOfId(token));
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
