package gatebook.api.wrap;

import gatebook.api.upstream.LineAnswers;
import gatebook.api.upstream.ToolPages;
import gatebook.api.upstream.Upstream;
import gatebook.api.upstream.process.Dialogue;
import gatebook.api.upstream.process.Dialogue.Question;
import gatebook.api.upstream.process.Ending;
import gatebook.command.rules.Source;
import java.util.concurrent.CompletableFuture;

/** The server behind us, which one client talks to. It is introduced to by the client itself. */
final class WrappedServer implements Upstream.Defined {

  private static final String LISTEN = "subscriptions/listen";

  private final Source source;
  private final CompletableFuture<Dialogue> dialogue;
  private final LineAnswers answers;

  /** {@code dialogue} comes about once the server runs. */
  WrappedServer(Source source, CompletableFuture<Dialogue> dialogue, LineAnswers answers) {
    this.source = source;
    this.dialogue = dialogue;
    this.answers = answers;
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
    return dialogue.isDone()
        ? call(call, aside, dialogue.join())
        : dialogue.thenCompose(running -> call(call, aside, running));
  }

  private CompletableFuture<Response> call(Call call, Aside aside, Dialogue running) {
    if (call.notification()) {
      return CompletableFuture.completedFuture(
          answers.told(running.tell(call.method(), call.params())));
    }
    CompletableFuture<Ending> asked =
        running.ask(question(call), message -> Aloud.wait(aside.said(message)));
    CompletableFuture<Response> response =
        asked.thenApply(ending -> answers.response(this, ending));
    CompletableFuture<Response> _ =
        response.whenComplete((_, failure) -> {
          if (failure != null) {
            asked.cancel(false); // whoever gives up withdraws
          }
        });
    return response;
  }

  /** A server is never told that nobody waits to be introduced any longer. */
  private Question question(Call call) {
    return new Question(
        call.method(),
        call.params(),
        call.id(),
        call.method().equals(LISTEN) ? Question.UNLIMITED : source.answerMillis(),
        !call.method().equals("initialize"));
  }
}
