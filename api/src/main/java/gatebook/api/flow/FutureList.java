package gatebook.api.flow;

import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Joins a list of futures into a future of a list. */
final class FutureList {
  private FutureList() {}

  static <R> CompletableFuture<List<R>> all(List<CompletableFuture<R>> each) {
    return CompletableFuture.allOf(each.toArray(CompletableFuture<?>[]::new))
        .thenApply(_ -> each.stream().map(CompletableFuture::join).toList());
  }
}
