package gatebook.api.upstream;

import gatebook.api.rpc.Answer;
import gatebook.api.rpc.Message;
import gatebook.api.rpc.MessageReader;
import gatebook.api.upstream.Upstream.Leg;
import gatebook.api.upstream.process.Dialogue;
import gatebook.api.upstream.process.Dialogue.Question;
import gatebook.api.upstream.process.Ending;
import gatebook.api.upstream.process.Era;
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
final class ProcessLeg implements Leg, Upstream.OnBehalf {

  private static final String LISTEN = "subscriptions/listen";
  private static final String CANCELLED = "notifications/cancelled";
  private static final int METHOD_NOT_FOUND = -32601;

  private final Upstream outside;
  private final Source source;
  private final Dialogue dialogue;
  private final LineAnswers answers;
  private final Era era;
  private final Interview interview;
  private final String introduction;
  private final Deque<Aside> asking = new ConcurrentLinkedDeque<>();
  private volatile Aside listener = Aside.NOBODY;

  /**
   * A conversation that began.
   *
   * @param interview with the client, on behalf of a process that knows no conversations
   * @param introduction what the process said of itself
   */
  ProcessLeg(
      Upstream outside,
      Source source,
      Dialogue dialogue,
      LineAnswers answers,
      Era era,
      Interview interview,
      String introduction) {
    this.outside = outside;
    this.source = source;
    this.dialogue = dialogue;
    this.answers = answers;
    this.era = era;
    this.interview = interview;
    this.introduction = introduction;
    dialogue.listen(this::unasked);
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
    return !dialogue.ended().isDone();
  }

  @Override
  public CompletableFuture<Listing> tools() {
    return new ToolPages(this).all();
  }

  @Override
  public CompletableFuture<Response> call(Call call, Aside aside) {
    if (call.notification()) {
      return CompletableFuture.completedFuture(answers.told(tell(call)));
    }
    asking.push(aside);
    CompletableFuture<Ending> asked =
        dialogue.ask(question(call, aside), message -> said(aside, message));
    CompletableFuture<Response> response =
        asked.thenApply(ending -> answers.response(this, ending));
    CompletableFuture<Response> _ =
        response.whenComplete((_, failure) -> {
          asking.removeFirstOccurrence(aside);
          if (failure != null) {
            asked.cancel(false); // whoever gives up withdraws
          }
        });
    return era instanceof Era.Stateless && !Stateless.isOf(call)
        ? interview.after(response, call, aside)
        : response;
  }

  /** Which call is cancelled, the process knows by another id, and is told when it is given up. */
  private boolean tell(Call call) {
    return call.method().equals(CANCELLED) || dialogue.tell(call.method(), ownParams(call));
  }

  private Question question(Call call, Aside aside) {
    return new Question(
        call.method(),
        era.dressed(ownParams(call), aside.equals(Aside.NOBODY) ? "{}" : interview.capabilities()),
        call.id(),
        call.method().equals(LISTEN) ? Question.UNLIMITED : source.answerMillis(),
        true);
  }

  private @Nullable String ownParams(Call call) {
    return Names.withOwnName(call.method(), call.params(), source);
  }

  private void unasked(byte[] message) {
    Aside last = asking.peek();
    boolean isTaken = (last != null && said(last, message)) || said(listener, message);
    if (!isTaken
        && new MessageReader(MessageReader.DEPTH_MAX).read(message)
            instanceof Message.Request(var id, _, _)) {
      boolean _ =
          dialogue.pass(Answer.error(id, METHOD_NOT_FOUND, "nobody can be asked now", null));
    }
  }

  /** Whether it was taken; the process waits for that, and nobody else does. */
  private boolean said(Aside aside, byte[] message) {
    return ByCallersNames.of(aside, source)
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
        answers.told(interview.take(answer) || dialogue.pass(answer)));
  }

  @Override
  public void close() {
    interview.end();
    dialogue.stop();
  }
}
