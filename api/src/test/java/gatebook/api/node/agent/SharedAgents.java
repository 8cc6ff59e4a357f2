package gatebook.api.node.agent;

import gatebook.api.node.a2a.A2aWireVersion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** The agents behind nodes that the tests of a class share, one for each version and settings. */
final class SharedAgents implements AfterAllCallback {
  private final Map<Object, AgentBehindNode> started = new HashMap<>();

  /** An agent and a node without requests and calls, in a folder of the class. */
  AgentBehindNode start(Path folder, A2aWireVersion spoken, String source, String limits)
      throws IOException {
    List<Object> settings = List.of(spoken, source, limits);
    AgentBehindNode shared = started.get(settings);
    if (shared == null) {
      shared = AgentBehindNode.start(ownFolder(folder), spoken, source, limits);
      started.put(settings, shared);
    }
    shared.forget();
    return shared;
  }

  /** An agent and a node that no other test shares. */
  AgentBehindNode startAlone(Path folder, A2aWireVersion spoken) throws IOException {
    AgentBehindNode alone = AgentBehindNode.start(ownFolder(folder), spoken);
    started.put(alone, alone);
    return alone;
  }

  private Path ownFolder(Path folder) throws IOException {
    return Files.createDirectory(folder.resolve("node-" + started.size()));
  }

  AgentBehindNode start(Path folder, A2aWireVersion spoken) throws IOException {
    return start(folder, spoken, AgentBehindNode.SOURCE, AgentBehindNode.LIMITS);
  }

  @Override
  public void afterAll(ExtensionContext context) throws IOException {
    for (AgentBehindNode each : started.values()) {
      each.close();
    }
  }
}
