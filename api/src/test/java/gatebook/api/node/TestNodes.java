package gatebook.api.node;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * The nodes of a test class, registered in a static field: one for each text of rules, which its
 * tests share, and those of one test alone. It closes them and deletes their files.
 */
public final class TestNodes implements AfterEachCallback, AfterAllCallback {
  private final Map<String, WatchedNode> shared = new HashMap<>();
  private final List<WatchedNode> own = new ArrayList<>();
  private final TestFolders folders = new TestFolders();

  /** A node under these rules that the tests share, without events and log lines so far. */
  public WatchedNode shared(String rules) throws IOException {
    WatchedNode node = shared.get(rules);
    if (node == null) {
      node = WatchedNode.start(folder(), rules);
      shared.put(rules, node);
    }
    node.forget();
    return node;
  }

  /** A node under these rules that is closed after the test. */
  public WatchedNode own(String rules) throws IOException {
    return own(folder(), rules);
  }

  /** A node in a folder that contains what the rules name, or the data of a node before. */
  public WatchedNode own(Path folder, String rules) throws IOException {
    WatchedNode node = WatchedNode.start(folder, rules);
    own.add(node);
    return node;
  }

  /** An empty folder. */
  public Path folder() {
    return folders.folder();
  }

  @Override
  public void afterEach(ExtensionContext context) {
    own.forEach(WatchedNode::close);
    own.clear();
  }

  @Override
  public void afterAll(ExtensionContext context) throws IOException {
    shared.values().forEach(WatchedNode::close);
    folders.close();
  }
}
