package gatebook.query.verification;

import gatebook.query.verification.Report.Found;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Keeps the first findings, and counts all of them so that each can still turn out accepted. */
final class Findings {
  private final int max;
  private final List<Finding> kept = new ArrayList<>();
  private final Map<String, Long> counts = new TreeMap<>();
  private final TreeMap<Long, Long> countsByAcceptableSize = new TreeMap<>();
  private long unacceptable;

  Findings(int max, Collection<Acceptance> candidates) {
    this.max = max;
    candidates.forEach(candidate -> countsByAcceptableSize.put(candidate.size(), 0L));
  }

  void add(Finding finding) {
    if (kept.size() < max) {
      kept.add(finding);
    }
    counts.merge(finding.kind(), 1L, Long::sum);
    Long size = countsByAcceptableSize.ceilingKey(finding.acceptedFrom());
    if (size == null) {
      unacceptable++;
    } else {
      countsByAcceptableSize.merge(size, 1L, Long::sum);
    }
  }

  List<Found> told(List<Acceptance> valid) {
    return kept.stream()
        .map(finding -> new Found(finding, acceptance(finding, valid)))
        .sorted(Comparator.comparingLong(found -> found.finding().acceptedFrom()))
        .toList();
  }

  Map<String, Long> counts() {
    return counts;
  }

  long accepted(List<Acceptance> valid) {
    long upTo = valid.stream().mapToLong(Acceptance::size).max().orElse(0);
    return countsByAcceptableSize.headMap(upTo, true).values().stream()
        .mapToLong(Long::longValue)
        .sum();
  }

  long all() {
    return unacceptable + countsByAcceptableSize.values().stream().mapToLong(Long::longValue).sum();
  }

  private static Optional<Acceptance> acceptance(Finding finding, List<Acceptance> valid) {
    return valid.stream()
        .filter(acceptance -> acceptance.size() >= finding.acceptedFrom())
        .min(Comparator.comparingLong(Acceptance::size));
  }
}
