package gatebook.api.http;

import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpRequest;
import jakarta.inject.Singleton;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The public URLs of this server, for documents that name them. Where the operator gave the server
 * names, they are the only ones that are told.
 */
@Singleton
public final class PublicUrls {
  private static final String HTTP = "http";
  private static final String HTTPS = "https";

  private final OpenPorts openPorts;
  private final Forwarding forwarding;

  PublicUrls(OpenPorts openPorts, Forwarding forwarding) {
    this.openPorts = openPorts;
    this.forwarding = forwarding;
  }

  /** The URL that a client gets for the root of this server, without a slash at its end. */
  public String base(HttpRequest<?> request) {
    ListenAddress address = openPorts.find(request).orElseThrow().address();
    return base(
        address, request.getHeaders().getAll(HttpHeaders.HOST), forwarding.protocol(request));
  }

  /**
   * A name without the port of this server is that of a proxy, which speaks TLS unless it says
   * otherwise.
   *
   * @param hosts the values of the header; a host that clients must not use is not told
   * @param protocol of the client, as a proxy says
   */
  static String base(ListenAddress address, List<String> hosts, Optional<String> protocol) {
    Optional<String> host =
        Optional.of(hosts)
            .filter(AllowedHosts.of(address)::hasHost)
            .map(all -> all.getFirst().toLowerCase(Locale.ROOT));
    if (address.names().isEmpty()) {
      return host.map(it -> address.scheme() + "://" + it).orElseGet(address::url);
    }
    String used = host.filter(it -> isNamed(it, address)).orElseGet(() -> hostOfName(address));
    return (isByTls(used, address, protocol) ? HTTPS : HTTP) + "://" + used;
  }

  /** Whether the client of a request spoke TLS: to this server, or to a proxy with a name of it. */
  public boolean isByTls(HttpRequest<?> request) {
    ListenAddress address = openPorts.find(request).orElseThrow().address();
    return isByTls(
        address, request.getHeaders().getAll(HttpHeaders.HOST), forwarding.protocol(request));
  }

  static boolean isByTls(ListenAddress address, List<String> hosts, Optional<String> protocol) {
    return address.isTls()
        || (hosts.size() == 1
            && hosts.stream()
                .map(host -> host.toLowerCase(Locale.ROOT))
                .anyMatch(host -> isNamed(host, address) && isByTls(host, address, protocol)));
  }

  private static boolean isByTls(String name, ListenAddress address, Optional<String> protocol) {
    boolean isOfProxy =
        !name.endsWith(":" + address.port()) && address.port() != address.defaultPort();
    return address.isTls() || (isOfProxy && protocol.filter(HTTP::equals).isEmpty());
  }

  private static boolean isNamed(String host, ListenAddress address) {
    return address.names().stream()
        .map(name -> name.toLowerCase(Locale.ROOT))
        .anyMatch(name -> host.equals(name) || host.equals(name + ":" + address.port()));
  }

  /** Others than this machine reach a port that is bound to it only through a proxy. */
  private static String hostOfName(ListenAddress address) {
    String name = address.names().iterator().next().toLowerCase(Locale.ROOT);
    return isLoopback(address.host()) || address.port() == address.defaultPort()
        ? name
        : name + ":" + address.port();
  }

  private static boolean isLoopback(String host) {
    try {
      return InetAddress.getByName(host).isLoopbackAddress();
    } catch (UnknownHostException _) {
      return false;
    }
  }
}
