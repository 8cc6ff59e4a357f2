package gatebook.api.upstream.source;

import gatebook.api.upstream.Upstream;
import gatebook.api.upstream.Upstream.Session;
import gatebook.api.upstream.http.ExchangeResult;
import gatebook.api.upstream.mcp.InputRequestBridge;
import gatebook.api.upstream.mcp.StatelessMeta;
import gatebook.api.upstream.mcp.ToolListPages;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;

/** A source over HTTP in the conversation with one client. */
final class HttpSession implements Session, Upstream.OnBehalf {

  private final Upstream outside;
  private final HttpRequests httpRequests;
  private final ProtocolMode protocolMode;
  private final InputRequestBridge inputRequestBridge;
  private final String introduction;
  private volatile boolean open = true;

  /** {@code interview} is with the client, on behalf of a source that knows no conversations. */
  HttpSession(
      Upstream outside,
      HttpRequests httpRequests,
      ProtocolMode protocolMode,
      InputRequestBridge inputRequestBridge,
      String introduction) {
    this.outside = outside;
    this.httpRequests = httpRequests;
    this.protocolMode = protocolMode;
    this.inputRequestBridge = inputRequestBridge;
    this.introduction = introduction;
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
    return open;
  }

  @Override
  public CompletableFuture<Response> call(Call call, Aside aside) {
    String id = call.id() == null ? "\"gatebook-%s\"".formatted(httpRequests.newId()) : call.id();
    HttpAnswers httpAnswers = httpRequests.answers(call.notification() ? null : id, aside);
    if (protocolMode instanceof ProtocolMode.Stateless
        && !call.notification()
        && !StatelessMeta.isOf(call)) {
      return inputRequestBridge.after(
          httpRequests.send(asked(aside), call, httpAnswers), call, aside);
    }
    CompletableFuture<Response> response = httpRequests.send(protocolMode, call, httpAnswers);
    CompletableFuture<Response> _ =
        response.whenComplete((how, _) -> {
          if (how != null && hasSession() && HttpRequests.isOfNoSession(how)) {
            open = false;
          }
        });
    return response;
  }

  /** Who does not hear anything aside cannot be asked anything. */
  private ProtocolMode asked(Aside aside) {
    return aside.equals(Aside.NOBODY)
        ? protocolMode
        : new ProtocolMode.Stateless(inputRequestBridge.capabilities());
  }

  private boolean hasSession() {
    return protocolMode instanceof ProtocolMode.Agreed(_, var session, _) && session != null;
  }

  @Override
  public CompletableFuture<Listing> tools() {
    return new ToolListPages(this).all();
  }

  @Override
  public Runnable listen(Aside aside) {
    if (!(protocolMode instanceof ProtocolMode.Agreed)) {
      return () -> {};
    }
    Listening listening = new Listening(httpRequests.answers(HttpAnswers.OF_NOTHING, aside));
    listening.begin();
    return listening::end;
  }

  /** One stream after the other, for as long as the source gives any. */
  private final class Listening {
    private final HttpAnswers httpAnswers;
    private final AtomicReference<CompletableFuture<ExchangeResult>> current =
        new AtomicReference<>(new CompletableFuture<>());
    private volatile boolean ended;

    Listening(HttpAnswers httpAnswers) {
      this.httpAnswers = httpAnswers;
    }

    void begin() {
      CompletableFuture<ExchangeResult> sent = httpRequests.listen(protocolMode, httpAnswers);
      current.set(sent);
      if (ended) {
        sent.cancel(false);
      }
      CompletableFuture<ExchangeResult> _ =
          sent.whenComplete((exchangeResult, failure) -> {
            if (failure == null && !ended && HttpRequests.isCut(exchangeResult)) {
              HttpRequests.afterPause(httpAnswers, this::beginAgain);
            }
          });
    }

    private void beginAgain() {
      if (!ended) {
        begin();
      }
    }

    void end() {
      ended = true;
      current.get().cancel(false);
    }
  }

  @Override
  public CompletableFuture<Response> reply(byte[] answer) {
    if (!(protocolMode instanceof ProtocolMode.Stateless)) {
      return httpRequests.reply(protocolMode, answer);
    }
    boolean _ = inputRequestBridge.take(answer);
    return CompletableFuture.completedFuture(new Ended.Accepted());
  }

  @Override
  public void close() {
    open = false;
    inputRequestBridge.end();
    if (hasSession()) {
      CompletableFuture<ExchangeResult> _ = httpRequests.leave(protocolMode);
    }
  }
}
