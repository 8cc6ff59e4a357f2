package gatebook.api.wrap;

import gatebook.api.upstream.LineAnswers;
import gatebook.api.upstream.ToolPages;
import gatebook.api.upstream.Upstream;
import gatebook.api.upstream.process.Dialogue;
import gatebook.api.upstream.process.Dialogue.Question;
import gatebook.api.upstream.process.Ending;
import gatebook.command.receive.Forwarding;
import gatebook.command.rules.Source;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The server behind us, which one client talks to. It is introduced to by the client itself. */
final class WrappedServer implements Upstream {

  private final Source source;
  private final CompletableFuture<Dialogue> dialogue;
  private final Subscriptions subscriptions;
  private final LineAnswers answers;
  private final Consumer<byte[]> aside;

  /**
   * Asks the server.
   *
   * @param dialogue comes about once it runs
   * @param aside hears what belongs to a call and is not its answer
   */
  WrappedServer(
      Source source,
      CompletableFuture<Dialogue> dialogue,
      Subscriptions subscriptions,
      LineAnswers answers,
      Consumer<byte[]> aside) {
    this.source = source;
    this.dialogue = dialogue;
    this.subscriptions = subscriptions;
    this.answers = answers;
    this.aside = aside;
  }

  @Override
  public String source() {
    return source.id();
  }

  @Override
  public String endpoint() {
    return Forwarding.endpoint(source);
  }

  @Override
  public long timeoutMillis() {
    return source.answerMillis();
  }

  @Override
  public CompletableFuture<Listing> tools() {
    return new ToolPages(this).all();
  }

  @Override
  public CompletableFuture<Response> call(Call call) {
    return dialogue.isDone()
        ? call(call, dialogue.join())
        : dialogue.thenCompose(running -> call(call, running));
  }

  private CompletableFuture<Response> call(Call call, Dialogue running) {
    if (call.notification()) {
      return CompletableFuture.completedFuture(
          answers.told(running.tell(call.method(), call.params())));
    }
    CompletableFuture<Ending> asked = running.ask(question(call), aside);
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
    @Nullable String asker = subscriptions.asker(call.method(), call.params());
    return new Question(
        call.method(),
        call.params(),
        asker,
        asker == null ? source.answerMillis() : Question.UNLIMITED,
        !call.method().equals("initialize"));
  }
}
