package gatebook.api.upstream;

import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Joins a list of futures, such as those of several upstreams, into a future of a list. */
public final class FutureList {
  private FutureList() {}

  /** Completes when all have completed, in the order of the futures; fails if one fails. */
  public static <R> CompletableFuture<List<R>> all(List<CompletableFuture<R>> each) {
    return CompletableFuture.allOf(each.toArray(CompletableFuture<?>[]::new))
        .thenApply(_ -> each.stream().map(CompletableFuture::join).toList());
  }
}
