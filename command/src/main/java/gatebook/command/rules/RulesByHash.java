package gatebook.command.rules;

import java.lang.ref.WeakReference;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Finds rules by their hash, by which commands name them. Rules are found as long as something uses
 * them: those in force, and those of each call that is still served by them.
 */
public final class RulesByHash {
  /** The newest first. */
  private volatile List<WeakReference<Rules>> used = List.of();

  /** Makes rules findable. Of two with the same hash, the one that was added last is found. */
  public void add(Rules rules) {
    if (!isNewest(rules)) {
      addFirst(rules);
    }
  }

  private boolean isNewest(Rules rules) {
    return !used.isEmpty() && used.getFirst().refersTo(rules);
  }

  private synchronized void addFirst(Rules rules) {
    Stream<WeakReference<Rules>> others =
        used.stream().filter(it -> !it.refersTo(rules) && !it.refersTo(null));
    used = Stream.concat(Stream.of(new WeakReference<>(rules)), others).toList();
  }

  /**
   * The rules with this hash.
   *
   * @throws IllegalStateException when nothing uses such rules any more
   */
  public Rules get(String hash) {
    for (WeakReference<Rules> reference : used) {
      Rules rules = reference.get();
      if (rules != null && rules.hash().equals(hash)) {
        return rules;
      }
    }
    return Optional.of(Rules.NONE)
        .filter(none -> none.hash().equals(hash))
        .orElseThrow(() -> new IllegalStateException("no call is served by the rules " + hash));
  }
}
