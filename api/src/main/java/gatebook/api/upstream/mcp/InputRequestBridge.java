package gatebook.api.upstream.mcp;

import static gatebook.api.rpc.JsonStrings.quoted;

import gatebook.api.rpc.ClientReply;
import gatebook.api.rpc.MemberSplice;
import gatebook.api.rpc.MessageReader;
import gatebook.api.rpc.MessageWriter;
import gatebook.api.rpc.ObjectMembers;
import gatebook.api.upstream.DeferredCall;
import gatebook.api.upstream.Upstream;
import gatebook.api.upstream.Upstream.Call;
import gatebook.api.upstream.Upstream.Ended;
import gatebook.api.upstream.Upstream.MessageListener;
import gatebook.api.upstream.Upstream.Response;
import gatebook.events.fault.UpstreamFault.UpstreamError;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.StringJoiner;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Bridges input requests of a stateless source to a client of an older revision. The input requests
 * in the source's result are sent to the client as requests. The client's answers become part of
 * the same call, which is then sent again.
 */
public final class InputRequestBridge {

  private static final String REQUESTS = "inputRequests";
  private static final String RESPONSES = "inputResponses";
  private static final String STATE = "requestState";

  /** The client capability that each request needs. */
  private static final Map<String, String> CAPABILITIES =
      Map.of(
          McpMethod.ELICITATION_CREATE, "elicitation",
          McpMethod.SAMPLING_CREATE_MESSAGE, "sampling",
          McpMethod.ROOTS_LIST, "roots");

  private final String source;
  private final Map<String, String> capabilities;
  private final long millisMax;
  private final Map<String, CompletableFuture<Optional<ClientReply>>> open =
      new ConcurrentHashMap<>();
  private final AtomicLong numbers = new AtomicLong();

  /**
   * Has sent no request yet.
   *
   * @param source the id of the source
   * @param initializeParams the params of the client's {@code initialize}
   * @param millisMax how long the client may take to answer
   */
  public InputRequestBridge(String source, String initializeParams, long millisMax) {
    this.source = source;
    this.capabilities = capabilities(initializeParams);
    this.millisMax = millisMax;
  }

  /** A bridge to a client without capabilities. */
  public static InputRequestBridge of(Upstream upstream) {
    return new InputRequestBridge(upstream.source(), "{}", 0);
  }

  private static Map<String, String> capabilities(String initializeParams) {
    ObjectMembers capabilities = ObjectMembers.of(initializeParams).members("capabilities");
    Map<String, String> able = new LinkedHashMap<>();
    CAPABILITIES.values().stream()
        .sorted()
        .forEach(capability ->
            capabilities
                .json(capability)
                .filter(json -> json.startsWith("{"))
                // the newer revisions do not announce changes of roots
                .ifPresent(json -> able.put(capability, capability.equals("roots") ? "{}" : json)));
    return able;
  }

  /** The capabilities of the client, as the text of an object. */
  public String capabilities() {
    StringJoiner all = new StringJoiner(",", "{", "}");
    capabilities.forEach((capability, how) -> all.add(quoted(capability) + ":" + how));
    return all.toString();
  }

  /**
   * The response as a caller of an older revision understands it. Cancelling it cancels the call
   * that was sent.
   */
  public CompletableFuture<Response> resolve(
      CompletableFuture<Response> sent, Call call, MessageListener listener) {
    CompletableFuture<Response> understood =
        DeferredCall.call(sent, response -> resolved(response, call, listener));
    CompletableFuture<Response> _ =
        understood.whenComplete((_, failure) -> {
          if (failure != null) {
            sent.cancel(false);
          }
        });
    return understood;
  }

  /** The same without a client to send requests to, so the response is known at once. */
  public Response withoutClient(Response response, Call call) {
    return resolved(response, call, MessageListener.NONE).join();
  }

  private CompletableFuture<Response> resolved(
      Response response, Call call, MessageListener listener) {
    if (!(response instanceof Ended.Result(var json, _, _)) || !isInputRequired(json)) {
      return CompletableFuture.completedFuture(response);
    }
    ObjectMembers result = ObjectMembers.of(json);
    Map<String, String> requests = new LinkedHashMap<>();
    result.members(REQUESTS).forEach(requests::put);
    if (requests.isEmpty() && result.json(STATE).isEmpty()) {
      return CompletableFuture.completedFuture(failed("it needs input and does not say which"));
    }
    return refusal(requests)
        .map(CompletableFuture::completedFuture)
        .orElseGet(() -> ask(requests, result.json(STATE), call, listener));
  }

  private static boolean isInputRequired(String json) {
    return json.contains("input_required")
        && ObjectMembers.of(json).text("resultType").filter("input_required"::equals).isPresent();
  }

  /** Why no request is sent to the client; empty when the client supports all of them. */
  private Optional<Response> refusal(Map<String, String> requests) {
    return requests.values().stream()
        .map(request -> ObjectMembers.of(request).text("method").orElse(""))
        .filter(method -> !capabilities.containsKey(CAPABILITIES.getOrDefault(method, "")))
        .findFirst()
        .map(method ->
            failed(
                CAPABILITIES.containsKey(method)
                    ? "it needs %s from the client, which did not declare that capability"
                        .formatted(method)
                    : "it needs input that no client can be asked for"));
  }

  private CompletableFuture<Response> ask(
      Map<String, String> requests, Optional<String> state, Call call, MessageListener listener) {
    Map<String, CompletableFuture<Optional<ClientReply>>> replies = new LinkedHashMap<>();
    requests.forEach((key, request) -> replies.put(key, ask(ObjectMembers.of(request), listener)));
    CompletableFuture<Response> response = new CompletableFuture<>();
    CompletableFuture<Void> _ =
        CompletableFuture.allOf(replies.values().toArray(CompletableFuture<?>[]::new))
            .thenRun(() -> response.complete(resend(replies, state, call)));
    // a cancelled call waits for no answer
    CompletableFuture<Response> _ =
        response.whenComplete(
            (_, _) -> replies.values().forEach(reply -> reply.complete(Optional.empty())));
    return response;
  }

  /** Sends one request; completes with the answer of the client, or empty. */
  private CompletableFuture<Optional<ClientReply>> ask(
      ObjectMembers request, MessageListener listener) {
    String id = "\"input-%d\"".formatted(numbers.incrementAndGet());
    CompletableFuture<Optional<ClientReply>> reply = new CompletableFuture<>();
    open.put(id, reply);
    reply.completeOnTimeout(Optional.empty(), millisMax, TimeUnit.MILLISECONDS);
    CompletableFuture<Optional<ClientReply>> _ = reply.whenComplete((_, _) -> open.remove(id));
    CompletableFuture<Boolean> _ =
        listener
            .onMessage(request(id, request))
            .whenComplete((isDelivered, failure) -> {
              if (failure != null || !isDelivered) {
                reply.complete(Optional.empty());
              }
            });
    return reply;
  }

  private static byte[] request(String id, ObjectMembers request) {
    return MessageWriter.request(
        id, request.text("method").orElse(""), request.json("params").orElse(null));
  }

  private Response resend(
      Map<String, CompletableFuture<Optional<ClientReply>>> replies,
      Optional<String> state,
      Call call) {
    StringJoiner answers = new StringJoiner(",", "{", "}");
    for (Map.Entry<String, CompletableFuture<Optional<ClientReply>>> each : replies.entrySet()) {
      Optional<ClientReply> reply = each.getValue().join();
      if (reply.isEmpty() || reply.get().isError()) {
        return failed(
            reply.isEmpty()
                ? "it needs input from the client, which did not answer"
                : "it needs input from the client, which refused");
      }
      answers.add(quoted(each.getKey()) + ":" + reply.get().content());
    }
    return new Response.Resend(
        withInput(call, replies.isEmpty() ? null : answers.toString(), state));
  }

  /** The same call with the input that was asked for last, under a new id. */
  private static Call withInput(Call call, @Nullable String answers, Optional<String> state) {
    String params = call.params() == null ? "{}" : call.params();
    String answered = set(params, answers, RESPONSES);
    return new Call(
        null, call.method(), set(answered, state.orElse(null), STATE), false, call.headers());
  }

  private static String set(String params, @Nullable String value, String member) {
    return value == null
        ? MemberSplice.without(params, List.of(member))
        : MemberSplice.with(params, List.of(member), value);
  }

  /** Takes an answer of the client; false when it answers no open request. */
  public boolean accept(byte[] answer) {
    Optional<ClientReply> reply = ClientReply.of(answer, MessageReader.DEPTH_MAX);
    CompletableFuture<Optional<ClientReply>> request =
        reply.map(it -> open.get(it.id())).orElse(null);
    return request != null && request.complete(reply);
  }

  /** Ends all open requests without an answer. */
  public void close() {
    List.copyOf(open.values()).forEach(request -> request.complete(Optional.empty()));
  }

  private Response failed(String words) {
    return new Ended.Failure(new UpstreamError(source, null, words, null, null));
  }
}
