package gatebook.api.upstream;

import static gatebook.api.rpc.Quoted.quoted;

import gatebook.api.rpc.Members;
import gatebook.api.rpc.Splicing;
import gatebook.api.upstream.process.Dialogue.Question;
import gatebook.api.upstream.process.Ending;
import gatebook.api.upstream.process.Era;
import gatebook.api.upstream.process.Supervisor;
import gatebook.command.rules.Source;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A source that is a program of ours, shared by all callers. */
final class ProcessSource implements Upstream.Defined {

  private static final String DISCOVER = "server/discover";
  private static final String LISTEN = "subscriptions/listen";
  private static final String META = "_meta";
  private static final List<String> TRACE = List.of("traceparent", "tracestate");

  private final Source source;
  private final Supervisor supervisor;
  private final LineAnswers answers;
  private final SourceMeters meters;
  private final ProcessLegs legs;

  ProcessSource(
      Source source,
      Supervisor supervisor,
      LineAnswers answers,
      SourceMeters meters,
      ProcessLegs legs) {
    this.legs = legs;
    this.source = source;
    this.supervisor = supervisor;
    this.answers = answers;
    this.meters = meters;
  }

  @Override
  public Source definition() {
    return source;
  }

  @Override
  public CompletableFuture<Listing> tools() {
    return new ToolPages(this).all();
  }

  @Override
  public CompletableFuture<Response> call(Call call, Aside aside) {
    SourceMeters.Sample sample = meters.begin();
    CompletableFuture<Response> response = new CompletableFuture<>();
    CompletableFuture<Void> _ =
        ready()
            .thenAccept(state -> {
              if (!response.isDone()) {
                ask(state, call, new Unhurried(ByCallersNames.of(aside, source)), sample, response);
              }
            })
            .exceptionally(failure -> {
              response.completeExceptionally(failure);
              return null;
            });
    CompletableFuture<Response> _ =
        response.whenComplete((_, failure) -> {
          if (failure != null) {
            sample.failed(failure);
          }
        });
    return response;
  }

  /** Who asks while it starts waits for it, but not longer than one waits for a connection. */
  private CompletableFuture<Supervisor.State> ready() {
    CompletableFuture<Supervisor.State> state = supervisor.state();
    return state.isDone()
        ? state
        : state
            .copy()
            .completeOnTimeout(
                new Supervisor.State.Down("the process is not ready yet"),
                source.connectMillis(),
                TimeUnit.MILLISECONDS);
  }

  private void ask(
      Supervisor.State state,
      Call call,
      Unhurried aside,
      SourceMeters.Sample sample,
      CompletableFuture<Response> response) {
    switch (state) {
      case Supervisor.State.Down(var reason) ->
          response.complete(sample.ended(new Response.NotConnected(reason)));
      case Supervisor.State.Up(_, Era.Sessions(var introduction))
          when call.method().equals(DISCOVER) ->
          response.complete(
              sample.ended(new Ended.Result(Stateless.discovered(introduction), false)));
      case Supervisor.State.Up(var dialogue, _) when call.notification() ->
          response.complete(
              sample.ended(answers.told(dialogue.tell(call.method(), ownParams(call)))));
      case Supervisor.State.Up(var dialogue, var era) -> {
        CompletableFuture<Ending> asked = dialogue.ask(question(call, era), aside);
        CompletableFuture<Void> _ =
            asked.thenAccept(ending ->
                response.complete(
                    sample.ended(dressed(call, era, answers.response(this, ending)))));
        CompletableFuture<Response> _ =
            response.whenComplete((_, _) -> asked.cancel(false)); // whoever gives up withdraws
      }
    }
  }

  private Question question(Call call, Era era) {
    return new Question(
        call.method(),
        era.dressed(traced(ownParams(call), call.headers())),
        call.id(),
        call.method().equals(LISTEN) ? Question.UNLIMITED : source.answerMillis(),
        true);
  }

  /** Who says with each request who he is wants to be answered so, also by one who remembers. */
  private Response dressed(Call call, Era era, Response response) {
    boolean isStateless = Stateless.isOf(call);
    return switch (era) {
      case Era.Sessions _ when response instanceof Ended ended && isStateless ->
          Stateless.complete(call.method(), ended);
      case Era.Stateless _ when !isStateless -> Interview.of(this).withoutClient(response, call);
      case Era.Sessions _, Era.Stateless _ -> response;
    };
  }

  /** A client has a process of its own, which is started for it and ends with the conversation. */
  @Override
  public CompletableFuture<Opening> open(Introduction introduction) {
    return ready()
        .thenCompose(state ->
            switch (state) {
              case Supervisor.State.Down(var reason) ->
                  CompletableFuture.completedFuture(
                      new Opening.Failed(new Response.NotConnected(reason)));
              case Supervisor.State.Up(_, var era) -> legs.open(this, source, introduction, era);
            });
  }

  private @Nullable String ownParams(Call call) {
    return Names.withOwnName(call.method(), call.params(), source);
  }

  /** What a header says of the trace, where there are no headers. */
  private static @Nullable String traced(@Nullable String params, Map<String, String> headers) {
    String traced = params;
    for (String name : TRACE) {
      String value = headers.get(name);
      if (value != null && isMissing(traced, name)) {
        traced = Splicing.with(traced == null ? "{}" : traced, List.of(META, name), quoted(value));
      }
    }
    return traced;
  }

  private static boolean isMissing(@Nullable String params, String name) {
    return (params == null || params.startsWith("{"))
        && Members.of(params).members(META).json(name).isEmpty();
  }
}
