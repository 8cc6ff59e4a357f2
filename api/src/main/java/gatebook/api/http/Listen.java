package gatebook.api.http;

import java.util.Set;

/**
 * Where a door listens: a host name or address, and a port; port 0 asks for any free one.
 *
 * @param names what clients may call the host besides
 */
public record Listen(String host, int port, Set<String> names) {

  public Listen {
    names = Set.copyOf(names);
  }

  public Listen(String host, int port) {
    this(host, port, Set.of());
  }

  /** The same with the port that was found. */
  Listen at(int foundPort) {
    return new Listen(host, foundPort, names);
  }

  /** The host as a URL and the {@code Host} header write it, {@code [::1]} for {@code ::1}. */
  String hostInUrl() {
    return host.indexOf(':') < 0 ? host : "[" + host + "]";
  }

  public String url() {
    return "http://" + hostInUrl() + ":" + port;
  }
}
