package gatebook.api.wrap;

import gatebook.api.upstream.Upstream;
import gatebook.api.upstream.mcp.ToolListPages;
import gatebook.api.upstream.process.RequestResult;
import gatebook.api.upstream.process.StdioClient;
import gatebook.api.upstream.process.StdioClient.Question;
import gatebook.api.upstream.source.ProcessAnswers;
import gatebook.command.rules.Source;
import java.util.concurrent.CompletableFuture;

/** The server behind us, which one client talks to. It is introduced to by the client itself. */
final class WrappedServer implements Upstream.Defined {

  private static final String LISTEN = "subscriptions/listen";

  private final Source source;
  private final CompletableFuture<StdioClient> dialogue;
  private final ProcessAnswers answers;

  /** {@code dialogue} comes about once the server runs. */
  WrappedServer(Source source, CompletableFuture<StdioClient> dialogue, ProcessAnswers answers) {
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
    return new ToolListPages(this).all();
  }

  @Override
  public CompletableFuture<Response> call(Call call, Aside aside) {
    return dialogue.isDone()
        ? call(call, aside, dialogue.join())
        : dialogue.thenCompose(running -> call(call, aside, running));
  }

  private CompletableFuture<Response> call(Call call, Aside aside, StdioClient running) {
    if (call.notification()) {
      return CompletableFuture.completedFuture(
          answers.told(running.tell(call.method(), call.params())));
    }
    CompletableFuture<RequestResult> asked =
        running.ask(question(call), message -> ServerBridge.wait(aside.said(message)));
    CompletableFuture<Response> response =
        asked.thenApply(requestResult -> answers.response(this, requestResult));
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
