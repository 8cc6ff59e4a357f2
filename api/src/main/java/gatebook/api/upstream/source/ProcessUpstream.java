package gatebook.api.upstream.source;

import static gatebook.api.rpc.JsonStrings.quoted;

import gatebook.api.rpc.MemberSplice;
import gatebook.api.rpc.ObjectMembers;
import gatebook.api.upstream.DroppingListener;
import gatebook.api.upstream.Upstream;
import gatebook.api.upstream.mcp.CallTargets;
import gatebook.api.upstream.mcp.InputRequestBridge;
import gatebook.api.upstream.mcp.McpMethod;
import gatebook.api.upstream.mcp.PrefixingListener;
import gatebook.api.upstream.mcp.StatelessMeta;
import gatebook.api.upstream.mcp.ToolListPages;
import gatebook.api.upstream.process.ProcessSupervisor;
import gatebook.api.upstream.process.ServerProtocol;
import gatebook.command.rules.Source;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** An upstream that is a local process, shared by all callers. */
final class ProcessUpstream implements Upstream.Defined {

  private static final String META = "_meta";
  private static final List<String> TRACE = List.of("traceparent", "tracestate");

  private final Source source;
  private final ProcessSupervisor processSupervisor;
  private final ProcessCalls calls;
  private final UpstreamMeters meters;
  private final ProcessSessions sessions;

  ProcessUpstream(
      Source source,
      ProcessSupervisor processSupervisor,
      ProcessCalls calls,
      UpstreamMeters meters,
      ProcessSessions sessions) {
    this.sessions = sessions;
    this.source = source;
    this.processSupervisor = processSupervisor;
    this.calls = calls;
    this.meters = meters;
  }

  @Override
  public Source definition() {
    return source;
  }

  @Override
  public CompletableFuture<Listing> listTools() {
    return new ToolListPages(this).fetchAll();
  }

  @Override
  public CompletableFuture<Response> call(Call call, MessageListener listener) {
    UpstreamMeters.Sample sample = meters.start();
    CompletableFuture<Response> response = new CompletableFuture<>();
    CompletableFuture<Void> _ =
        ready()
            .thenAccept(state -> {
              if (!response.isDone()) {
                send(
                    state,
                    call,
                    new DroppingListener(PrefixingListener.of(listener, source)),
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
            sample.recordFailure(failure);
          }
        });
    return response;
  }

  /** Waits for a process that is starting, but not longer than the connect timeout. */
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

  private void send(
      ProcessSupervisor.State state,
      Call call,
      DroppingListener listener,
      UpstreamMeters.Sample sample,
      CompletableFuture<Response> response) {
    switch (state) {
      case ProcessSupervisor.State.Down(var reason) ->
          response.complete(sample.record(new Response.NotConnected(reason)));
      case ProcessSupervisor.State.Up(_, ServerProtocol.Sessions(var introduction))
          when call.method().equals(McpMethod.SERVER_DISCOVER) ->
          response.complete(
              sample.record(new Ended.Result(StatelessMeta.discoverResult(introduction), false)));
      case ProcessSupervisor.State.Up(var stdioClient, _) when call.notification() ->
          response.complete(
              sample.record(
                  calls.accepted(stdioClient.sendNotification(call.method(), ownParams(call)))));
      case ProcessSupervisor.State.Up(var stdioClient, var serverProtocol) -> {
        CompletableFuture<Response> sent =
            calls.send(
                this,
                stdioClient,
                call,
                serverProtocol.params(withTrace(ownParams(call), call.headers())),
                listener);
        CompletableFuture<Void> _ =
            sent.thenAccept(answer ->
                    response.complete(sample.record(translated(call, serverProtocol, answer))))
                .exceptionally(failure -> {
                  response.completeExceptionally(failure);
                  return null;
                });
        CompletableFuture<Response> _ =
            response.whenComplete(
                (_, _) -> sent.cancel(false)); // cancels the request at the process
      }
    }
  }

  /** Translates responses between the stateless revisions and those with sessions. */
  private Response translated(Call call, ServerProtocol serverProtocol, Response response) {
    boolean isStateless = StatelessMeta.isStateless(call);
    return switch (serverProtocol) {
      case ServerProtocol.Sessions _ when response instanceof Ended ended && isStateless ->
          StatelessMeta.complete(call.method(), ended);
      case ServerProtocol.Stateless _ when !isStateless ->
          InputRequestBridge.of(this).withoutClient(response, call);
      case ServerProtocol.Sessions _, ServerProtocol.Stateless _ -> response;
    };
  }

  /** Starts a process for the client alone, which ends with the session. */
  @Override
  public CompletableFuture<Opening> open(InitializeRequest initializeRequest) {
    UpstreamMeters.Sample sample = meters.start();
    return sample.recordFailed(ready().thenCompose(state -> open(initializeRequest, state)));
  }

  private CompletableFuture<Opening> open(
      InitializeRequest initializeRequest, ProcessSupervisor.State state) {
    return switch (state) {
      case ProcessSupervisor.State.Down(var reason) ->
          CompletableFuture.completedFuture(new Opening.Failed(new Response.NotConnected(reason)));
      case ProcessSupervisor.State.Up(_, var serverProtocol) ->
          sessions.open(this, source, initializeRequest, serverProtocol);
    };
  }

  private @Nullable String ownParams(Call call) {
    return CallTargets.forSource(call, source);
  }

  /** Copies the trace from the headers into the params, as a process gets no headers. */
  private static @Nullable String withTrace(@Nullable String params, Map<String, String> headers) {
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
