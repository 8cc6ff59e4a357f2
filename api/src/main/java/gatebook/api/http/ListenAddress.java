package gatebook.api.http;

import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * The address a server listens at: a host name or address, and a port; port 0 is any free one.
 *
 * @param names further names of the host that clients may use
 */
public record ListenAddress(String host, int port, Set<String> names, TlsMode tls) {

  public ListenAddress {
    names = Collections.unmodifiableSet(new LinkedHashSet<>(names)); // the first is preferred
  }

  /** One without TLS. */
  public ListenAddress(String host, int port) {
    this(host, port, Set.of(), TlsMode.OFF);
  }

  /** The same address with the port that was bound. */
  ListenAddress withPort(int foundPort) {
    return new ListenAddress(host, foundPort, names, tls);
  }

  /** The host as a URL and the {@code Host} header write it, {@code [::1]} for {@code ::1}. */
  String hostInUrl() {
    return host.indexOf(':') < 0 ? host : "[" + host + "]";
  }

  public String url() {
    return scheme() + "://" + hostInUrl() + ":" + port;
  }

  /** The same with the preferred name of the host, which a certificate is likely to have. */
  public String namedUrl() {
    return names.isEmpty() ? url() : scheme() + "://" + names.iterator().next() + ":" + port;
  }

  /** The URL by which this machine reaches the address, also that of all its interfaces. */
  public String localUrl() {
    return switch (host) {
      case "0.0.0.0" -> new ListenAddress("127.0.0.1", port, names, tls).url();
      case "::" -> new ListenAddress("::1", port, names, tls).url();
      default -> url();
    };
  }

  boolean isTls() {
    return tls != TlsMode.OFF;
  }

  String scheme() {
    return isTls() ? "https" : "http";
  }

  /** Clients leave it out. */
  int defaultPort() {
    return isTls() ? 443 : 80;
  }
}
