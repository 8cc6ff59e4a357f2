package gatebook.api.upstream.source;

import static gatebook.api.rpc.JsonStrings.quoted;

import gatebook.api.rpc.MemberSplice;
import gatebook.api.rpc.ObjectMembers;
import gatebook.api.upstream.DroppingListener;
import gatebook.api.upstream.Upstream;
import gatebook.api.upstream.mcp.CallTargets;
import gatebook.api.upstream.mcp.InputRequestBridge;
import gatebook.api.upstream.mcp.PrefixingListener;
import gatebook.api.upstream.mcp.StatelessMeta;
import gatebook.api.upstream.mcp.ToolListPages;
import gatebook.api.upstream.process.ProcessSupervisor;
import gatebook.api.upstream.process.RequestResult;
import gatebook.api.upstream.process.ServerProtocol;
import gatebook.api.upstream.process.StdioClient.Question;
import gatebook.command.rules.Source;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A source that is a program of ours, shared by all callers. */
final class ProcessUpstream implements Upstream.Defined {

  private static final String DISCOVER = "server/discover";
  private static final String LISTEN = "subscriptions/listen";
  private static final String META = "_meta";
  private static final List<String> TRACE = List.of("traceparent", "tracestate");

  private final Source source;
  private final ProcessSupervisor processSupervisor;
  private final ProcessAnswers answers;
  private final UpstreamMeters meters;
  private final ProcessSessions legs;

  ProcessUpstream(
      Source source,
      ProcessSupervisor processSupervisor,
      ProcessAnswers answers,
      UpstreamMeters meters,
      ProcessSessions legs) {
    this.legs = legs;
    this.source = source;
    this.processSupervisor = processSupervisor;
    this.answers = answers;
    this.meters = meters;
  }

  @Override
  public Source definition() {
    return source;
  }

  @Override
  public CompletableFuture<Listing> tools() {
    return new ToolListPages(this).all();
  }

  @Override
  public CompletableFuture<Response> call(Call call, Aside aside) {
    UpstreamMeters.Sample sample = meters.begin();
    CompletableFuture<Response> response = new CompletableFuture<>();
    CompletableFuture<Void> _ =
        ready()
            .thenAccept(state -> {
              if (!response.isDone()) {
                ask(
                    state,
                    call,
                    new DroppingListener(PrefixingListener.of(aside, source)),
                    sample,
                    response);
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
  private CompletableFuture<ProcessSupervisor.State> ready() {
    CompletableFuture<ProcessSupervisor.State> state = processSupervisor.state();
    return state.isDone()
        ? state
        : state
            .copy()
            .completeOnTimeout(
                new ProcessSupervisor.State.Down("the process is not ready yet"),
                source.connectMillis(),
                TimeUnit.MILLISECONDS);
  }

  private void ask(
      ProcessSupervisor.State state,
      Call call,
      DroppingListener aside,
      UpstreamMeters.Sample sample,
      CompletableFuture<Response> response) {
    switch (state) {
      case ProcessSupervisor.State.Down(var reason) ->
          response.complete(sample.ended(new Response.NotConnected(reason)));
      case ProcessSupervisor.State.Up(_, ServerProtocol.Sessions(var introduction))
          when call.method().equals(DISCOVER) ->
          response.complete(
              sample.ended(new Ended.Result(StatelessMeta.discovered(introduction), false)));
      case ProcessSupervisor.State.Up(var stdioClient, _) when call.notification() ->
          response.complete(
              sample.ended(answers.told(stdioClient.tell(call.method(), ownParams(call)))));
      case ProcessSupervisor.State.Up(var stdioClient, var serverProtocol) -> {
        CompletableFuture<RequestResult> asked =
            stdioClient.ask(question(call, serverProtocol), aside);
        CompletableFuture<Void> _ =
            asked.thenAccept(requestResult ->
                response.complete(
                    sample.ended(
                        dressed(call, serverProtocol, answers.response(this, requestResult)))));
        CompletableFuture<Response> _ =
            response.whenComplete((_, _) -> asked.cancel(false)); // whoever gives up withdraws
      }
    }
  }

  private Question question(Call call, ServerProtocol serverProtocol) {
    return new Question(
        call.method(),
        serverProtocol.dressed(traced(ownParams(call), call.headers())),
        call.id(),
        call.method().equals(LISTEN) ? Question.UNLIMITED : source.answerMillis(),
        true);
  }

  /** Who says with each request who he is wants to be answered so, also by one who remembers. */
  private Response dressed(Call call, ServerProtocol serverProtocol, Response response) {
    boolean isStateless = StatelessMeta.isOf(call);
    return switch (serverProtocol) {
      case ServerProtocol.Sessions _ when response instanceof Ended ended && isStateless ->
          StatelessMeta.complete(call.method(), ended);
      case ServerProtocol.Stateless _ when !isStateless ->
          InputRequestBridge.of(this).withoutClient(response, call);
      case ServerProtocol.Sessions _, ServerProtocol.Stateless _ -> response;
    };
  }

  /** A client has a process of its own, which is started for it and ends with the conversation. */
  @Override
  public CompletableFuture<Opening> open(Introduction introduction) {
    return ready()
        .thenCompose(state ->
            switch (state) {
              case ProcessSupervisor.State.Down(var reason) ->
                  CompletableFuture.completedFuture(
                      new Opening.Failed(new Response.NotConnected(reason)));
              case ProcessSupervisor.State.Up(_, var serverProtocol) ->
                  legs.open(this, source, introduction, serverProtocol);
            });
  }

  private @Nullable String ownParams(Call call) {
    return CallTargets.withOwnName(call.method(), call.params(), source);
  }

  /** What a header says of the trace, where there are no headers. */
  private static @Nullable String traced(@Nullable String params, Map<String, String> headers) {
    String traced = params;
    for (String name : TRACE) {
      String value = headers.get(name);
      if (value != null && isMissing(traced, name)) {
        traced =
            MemberSplice.with(traced == null ? "{}" : traced, List.of(META, name), quoted(value));
      }
    }
    return traced;
  }

  private static boolean isMissing(@Nullable String params, String name) {
    return (params == null || params.startsWith("{"))
        && ObjectMembers.of(params).members(META).json(name).isEmpty();
  }
}
