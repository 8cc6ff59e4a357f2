package gatebook.api.node.agent;

import gatebook.api.node.TestNodes;
import gatebook.api.node.a2a.A2aWireVersion;
import gatebook.api.node.a2a.StubAgent;
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
 * The agents behind nodes of a test class, registered in a static field: one for each version and
 * settings, which its tests share, and those of one test alone. It closes them.
 */
final class TestAgents implements AfterEachCallback, AfterAllCallback {
  private final TestNodes nodes = new TestNodes();
  private final Map<Object, AgentBehindNode> shared = new HashMap<>();
  private final List<AgentBehindNode> own = new ArrayList<>();

  /**
   * An agent and a node that the tests share, without requests and calls so far.
   *
   * @param source more members of the agent in the rules
   * @param limits of the rules
   */
  AgentBehindNode shared(A2aWireVersion spoken, String source, String limits) throws IOException {
    List<Object> settings = List.of(spoken, source, limits);
    AgentBehindNode started = shared.get(settings);
    if (started == null) {
      StubAgent agent = new StubAgent(spoken == A2aWireVersion.V1);
      started =
          new AgentBehindNode(
              agent, nodes.shared(AgentBehindNode.rules(agent.url(), source, limits)));
      shared.put(settings, started);
    }
    started.forget();
    return started;
  }

  AgentBehindNode shared(A2aWireVersion spoken) throws IOException {
    return shared(spoken, AgentBehindNode.SOURCE, AgentBehindNode.LIMITS);
  }

  /** An agent and a node that are closed after the test. */
  AgentBehindNode own(A2aWireVersion spoken, String source, String limits) throws IOException {
    return own(folder(), spoken, source, limits);
  }

  AgentBehindNode own(A2aWireVersion spoken) throws IOException {
    return own(folder(), spoken);
  }

  /** An agent and a node in a folder that has the data of a node before. */
  AgentBehindNode own(Path folder, A2aWireVersion spoken) throws IOException {
    return own(folder, spoken, AgentBehindNode.SOURCE, AgentBehindNode.LIMITS);
  }

  private AgentBehindNode own(Path folder, A2aWireVersion spoken, String source, String limits)
      throws IOException {
    StubAgent agent = new StubAgent(spoken == A2aWireVersion.V1);
    AgentBehindNode started =
        new AgentBehindNode(
            agent, nodes.own(folder, AgentBehindNode.rules(agent.url(), source, limits)));
    own.add(started);
    return started;
  }

  /** An empty folder. */
  Path folder() throws IOException {
    return nodes.folder();
  }

  @Override
  public void afterEach(ExtensionContext context) throws IOException {
    nodes.afterEach(context);
    for (AgentBehindNode each : own) {
      each.close();
    }
    own.clear();
  }

  @Override
  public void afterAll(ExtensionContext context) throws IOException {
    nodes.afterAll(context);
    for (AgentBehindNode each : shared.values()) {
      each.close();
    }
  }
}
