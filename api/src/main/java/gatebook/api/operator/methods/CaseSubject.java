package gatebook.api.operator.methods;

import gatebook.events.journal.storage.Entry;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * The subject of a case file: one call, or one tree with the calls that created it, executed it or
 * ran its tasks.
 *
 * @param call the one call; empty for a tree
 * @param tags of its events, those of the tree first
 * @param entries its events, by ascending position
 */
record CaseSubject(Optional<UUID> call, List<String> tags, List<Entry> entries) {
  private static final int TIME_ORDERED = 7;

  CaseSubject {
    tags = List.copyOf(tags);
    entries = List.copyOf(entries);
  }

  /** When it began, which its ids say also when its first events were dropped. */
  Instant begin() {
    Instant first = Instant.parse(entries.getFirst().at());
    return tags.stream()
        .map(tag -> UUID.fromString(tag.substring(tag.indexOf(':') + 1)))
        .filter(id -> id.version() == TIME_ORDERED)
        .map(id -> Instant.ofEpochMilli(id.getMostSignificantBits() >>> Short.SIZE))
        .filter(first::isAfter)
        .min(Instant::compareTo)
        .orElse(first);
  }
}
