package gatebook.api.node;

import gatebook.api.http.ListenAddress;
import gatebook.api.http.TlsMode;
import gatebook.api.http.TrustedProxies;
import gatebook.api.http.tls.TlsFiles;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/**
 * The settings with which {@code serve} starts a node.
 *
 * @param tls the files with which both ports speak TLS; empty when neither does
 * @param proxies those that speak TLS for this node
 * @param databaseUrl the database of the journal; empty for segments in {@code data}
 */
record ServeSettings(
    Path data,
    Optional<Path> rules,
    ListenAddress callers,
    ListenAddress admin,
    Optional<TlsFiles> tls,
    TrustedProxies proxies,
    Optional<String> databaseUrl) {

  /** Why a node must not start with these settings; empty when it may. */
  Optional<String> refusal() {
    return Stream.of(unreadable(), samePort()).flatMap(Optional::stream).findFirst();
  }

  /** Why a node must not listen on these addresses; empty when it may. */
  Optional<String> exposure(BooleanSupplier knowsPrincipals) {
    return Stream.of(callers, admin)
        .flatMap(address -> exposure(address, knowsPrincipals).stream())
        .findFirst();
  }

  private Optional<String> exposure(ListenAddress address, BooleanSupplier knowsPrincipals) {
    try {
      if (Stream.of(InetAddress.getAllByName(address.host()))
          .allMatch(InetAddress::isLoopbackAddress)) {
        return Optional.empty();
      }
    } catch (UnknownHostException _) {
      return Optional.of(
          "cannot listen on %s, since no such host is known: use 127.0.0.1"
              .formatted(address.host()));
    }
    if (!knowsPrincipals.getAsBoolean()) {
      return Optional.of(
          "will not listen on %s, since no principals are configured and any client could call: name principals in the rules file, or use 127.0.0.1"
              .formatted(address.host()));
    }
    return address.tls() == TlsMode.OFF && proxies.isEmpty()
        ? Optional.of(
            "will not listen on %s without TLS, since tokens could be read on their way: give --tls-cert, or name the proxy that speaks TLS with --behind-proxy"
                .formatted(address.host()))
        : Optional.empty();
  }

  private Optional<String> unreadable() {
    return rules
        .filter(file -> !(Files.isRegularFile(file) && Files.isReadable(file)))
        .map("cannot read the rules file %s: name another with --config"::formatted);
  }

  private Optional<String> samePort() {
    return callers.port() == admin.port() && callers.port() != 0
        ? Optional.of(
            "callers and operators cannot share port %d: choose another with --admin-port"
                .formatted(admin.port()))
        : Optional.empty();
  }
}
