package gatebook.api.upstream.agent.client;

import gatebook.api.dialect.A2aVersion;
import gatebook.api.upstream.agent.client.AgentCard.Interface;
import java.net.URI;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The endpoint of an agent that requests are sent to.
 *
 * @param url at the host of the agent's configured URL
 * @param version spoken there
 * @param tenant named in each request; absent when there is none
 */
public record AgentEndpoint(URI url, A2aVersion version, @Nullable String tenant) {

  private static final int HTTP_PORT = 80;
  private static final int HTTPS_PORT = 443;

  /**
   * Chooses from the card's interfaces the newest version at the agent's URL or below it. If the
   * card names only other addresses, the newest version is spoken at the agent's URL: a card cannot
   * direct requests, which carry credentials, to another host or to another agent. Empty when the
   * card names no version that this client speaks.
   */
  public static Optional<AgentEndpoint> of(AgentCard card, URI agentUrl) {
    List<AgentEndpoint> spoken =
        card.interfaces().stream()
            .flatMap(each -> spoken(each).stream())
            .sorted(Comparator.comparing(AgentEndpoint::version).reversed())
            .toList();
    return spoken.stream()
        .filter(each -> isBelow(each.url, agentUrl))
        .findFirst()
        .or(() ->
            spoken.stream()
                .findFirst()
                .map(newest -> new AgentEndpoint(agentUrl, newest.version, newest.tenant)))
        .map(chosen -> chosen.atConfigured(agentUrl));
  }

  private static Optional<AgentEndpoint> spoken(Interface one) {
    return one.spokenVersion().map(version -> new AgentEndpoint(one.url(), version, one.tenant()));
  }

  /** The configured URL, which may have a query, instead of the same address from the card. */
  private AgentEndpoint atConfigured(URI agentUrl) {
    return folder(url).equals(folder(agentUrl))
        ? new AgentEndpoint(agentUrl, version, tenant)
        : this;
  }

  private static boolean isBelow(URI url, URI agentUrl) {
    boolean isPlain = url.equals(url.normalize()) && !url.getRawPath().contains("%");
    return isPlain
        && origin(url).equals(origin(agentUrl))
        && folder(url).startsWith(folder(agentUrl));
  }

  private static String origin(URI url) {
    String scheme = url.getScheme().toLowerCase(Locale.ROOT);
    int port = url.getPort() >= 0 ? url.getPort() : scheme.equals("https") ? HTTPS_PORT : HTTP_PORT;
    return scheme + "://" + url.getHost().toLowerCase(Locale.ROOT) + ":" + port;
  }

  /** The path with a slash at its end. */
  private static String folder(URI url) {
    return url.getRawPath().endsWith("/") ? url.getRawPath() : url.getRawPath() + "/";
  }
}
