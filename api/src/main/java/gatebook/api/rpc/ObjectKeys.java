package gatebook.api.rpc;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;

/** The keys of one object. A few are compared one by one, since a set takes much more memory. */
final class ObjectKeys {

  private static final int FEW = 8;

  private Collection<String> keys = new ArrayList<>(FEW);

  /** Adds a key; false when it is there already. */
  boolean add(String key) {
    if (keys.contains(key)) {
      return false;
    }
    if (keys.size() == FEW) {
      keys = new HashSet<>(keys);
    }
    return keys.add(key);
  }
}
