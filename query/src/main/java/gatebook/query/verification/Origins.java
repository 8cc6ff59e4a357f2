package gatebook.query.verification;

import gatebook.events.journal.checkpoint.VerifierKey;
import java.util.List;
import java.util.Optional;

/**
 * The origins of a log, one after the other. The first one is the name of a trusted key; each other
 * one is begun by an event, and signed by the same keys under its name.
 *
 * @param starts by ascending position
 */
record Origins(List<VerifierKey> trusted, List<OriginStart> starts) {
  Origins {
    trusted = List.copyOf(trusted);
    starts = List.copyOf(starts);
  }

  /** Why a checkpoint over so many events cannot have this origin; empty when it can. */
  Optional<String> refusal(String origin, long size) {
    Optional<OriginStart> start =
        starts.reversed().stream().filter(it -> it.position() <= size).findFirst();
    boolean isRight = start.map(it -> it.newOrigin().equals(origin)).orElse(isFirst(origin));
    if (isRight) {
      return Optional.empty();
    }
    return refusal(origin)
        .or(() ->
            Optional.of(
                "its origin is %s, and over %d events that of the log is %s"
                    .formatted(
                        origin, size, start.map(OriginStart::newOrigin).orElse(firstNames()))));
  }

  /** Why no checkpoint of this log can have this origin; empty when one can. */
  Optional<String> refusal(String origin) {
    return isFirst(origin) || starts.stream().anyMatch(it -> it.newOrigin().equals(origin))
        ? Optional.empty()
        : Optional.of("it is of another journal, " + origin);
  }

  /** Where an origin ended before the log had so many events. */
  Optional<OriginStart> endBefore(String origin, long size) {
    return starts.stream()
        .filter(it -> it.oldOrigin().equals(origin) && it.position() <= size)
        .findFirst();
  }

  /** A key that is trusted under the name of a later origin is trusted from the first one on. */
  private boolean isFirst(String origin) {
    return isTrusted(origin)
        || (starts.stream().anyMatch(it -> isTrusted(it.newOrigin()))
            && origin.equals(starts.getFirst().oldOrigin()));
  }

  private boolean isTrusted(String origin) {
    return trusted.stream().anyMatch(it -> it.name().equals(origin));
  }

  private String firstNames() {
    return starts.isEmpty()
        ? String.join(" or ", trusted.stream().map(VerifierKey::name).distinct().toList())
        : starts.getFirst().oldOrigin();
  }
}
