package gatebook.api.upstream;

import gatebook.api.upstream.Upstream.Ended;
import gatebook.api.upstream.Upstream.Introduction;
import gatebook.api.upstream.Upstream.Opening;
import gatebook.api.upstream.Upstream.Response;
import gatebook.api.upstream.process.Dialogue;
import gatebook.api.upstream.process.Dialogue.Question;
import gatebook.api.upstream.process.Era;
import gatebook.command.rules.Source;
import gatebook.events.fault.ServerFault.Cause;
import gatebook.events.fault.ServerFault.ServiceUnavailable;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The processes of a source that have one client each. */
final class ProcessLegs {

  private static final String INITIALIZE = "initialize";

  private final Supplier<Dialogue> starting;
  private final LineAnswers answers;
  private final int most;
  private final long streamMillis;
  private final Set<Dialogue> running = ConcurrentHashMap.newKeySet();
  private boolean isOver;

  /**
   * Starts nothing yet.
   *
   * @param most that run at a time
   * @param streamMillis how long a client may take to answer a question
   */
  ProcessLegs(Supplier<Dialogue> starting, LineAnswers answers, int most, long streamMillis) {
    this.starting = starting;
    this.answers = answers;
    this.most = most;
    this.streamMillis = streamMillis;
  }

  /** Starts one, and introduces the client to it as it introduced itself. */
  CompletableFuture<Opening> open(
      Upstream outside, Source source, Introduction introduction, Era era) {
    Dialogue dialogue = started();
    if (dialogue == null) {
      return CompletableFuture.completedFuture(
          new Opening.Failed(new Ended.Failure(new ServiceUnavailable(Cause.UPSTREAM, null))));
    }
    return switch (era) {
      case Era.Sessions _ -> introduced(outside, source, introduction, era, dialogue);
      case Era.Stateless(_, _, var discovered) ->
          CompletableFuture.completedFuture(
              new Opening.Opened(
                  new ProcessLeg(
                      outside,
                      source,
                      dialogue,
                      answers,
                      era,
                      new Interview(source.id(), introduction.params(), streamMillis),
                      Stateless.introduction(
                          discovered == null ? "{}" : discovered, introduction.params()))));
    };
  }

  private synchronized @Nullable Dialogue started() {
    if (isOver || running.size() >= most) {
      return null;
    }
    Dialogue dialogue = starting.get();
    running.add(dialogue);
    CompletableFuture<?> _ = dialogue.ended().whenComplete((_, _) -> running.remove(dialogue));
    return dialogue;
  }

  private CompletableFuture<Opening> introduced(
      Upstream outside, Source source, Introduction introduction, Era era, Dialogue dialogue) {
    Question question =
        new Question(INITIALIZE, introduction.params(), null, source.connectMillis(), false);
    return dialogue
        .ask(question, _ -> {})
        .thenApply(ending -> {
          Response response = answers.response(outside, ending);
          if (response instanceof Ended.Result(var json, _, _)) {
            return new Opening.Opened(
                new ProcessLeg(
                    outside, source, dialogue, answers, era, Interview.of(outside), json));
          }
          dialogue.stop();
          return new Opening.Failed(response);
        });
  }

  /** Starts none any more, and ends each when nobody waits for it, or after this much time. */
  void retire(long millisMax) {
    over().forEach(dialogue -> dialogue.finish(millisMax));
  }

  /** Ends all of them; completes when they are gone. */
  CompletableFuture<Void> end() {
    List<Dialogue> last = over();
    last.forEach(Dialogue::stop);
    return CompletableFuture.allOf(
        last.stream().map(Dialogue::ended).toArray(CompletableFuture<?>[]::new));
  }

  private synchronized List<Dialogue> over() {
    isOver = true;
    return List.copyOf(running);
  }
}
