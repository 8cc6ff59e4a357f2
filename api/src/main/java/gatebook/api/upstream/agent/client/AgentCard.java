package gatebook.api.upstream.agent.client;

import gatebook.api.dialect.A2aVersion;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The card of an agent, in the shape of version 0.3, of 1.0 or of both. All its texts are the
 * agent's own and untrusted.
 *
 * @param version of the agent, not of A2A
 * @param interfaces in the order of the card; those without a usable address are left out
 * @param skills those without an id are left out
 * @param json exactly as the agent sent it
 */
public record AgentCard(
    String name,
    String description,
    String version,
    List<Interface> interfaces,
    Capabilities capabilities,
    List<Skill> skills,
    String json) {

  private static final String JSON_RPC = "JSONRPC";

  public AgentCard {
    interfaces = List.copyOf(interfaces);
    skills = List.copyOf(skills);
  }

  /**
   * An address of the agent.
   *
   * @param url with scheme and host
   * @param binding such as {@code JSONRPC}
   * @param protocolVersion of A2A, as the card has it
   * @param tenant to be named in each request; absent when there is none
   */
  public record Interface(
      URI url, String binding, String protocolVersion, @Nullable String tenant) {

    /** The version to speak at this address; empty when this client does not speak it there. */
    public Optional<A2aVersion> spokenVersion() {
      return binding.equals(JSON_RPC) ? A2aVersion.supported(protocolVersion) : Optional.empty();
    }
  }

  /** What the agent can do besides answering messages. */
  public record Capabilities(boolean streaming, boolean pushNotifications, boolean extendedCard) {}

  /** A skill of the agent. */
  public record Skill(String id, String name, String description, List<String> tags) {
    public Skill {
      tags = List.copyOf(tags);
    }
  }
}
