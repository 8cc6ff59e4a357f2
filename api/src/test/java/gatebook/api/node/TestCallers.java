package gatebook.api.node;

import static java.util.stream.Collectors.joining;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/** Callers of a node that tests share: each test takes one that has no tasks and calls so far. */
public final class TestCallers {
  private final List<String> tokens;
  private final AtomicInteger taken = new AtomicInteger();

  public TestCallers(int count) {
    this.tokens =
        IntStream.range(0, count).mapToObj("token-of-caller-%d-0123456789"::formatted).toList();
  }

  /** The token of the next one. */
  public String next() {
    return tokens.get(taken.getAndIncrement());
  }

  /** All of them, as rules have them. */
  public String principals() {
    return tokens.stream()
        .map(token ->
            "  - {name: \"%s\", token_hash: \"%s\"}\n"
                .formatted(token.substring("token-of-".length()), WatchedNode.hash(token)))
        .collect(joining("", "principals:\n", ""));
  }
}
