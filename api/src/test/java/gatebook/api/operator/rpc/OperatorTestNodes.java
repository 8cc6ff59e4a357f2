package gatebook.api.operator.rpc;

import gatebook.api.node.TestFolders;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * The nodes for operators of a test class, registered in a static field: those that its tests
 * share, and those of one test alone. It closes them and deletes their files.
 */
public final class OperatorTestNodes implements AfterEachCallback, AfterAllCallback {
  private final Opening opening;
  private final Map<String, OperatorTestNode> shared = new HashMap<>();
  private final List<OperatorTestNode> own = new ArrayList<>();
  private final TestFolders folders = new TestFolders();

  /** Opens a node in an empty folder. */
  @FunctionalInterface
  public interface Opening {
    OperatorTestNode open(Path folder) throws IOException;
  }

  /** Nodes of one kind. */
  public OperatorTestNodes(Opening opening) {
    this.opening = opening;
  }

  /** A node that the tests share, without events so far. */
  public OperatorTestNode shared() {
    OperatorTestNode node = shared("", _ -> {});
    node.forget();
    return node;
  }

  /** A node that the tests share which only read: it has what was appended once. */
  public OperatorTestNode shared(String name, Consumer<OperatorTestNode> appending) {
    OperatorTestNode node = shared.get(name);
    if (node == null) {
      node = open(opening);
      shared.put(name, node);
      appending.accept(node);
    }
    return node;
  }

  /** A node that is closed after the test. */
  public OperatorTestNode own() {
    return own(opening);
  }

  /** A node of another kind that is closed after the test. */
  public OperatorTestNode own(Opening other) {
    OperatorTestNode node = open(other);
    own.add(node);
    return node;
  }

  private OperatorTestNode open(Opening kind) {
    try {
      return kind.open(folders.folder());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void afterEach(ExtensionContext context) {
    own.forEach(OperatorTestNode::close);
    own.clear();
  }

  @Override
  public void afterAll(ExtensionContext context) throws IOException {
    shared.values().forEach(OperatorTestNode::close);
    folders.close();
  }
}
