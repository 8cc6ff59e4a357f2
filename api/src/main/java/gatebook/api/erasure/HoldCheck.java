package gatebook.api.erasure;

import gatebook.command.rules.LegalHold;
import gatebook.events.CallReceived;
import gatebook.events.keys.ContentOwner;
import gatebook.events.keys.store.StoredKey;
import gatebook.query.call.CallEvents;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedSet;
import java.util.TreeSet;
import java.util.UUID;

/** Checks which legal holds touch content. Reads each call that a hold names once. */
final class HoldCheck {
  private final List<LegalHold> legalHolds;
  private final CallEvents callEvents;
  private final Map<UUID, Optional<String>> principals = new HashMap<>();

  HoldCheck(List<LegalHold> legalHolds, CallEvents callEvents) {
    this.legalHolds = legalHolds;
    this.callEvents = callEvents;
  }

  /** The names of the holds that touch the content of one of these keys. */
  SequencedSet<String> touching(Collection<StoredKey> keys) {
    SequencedSet<String> names = new TreeSet<>();
    for (LegalHold legalHold : legalHolds) {
      if (keys.stream().anyMatch(key -> touches(legalHold, key.owner()))) {
        names.add(legalHold.name());
      }
    }
    return names;
  }

  /** Whether a hold touches the content of a key. */
  boolean isHeld(StoredKey key) {
    return legalHolds.stream().anyMatch(it -> touches(it, key.owner()));
  }

  private boolean touches(LegalHold legalHold, ContentOwner owner) {
    return legalHold.touches(owner, this::principal);
  }

  private Optional<String> principal(UUID call) {
    return principals.computeIfAbsent(call, it -> principal(callEvents, it));
  }

  /** The principal of a call; empty when the call is not known. */
  static Optional<String> principal(CallEvents callEvents, UUID call) {
    return callEvents.of(call).stream()
        .flatMap(event ->
            event instanceof CallReceived received
                ? Optional.of(received.principal().name()).stream()
                : Optional.<String>empty().stream())
        .findFirst();
  }
}
