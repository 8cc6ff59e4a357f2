package gatebook.api.http;

/** Where a door listens: a host name or address, and a port; port 0 asks for any free one. */
public record Listen(String host, int port) {

  /** The host as a URL and the {@code Host} header write it, {@code [::1]} for {@code ::1}. */
  String hostInUrl() {
    return host.indexOf(':') < 0 ? host : "[" + host + "]";
  }

  public String url() {
    return "http://" + hostInUrl() + ":" + port;
  }
}
