package gatebook.api.node.sharing;

import gatebook.events.journal.JournalUnreachable;
import gatebook.events.keys.ContentKey;
import gatebook.events.keys.ContentKeys;
import gatebook.events.keys.ContentOwner;
import gatebook.events.keys.KeyLookup;
import gatebook.events.keys.KeysUnavailable;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * The content keys of the journal's owner, as a member uses them. What was received is used for a
 * second, so that a member learns of an erasure.
 */
final class RemoteKeys implements ContentKeys {

  private static final Duration USED = Duration.ofSeconds(1);
  private static final int RECENT_MAX = 1024;

  private final RemoteJournal remoteJournal;
  private final InstantSource clock;
  private final Map<Object, Recent> recent = new ConcurrentHashMap<>();

  private record Recent(KeyLookup lookup, long untilMillis) {}

  RemoteKeys(RemoteJournal remoteJournal, InstantSource clock) {
    this.remoteJournal = remoteJournal;
    this.clock = clock;
  }

  @Override
  public ContentKey current(ContentOwner owner) {
    if (lookup(owner, () -> new OwnerRequest.CurrentKey(owner)) instanceof KeyLookup.Found found) {
      return found.key();
    }
    throw new KeysUnavailable("the process that owns the journal made no key", null);
  }

  @Override
  public KeyLookup find(String id) {
    return lookup(id, () -> new OwnerRequest.FindKey(id));
  }

  private KeyLookup lookup(Object by, Supplier<OwnerRequest> request) {
    long now = clock.millis();
    Recent known = recent.get(by);
    if (known != null && now < known.untilMillis) {
      return known.lookup;
    }
    KeyLookup received = received(request.get());
    if (recent.size() >= RECENT_MAX) {
      recent.clear();
    }
    recent.put(by, new Recent(received, now + USED.toMillis()));
    return received;
  }

  private KeyLookup received(OwnerRequest request) {
    try {
      return switch (remoteJournal.ask(request)) {
        case OwnerResponse.KeyFound(var lookup) -> lookup;
        case OwnerResponse.NoKeys(var sentence) -> throw new KeysUnavailable(sentence, null);
        case OwnerResponse _ ->
            throw new KeysUnavailable("the process that owns the journal has no key", null);
      };
    } catch (JournalUnreachable e) {
      throw new KeysUnavailable(String.valueOf(e.getMessage()), e);
    }
  }
}
