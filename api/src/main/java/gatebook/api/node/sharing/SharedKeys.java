package gatebook.api.node.sharing;

import gatebook.events.keys.ContentKey;
import gatebook.events.keys.ContentKeys;
import gatebook.events.keys.ContentOwner;
import gatebook.events.keys.KeyLookup;
import gatebook.events.keys.KeysUnavailable;
import org.jspecify.annotations.Nullable;

/**
 * The content keys shared by the processes of one data directory, of the process that owns the
 * journal. While a process takes over there are none.
 */
public final class SharedKeys implements ContentKeys {

  private volatile @Nullable ContentKeys current;

  /** Uses these keys from now on; null while there is no owner. */
  public void switchTo(@Nullable ContentKeys contentKeys) {
    current = contentKeys;
  }

  @Override
  public ContentKey current(ContentOwner owner) {
    return reachable().current(owner);
  }

  @Override
  public KeyLookup find(String id) {
    return reachable().find(id);
  }

  private ContentKeys reachable() {
    ContentKeys contentKeys = current;
    if (contentKeys == null) {
      throw new KeysUnavailable(SharedJournal.NO_OWNER, null);
    }
    return contentKeys;
  }
}
