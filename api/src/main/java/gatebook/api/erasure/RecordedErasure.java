package gatebook.api.erasure;

import gatebook.events.ErasureBegun;
import gatebook.events.keys.store.KeySelection;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An erasure that the journal has. One with very many keys has several events.
 *
 * @param position of the last of its events
 * @param at the time of the last of its events
 * @param keys the ids of the keys; empty when all keys of its days go
 * @param completed whether the journal says that it was completed
 */
record RecordedErasure(
    ErasureBegun begun, long position, Instant at, List<String> keys, boolean completed) {

  RecordedErasure and(ErasureBegun next, long nextPosition, Instant nextAt) {
    List<String> all = new ArrayList<>(keys);
    all.addAll(next.keys());
    return new RecordedErasure(begun, nextPosition, nextAt, List.copyOf(all), completed);
  }

  RecordedErasure asCompleted() {
    return new RecordedErasure(begun, position, at, keys, true);
  }

  KeySelection selection() {
    return new KeySelection(begun.principal(), begun.since(), begun.until());
  }

  /** The operator who asked for it; absent for the retention of content. */
  @Nullable String operator() {
    return begun.operator();
  }
}
