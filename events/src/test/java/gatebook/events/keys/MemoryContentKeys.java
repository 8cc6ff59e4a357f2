package gatebook.events.keys;

import static java.nio.charset.StandardCharsets.UTF_8;

import gatebook.events.journal.tree.Sha256;
import gatebook.events.vocabulary.EventVocabulary;
import java.util.HexFormat;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Content keys in memory, the same in every run; a key can be erased or lost. */
public final class MemoryContentKeys implements ContentKeys {
  private static final int ID_BYTES = 8;

  private final Map<String, ContentKey> keys = new ConcurrentHashMap<>();
  private final Set<String> erased = ConcurrentHashMap.newKeySet();
  private final Set<ContentOwner> withoutFirstKey = ConcurrentHashMap.newKeySet();

  /** A vocabulary with keys of its own. */
  public static EventVocabulary vocabulary() {
    return new EventVocabulary(new MemoryContentKeys(), OldKeys.NONE);
  }

  /** Content as it is sealed by the key of an event. */
  public static byte[] sealed(EventKey key, byte[] bound, byte[] content) {
    byte[] sealed = new byte[EventKey.sealedLength(content.length)];
    key.seal(bound, content, content.length, sealed, 0);
    return sealed;
  }

  @Override
  public ContentKey current(ContentOwner owner) {
    String seed = withoutFirstKey.contains(owner) ? owner + " again" : owner.toString();
    byte[] key = Sha256.of(seed.getBytes(UTF_8));
    String id = HexFormat.of().formatHex(Sha256.of(key), 0, ID_BYTES);
    return keys.computeIfAbsent(id, it -> new ContentKey(it, owner, key));
  }

  @Override
  public KeyLookup find(String id) {
    ContentKey key = keys.get(id);
    if (key != null) {
      return new KeyLookup.Found(key);
    }
    return erased.contains(id) ? new KeyLookup.Erased() : new KeyLookup.Missing();
  }

  /** Destroys the key of an owner, who gets another one for new content. */
  public void erase(ContentOwner owner) {
    String id = current(owner).id();
    lose(owner);
    erased.add(id);
  }

  /** Takes the key of an owner away without an erasure. */
  public void lose(ContentOwner owner) {
    keys.remove(current(owner).id());
    withoutFirstKey.add(owner);
  }
}
