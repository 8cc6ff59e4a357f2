package gatebook.api.wrap;

import gatebook.api.rpc.Message;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;

/** The requests of the server that the client has not answered yet; of very many, the newest. */
final class ServersRequests {

  private static final int OPEN_MAX = 1_024;

  private final Set<String> ids = new LinkedHashSet<>();

  synchronized void note(Message message) {
    if (message instanceof Message.Request(var id, _, _)) {
      ids.add(id);
      if (ids.size() > OPEN_MAX) {
        Iterator<String> oldest = ids.iterator();
        oldest.next();
        oldest.remove();
      }
    }
  }

  /** Whether there is one of this id; from now on it is answered. */
  synchronized boolean isAnswered(String id) {
    return ids.remove(id);
  }
}
