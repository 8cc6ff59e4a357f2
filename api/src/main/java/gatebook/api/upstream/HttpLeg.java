package gatebook.api.upstream;

import gatebook.api.upstream.Upstream.Leg;
import gatebook.api.upstream.http.Ending;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;

/** A source over HTTP in the conversation with one client. */
final class HttpLeg implements Leg, Upstream.OnBehalf {

  private final Upstream outside;
  private final Requests requests;
  private final Talk talk;
  private final Interview interview;
  private final String introduction;
  private volatile boolean open = true;

  /** {@code interview} is with the client, on behalf of a source that knows no conversations. */
  HttpLeg(
      Upstream outside, Requests requests, Talk talk, Interview interview, String introduction) {
    this.outside = outside;
    this.requests = requests;
    this.talk = talk;
    this.interview = interview;
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
    String id = call.id() == null ? "\"gatebook-%s\"".formatted(requests.newId()) : call.id();
    Answers answers = requests.answers(call.notification() ? null : id, aside);
    if (talk instanceof Talk.Stateless && !call.notification() && !Stateless.isOf(call)) {
      return interview.after(requests.send(asked(aside), call, answers), call, aside);
    }
    CompletableFuture<Response> response = requests.send(talk, call, answers);
    CompletableFuture<Response> _ =
        response.whenComplete((how, _) -> {
          if (how != null && hasSession() && Requests.isOfNoSession(how)) {
            open = false;
          }
        });
    return response;
  }

  /** Who does not hear anything aside cannot be asked anything. */
  private Talk asked(Aside aside) {
    return aside.equals(Aside.NOBODY) ? talk : new Talk.Stateless(interview.capabilities());
  }

  private boolean hasSession() {
    return talk instanceof Talk.Agreed(_, var session, _) && session != null;
  }

  @Override
  public CompletableFuture<Listing> tools() {
    return new ToolPages(this).all();
  }

  @Override
  public Runnable listen(Aside aside) {
    if (!(talk instanceof Talk.Agreed)) {
      return () -> {};
    }
    Listening listening = new Listening(requests.answers(Answers.OF_NOTHING, aside));
    listening.begin();
    return listening::end;
  }

  /** One stream after the other, for as long as the source gives any. */
  private final class Listening {
    private final Answers answers;
    private final AtomicReference<CompletableFuture<Ending>> current =
        new AtomicReference<>(new CompletableFuture<>());
    private volatile boolean ended;

    Listening(Answers answers) {
      this.answers = answers;
    }

    void begin() {
      CompletableFuture<Ending> sent = requests.listen(talk, answers);
      current.set(sent);
      if (ended) {
        sent.cancel(false);
      }
      CompletableFuture<Ending> _ =
          sent.whenComplete((ending, failure) -> {
            if (failure == null && !ended && Requests.isCut(ending)) {
              Requests.afterPause(answers, this::beginAgain);
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
    if (!(talk instanceof Talk.Stateless)) {
      return requests.reply(talk, answer);
    }
    boolean _ = interview.take(answer);
    return CompletableFuture.completedFuture(new Ended.Accepted());
  }

  @Override
  public void close() {
    open = false;
    interview.end();
    if (hasSession()) {
      CompletableFuture<Ending> _ = requests.leave(talk);
    }
  }
}
