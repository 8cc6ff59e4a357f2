package gatebook.api.upstream.agent.client;

import gatebook.api.upstream.agent.client.AgentFailure.HttpError;
import gatebook.api.upstream.agent.client.AgentOutcome.Failed;
import java.net.URI;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.Stream;

/** Searches an agent's card at one well-known address after the other. */
final class CardSearch {

  private static final List<String> WELL_KNOWN =
      List.of("/.well-known/agent-card.json", "/.well-known/agent.json");
  private static final int NOT_FOUND = 404;
  private static final int TOO_MANY_REQUESTS = 429;
  private static final int INTERNAL_SERVER_ERROR = 500;

  private final Function<String, CompletableFuture<AgentOutcome<AgentCard>>> fetch;
  private final CompletableFuture<AgentOutcome<AgentCard>> found = new CompletableFuture<>();

  /**
   * Searches nothing yet.
   *
   * @param fetch gets the card from a path; its future never fails
   */
  CardSearch(Function<String, CompletableFuture<AgentOutcome<AgentCard>>> fetch) {
    this.fetch = fetch;
  }

  /** The paths of the card: below the agent's own path, then below the root. */
  static List<String> paths(URI agentUrl) {
    String own = agentUrl.getRawPath().replaceAll("/+$", "");
    return Stream.of(own, "")
        .distinct()
        .flatMap(folder -> WELL_KNOWN.stream().map(folder::concat))
        .toList();
  }

  /** Begins with the first path. Cancelling the future ends the search. */
  CompletableFuture<AgentOutcome<AgentCard>> start(List<String> paths) {
    next(paths, AgentOutcome.failed(new HttpError(NOT_FOUND, null)));
    return found;
  }

  /** {@code earlier} is the outcome unless a path says more. */
  private void next(List<String> paths, AgentOutcome<AgentCard> earlier) {
    if (paths.isEmpty()) {
      found.complete(earlier);
      return;
    }
    CompletableFuture<AgentOutcome<AgentCard>> pending = fetch.apply(paths.getFirst());
    CompletableFuture<AgentOutcome<AgentCard>> _ =
        found.whenComplete((_, _) -> pending.cancel(false));
    CompletableFuture<Void> _ =
        pending.thenAccept(outcome -> {
          if (isElsewhere(outcome)) {
            next(paths.subList(1, paths.size()), isNotFound(earlier) ? outcome : earlier);
          } else {
            found.complete(outcome);
          }
        });
  }

  /** Whether the card may still be at another path. */
  private static boolean isElsewhere(AgentOutcome<AgentCard> outcome) {
    return outcome instanceof Failed<AgentCard>(HttpError(int status, _))
        && status < INTERNAL_SERVER_ERROR
        && status != TOO_MANY_REQUESTS;
  }

  private static boolean isNotFound(AgentOutcome<AgentCard> outcome) {
    return outcome instanceof Failed<AgentCard>(HttpError(int status, _)) && status == NOT_FOUND;
  }
}
