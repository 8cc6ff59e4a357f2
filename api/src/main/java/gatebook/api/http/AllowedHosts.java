package gatebook.api.http;

import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * The hosts and origins with which a client may address a port.
 *
 * @param hosts as in the header {@code Host}
 * @param origins as in the header {@code Origin}
 */
record AllowedHosts(Set<String> hosts, Set<String> origins) {

  private static final List<String> LOOPBACK = List.of("localhost", "127.0.0.1", "[::1]");

  /** Allows nothing: as long as a port's number is not known, no name of it is. */
  static final AllowedHosts NONE = new AllowedHosts(Set.of(), Set.of());

  AllowedHosts {
    hosts = Set.copyOf(hosts);
    origins = Set.copyOf(origins);
  }

  static AllowedHosts of(ListenAddress at) {
    Set<String> hosts = new HashSet<>();
    Set<String> origins = new HashSet<>();
    LOOPBACK.forEach(host -> add(host, at, hosts));
    add(at.hostInUrl(), at, hosts);
    hosts.forEach(host -> origins.add(at.scheme() + "://" + host));
    for (String name : at.names()) {
      // a proxy with this name may listen on another port, and speak TLS
      for (String host : List.of(lowerCase(name), lowerCase(name) + ":" + at.port())) {
        hosts.add(host);
        origins.add("https://" + host);
        if (!at.isTls()) {
          origins.add("http://" + host);
        }
      }
    }
    return new AllowedHosts(hosts, origins);
  }

  private static void add(String host, ListenAddress at, Set<String> hosts) {
    hosts.add(lowerCase(host) + ":" + at.port());
    if (at.port() == at.defaultPort()) {
      hosts.add(lowerCase(host));
    }
  }

  boolean hasHost(List<String> headers) {
    return headers.size() == 1 && hosts.contains(lowerCase(headers.getFirst()));
  }

  boolean hasOrigins(List<String> headers) {
    return headers.isEmpty() // of most requests
        || headers.stream().map(AllowedHosts::lowerCase).allMatch(origins::contains);
  }

  private static String lowerCase(String text) {
    return text.toLowerCase(Locale.ROOT);
  }
}
