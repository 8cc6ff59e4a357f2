package gatebook.api.node;

import gatebook.api.operator.methods.SourceStatus;
import gatebook.api.upstream.source.AttemptFigures;
import gatebook.command.rules.Source;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** The statuses of the sources in the rules, with the figures of those that are measured. */
final class SourceStatuses {
  private SourceStatuses() {}

  static List<SourceStatus> of(List<Source> sources, Map<String, AttemptFigures> measured) {
    return sources.stream()
        .map(source -> of(source, Optional.ofNullable(measured.get(source.id()))))
        .toList();
  }

  private static SourceStatus of(Source source, Optional<AttemptFigures> measured) {
    return new SourceStatus(
        source.id(),
        source.kind().name().toLowerCase(Locale.ROOT),
        source.enabled(),
        measured.map(AttemptFigures::attempts).orElse(null),
        measured.map(AttemptFigures::failed).orElse(null),
        measured.map(AttemptFigures::failing).orElse(null),
        measured.flatMap(AttemptFigures::p50).map(SourceStatuses::millis).orElse(null),
        measured.flatMap(AttemptFigures::p99).map(SourceStatuses::millis).orElse(null));
  }

  private static double millis(Duration duration) {
    return duration.toNanos() / 1e6;
  }
}
