package gatebook.api.node;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** The nodes that the tests of a class share, one for each text of the rules. */
public final class SharedNodes implements AfterAllCallback {
  private final Map<String, WatchedNode> started = new HashMap<>();

  /** A node under these rules, without calls, in a folder of the class. */
  public WatchedNode start(Path folder, String rules) throws IOException {
    WatchedNode shared = started.get(rules);
    if (shared == null) {
      Path own = Files.createDirectory(folder.resolve("shared-" + started.size()));
      shared = WatchedNode.start(own, rules);
      started.put(rules, shared);
    }
    shared.forget();
    return shared;
  }

  @Override
  public void afterAll(ExtensionContext context) {
    started.values().forEach(WatchedNode::close);
  }
}
