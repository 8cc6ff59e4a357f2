package gatebook.api.upstream.source;

import gatebook.api.rpc.MessageReader;
import gatebook.api.rpc.ResponseWriter;
import gatebook.api.rpc.RpcMessage;
import gatebook.api.upstream.Upstream;
import gatebook.api.upstream.Upstream.Session;
import gatebook.api.upstream.mcp.CallTargets;
import gatebook.api.upstream.mcp.InputRequestBridge;
import gatebook.api.upstream.mcp.PrefixingListener;
import gatebook.api.upstream.mcp.StatelessMeta;
import gatebook.api.upstream.mcp.ToolListPages;
import gatebook.api.upstream.process.RequestResult;
import gatebook.api.upstream.process.ServerProtocol;
import gatebook.api.upstream.process.StdioClient;
import gatebook.api.upstream.process.StdioClient.Question;
import gatebook.command.rules.Source;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A process that has one client. What it says does not name the call that it belongs to, but for
 * progress: it goes to whoever asked last and still waits, or else to whoever listens.
 */
final class ProcessSession implements Session, Upstream.OnBehalf {

  private static final String LISTEN = "subscriptions/listen";
  private static final String CANCELLED = "notifications/cancelled";
  private static final int METHOD_NOT_FOUND = -32601;

  private final Upstream outside;
  private final Source source;
  private final StdioClient stdioClient;
  private final ProcessAnswers answers;
  private final ServerProtocol serverProtocol;
  private final InputRequestBridge inputRequestBridge;
  private final String introduction;
  private final Deque<Aside> asking = new ConcurrentLinkedDeque<>();
  private volatile Aside listener = Aside.NOBODY;

  /**
   * A conversation that began.
   *
   * @param inputRequestBridge with the client, on behalf of a process that knows no conversations
   * @param introduction what the process said of itself
   */
  ProcessSession(
      Upstream outside,
      Source source,
      StdioClient stdioClient,
      ProcessAnswers answers,
      ServerProtocol serverProtocol,
      InputRequestBridge inputRequestBridge,
      String introduction) {
    this.outside = outside;
    this.source = source;
    this.stdioClient = stdioClient;
    this.answers = answers;
    this.serverProtocol = serverProtocol;
    this.inputRequestBridge = inputRequestBridge;
    this.introduction = introduction;
    stdioClient.listen(this::unasked);
  }

  @Override
  public Upstream outside() {
    return outside;
  }

  @Override
  public String introduction() {
    return introduction;
  }

  @Override
  public boolean isOpen() {
    return !stdioClient.ended().isDone();
  }

  @Override
  public CompletableFuture<Listing> tools() {
    return new ToolListPages(this).all();
  }

  @Override
  public CompletableFuture<Response> call(Call call, Aside aside) {
    if (call.notification()) {
      return CompletableFuture.completedFuture(answers.told(tell(call)));
    }
    asking.push(aside);
    CompletableFuture<RequestResult> asked =
        stdioClient.ask(question(call, aside), message -> said(aside, message));
    CompletableFuture<Response> response =
        asked.thenApply(requestResult -> answers.response(this, requestResult));
    CompletableFuture<Response> _ =
        response.whenComplete((_, failure) -> {
          asking.removeFirstOccurrence(aside);
          if (failure != null) {
            asked.cancel(false); // whoever gives up withdraws
          }
        });
    return serverProtocol instanceof ServerProtocol.Stateless && !StatelessMeta.isOf(call)
        ? inputRequestBridge.after(response, call, aside)
        : response;
  }

  /** Which call is cancelled, the process knows by another id, and is told when it is given up. */
  private boolean tell(Call call) {
    return call.method().equals(CANCELLED) || stdioClient.tell(call.method(), ownParams(call));
  }

  private Question question(Call call, Aside aside) {
    return new Question(
        call.method(),
        serverProtocol.dressed(
            ownParams(call), aside.equals(Aside.NOBODY) ? "{}" : inputRequestBridge.capabilities()),
        call.id(),
        call.method().equals(LISTEN) ? Question.UNLIMITED : source.answerMillis(),
        true);
  }

  private @Nullable String ownParams(Call call) {
    return CallTargets.withOwnName(call.method(), call.params(), source);
  }

  private void unasked(byte[] message) {
    Aside last = asking.peek();
    boolean isTaken = (last != null && said(last, message)) || said(listener, message);
    if (!isTaken
        && new MessageReader(MessageReader.DEPTH_MAX).read(message)
            instanceof RpcMessage.Request(var id, _, _)) {
      boolean _ =
          stdioClient.pass(
              ResponseWriter.error(id, METHOD_NOT_FOUND, "nobody can be asked now", null));
    }
  }

  /** Whether it was taken; the process waits for that, and nobody else does. */
  private boolean said(Aside aside, byte[] message) {
    return PrefixingListener.of(aside, source)
        .said(message)
        .copy()
        .completeOnTimeout(false, source.answerMillis(), TimeUnit.MILLISECONDS)
        .exceptionally(_ -> false)
        .join();
  }

  @Override
  public Runnable listen(Aside aside) {
    listener = aside;
    return () -> {
      if (listener.equals(aside)) {
        listener = Aside.NOBODY;
      }
    };
  }

  @Override
  public CompletableFuture<Response> reply(byte[] answer) {
    return CompletableFuture.completedFuture(
        answers.told(inputRequestBridge.take(answer) || stdioClient.pass(answer)));
  }

  @Override
  public void close() {
    inputRequestBridge.end();
    stdioClient.stop();
  }
}
