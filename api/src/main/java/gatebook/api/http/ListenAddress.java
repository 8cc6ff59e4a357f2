package gatebook.api.http;

import java.util.Set;

/**
 * Where a door listens: a host name or address, and a port; port 0 asks for any free one.
 *
 * @param names what clients may call the host besides
 */
public record ListenAddress(String host, int port, Set<String> names) {

  public ListenAddress {
    names = Set.copyOf(names);
  }

  public ListenAddress(String host, int port) {
    this(host, port, Set.of());
  }

  /** The same with the port that was found. */
  ListenAddress at(int foundPort) {
    return new ListenAddress(host, foundPort, names);
  }

  /** The host as a URL and the {@code Host} header write it, {@code [::1]} for {@code ::1}. */
  String hostInUrl() {
    return host.indexOf(':') < 0 ? host : "[" + host + "]";
  }

  public String url() {
    return "http://" + hostInUrl() + ":" + port;
  }
}
