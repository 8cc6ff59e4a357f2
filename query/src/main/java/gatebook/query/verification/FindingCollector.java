package gatebook.query.verification;

import gatebook.query.verification.VerificationReport.Found;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Collects findings: keeps the first ones, and counts all in a way that any of them can later turn
 * out to be accepted.
 */
final class FindingCollector {
  /**
   * The order in which findings are told: by the first position that they are about; at the same
   * position what is wrong with a file first, since other findings may follow from it.
   */
  private static final Comparator<VerificationFinding> CAUSES_FIRST =
      Comparator.comparingLong(VerificationFinding::firstPosition)
          .thenComparing(it -> !(it instanceof VerificationFinding.FileDamaged))
          .thenComparing(it -> !(it instanceof VerificationFinding.Damaged))
          .thenComparing(it -> it instanceof VerificationFinding.IndexMismatch);

  private final int max;
  private final List<VerificationFinding> kept = new ArrayList<>();
  private final Map<String, Long> counts = new TreeMap<>();
  private final TreeMap<Long, Long> countsByAcceptableSize = new TreeMap<>();
  private long unacceptable;

  FindingCollector(int max, Collection<AcceptedMismatch> candidates) {
    this.max = max;
    candidates.forEach(candidate -> countsByAcceptableSize.put(candidate.size(), 0L));
  }

  void add(VerificationFinding verificationFinding) {
    if (kept.size() < max) {
      kept.add(verificationFinding);
    }
    counts.merge(verificationFinding.kind(), 1L, Long::sum);
    Long size = countsByAcceptableSize.ceilingKey(verificationFinding.acceptedFrom());
    if (size == null) {
      unacceptable++;
    } else {
      countsByAcceptableSize.merge(size, 1L, Long::sum);
    }
  }

  List<Found> found(List<AcceptedMismatch> valid) {
    return kept.stream()
        .map(verificationFinding ->
            new Found(verificationFinding, acceptance(verificationFinding, valid)))
        .sorted(Comparator.comparing(Found::finding, CAUSES_FIRST))
        .toList();
  }

  Map<String, Long> counts() {
    return counts;
  }

  long countAccepted(List<AcceptedMismatch> valid) {
    long upTo = valid.stream().mapToLong(AcceptedMismatch::size).max().orElse(0);
    return countsByAcceptableSize.headMap(upTo, true).values().stream()
        .mapToLong(Long::longValue)
        .sum();
  }

  long total() {
    return unacceptable + countsByAcceptableSize.values().stream().mapToLong(Long::longValue).sum();
  }

  private static Optional<AcceptedMismatch> acceptance(
      VerificationFinding verificationFinding, List<AcceptedMismatch> valid) {
    return valid.stream()
        .filter(acceptedMismatch -> acceptedMismatch.size() >= verificationFinding.acceptedFrom())
        .min(Comparator.comparingLong(AcceptedMismatch::size));
  }
}
