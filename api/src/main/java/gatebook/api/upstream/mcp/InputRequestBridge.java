package gatebook.api.upstream.mcp;

import static gatebook.api.rpc.JsonStrings.quoted;
import static java.nio.charset.StandardCharsets.UTF_8;

import gatebook.api.rpc.ClientReply;
import gatebook.api.rpc.MemberSplice;
import gatebook.api.rpc.MessageReader;
import gatebook.api.rpc.ObjectMembers;
import gatebook.api.upstream.DeferredCall;
import gatebook.api.upstream.Upstream;
import gatebook.api.upstream.Upstream.Aside;
import gatebook.api.upstream.Upstream.Call;
import gatebook.api.upstream.Upstream.Ended;
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
 * Has a client of the older revisions asked what a source of the stateless ones wants to know: what
 * the source gives as its result becomes questions to the client, and the client's answers become
 * part of the same call, which is to be sent once more.
 */
public final class InputRequestBridge {

  private static final String REQUESTS = "inputRequests";
  private static final String RESPONSES = "inputResponses";
  private static final String STATE = "requestState";

  /** What a client has to be able to do to be asked this. */
  private static final Map<String, String> ABILITIES =
      Map.of(
          "elicitation/create", "elicitation",
          "sampling/createMessage", "sampling",
          "roots/list", "roots");

  private final String source;
  private final Map<String, String> able;
  private final long millisMax;
  private final Map<String, CompletableFuture<Optional<ClientReply>>> open =
      new ConcurrentHashMap<>();
  private final AtomicLong numbers = new AtomicLong();

  /**
   * Has asked nothing yet.
   *
   * @param source its id
   * @param introduction how the client introduced itself
   * @param millisMax how long it may take to answer
   */
  public InputRequestBridge(String source, String introduction, long millisMax) {
    this.source = source;
    this.able = able(introduction);
    this.millisMax = millisMax;
  }

  /** With somebody who cannot be asked anything. */
  public static InputRequestBridge of(Upstream upstream) {
    return new InputRequestBridge(upstream.source(), "{}", 0);
  }

  private static Map<String, String> able(String introduction) {
    ObjectMembers capabilities = ObjectMembers.of(introduction).members("capabilities");
    Map<String, String> able = new LinkedHashMap<>();
    ABILITIES.values().stream()
        .sorted()
        .forEach(ability ->
            capabilities
                .json(ability)
                .filter(json -> json.startsWith("{"))
                // that its roots may change is said by nobody any more
                .ifPresent(json -> able.put(ability, ability.equals("roots") ? "{}" : json)));
    return able;
  }

  /** What the client can be asked for, as the text of an object. */
  public String capabilities() {
    StringJoiner all = new StringJoiner(",", "{", "}");
    able.forEach((ability, how) -> all.add(quoted(ability) + ":" + how));
    return all.toString();
  }

  /** The response as the caller of an older revision can take it; it may be given up. */
  public CompletableFuture<Response> after(
      CompletableFuture<Response> sent, Call call, Aside aside) {
    CompletableFuture<Response> understood =
        DeferredCall.call(sent, response -> understood(response, call, aside));
    CompletableFuture<Response> _ =
        understood.whenComplete((_, failure) -> {
          if (failure != null) {
            sent.cancel(false);
          }
        });
    return understood;
  }

  /** The same where nobody can be asked, so that it is known at once. */
  public Response withoutClient(Response response, Call call) {
    return understood(response, call, Aside.NOBODY).join();
  }

  private CompletableFuture<Response> understood(Response response, Call call, Aside aside) {
    if (!(response instanceof Ended.Result(var json, _, _)) || !isOfInput(json)) {
      return CompletableFuture.completedFuture(response);
    }
    ObjectMembers result = ObjectMembers.of(json);
    Map<String, String> requests = new LinkedHashMap<>();
    result.members(REQUESTS).forEach(requests::put);
    if (requests.isEmpty() && result.json(STATE).isEmpty()) {
      return CompletableFuture.completedFuture(failed("it needs input, and does not say which"));
    }
    return refusal(requests)
        .map(CompletableFuture::completedFuture)
        .orElseGet(() -> asked(requests, result.json(STATE), call, aside));
  }

  private static boolean isOfInput(String json) {
    return json.contains("input_required")
        && ObjectMembers.of(json).text("resultType").filter("input_required"::equals).isPresent();
  }

  /** Why the client is asked nothing of it. */
  private Optional<Response> refusal(Map<String, String> requests) {
    return requests.values().stream()
        .map(request -> ObjectMembers.of(request).text("method").orElse(""))
        .filter(method -> !able.containsKey(ABILITIES.getOrDefault(method, "")))
        .findFirst()
        .map(method ->
            failed(
                ABILITIES.containsKey(method)
                    ? "it needs %s of the client, which did not say that it can be asked for that"
                        .formatted(method)
                    : "it needs something of the client for which nobody can be asked"));
  }

  private CompletableFuture<Response> asked(
      Map<String, String> requests, Optional<String> state, Call call, Aside aside) {
    Map<String, CompletableFuture<Optional<ClientReply>>> replies = new LinkedHashMap<>();
    requests.forEach((key, request) -> replies.put(key, asked(ObjectMembers.of(request), aside)));
    CompletableFuture<Response> response = new CompletableFuture<>();
    CompletableFuture<Void> _ =
        CompletableFuture.allOf(replies.values().toArray(CompletableFuture<?>[]::new))
            .thenRun(() -> response.complete(told(replies, state, call)));
    // whoever gives up waits for no answer
    CompletableFuture<Response> _ =
        response.whenComplete(
            (_, _) -> replies.values().forEach(reply -> reply.complete(Optional.empty())));
    return response;
  }

  /** Completed with what the client answers, or nothing. */
  private CompletableFuture<Optional<ClientReply>> asked(ObjectMembers request, Aside aside) {
    String id = "\"input-%d\"".formatted(numbers.incrementAndGet());
    CompletableFuture<Optional<ClientReply>> reply = new CompletableFuture<>();
    open.put(id, reply);
    reply.completeOnTimeout(Optional.empty(), millisMax, TimeUnit.MILLISECONDS);
    CompletableFuture<Optional<ClientReply>> _ = reply.whenComplete((_, _) -> open.remove(id));
    CompletableFuture<Boolean> _ =
        aside
            .said(question(id, request))
            .whenComplete((isTaken, failure) -> {
              if (failure != null || !isTaken) {
                reply.complete(Optional.empty());
              }
            });
    return reply;
  }

  private static byte[] question(String id, ObjectMembers request) {
    return "{\"jsonrpc\":\"2.0\",\"id\":%s,\"method\":%s%s}"
        .formatted(
            id,
            quoted(request.text("method").orElse("")),
            request.json("params").map(",\"params\":"::concat).orElse(""))
        .getBytes(UTF_8);
  }

  private Response told(
      Map<String, CompletableFuture<Optional<ClientReply>>> replies,
      Optional<String> state,
      Call call) {
    StringJoiner answers = new StringJoiner(",", "{", "}");
    for (Map.Entry<String, CompletableFuture<Optional<ClientReply>>> each : replies.entrySet()) {
      Optional<ClientReply> reply = each.getValue().join();
      if (reply.isEmpty() || reply.get().isError()) {
        return failed(
            reply.isEmpty()
                ? "it needs something of the client, which did not answer"
                : "it needs something of the client, which refused");
      }
      answers.add(quoted(each.getKey()) + ":" + reply.get().content());
    }
    return new Response.Again(again(call, replies.isEmpty() ? null : answers.toString(), state));
  }

  /** The same call, with what was asked for last; it has another id. */
  private static Call again(Call call, @Nullable String answers, Optional<String> state) {
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

  /** Whether it answers a question that is still open. */
  public boolean take(byte[] answer) {
    Optional<ClientReply> reply = ClientReply.of(answer, MessageReader.DEPTH_MAX);
    CompletableFuture<Optional<ClientReply>> question =
        reply.map(it -> open.get(it.id())).orElse(null);
    return question != null && question.complete(reply);
  }

  /** Nobody answers any longer. */
  public void end() {
    List.copyOf(open.values()).forEach(question -> question.complete(Optional.empty()));
  }

  private Response failed(String words) {
    return new Ended.Failure(new UpstreamError(source, null, words, null, null));
  }
}
