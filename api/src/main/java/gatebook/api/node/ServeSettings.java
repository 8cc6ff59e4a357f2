package gatebook.api.node;

import gatebook.api.http.ListenAddress;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/**
 * What a node is started with.
 *
 * @param databaseUrl where the journal is kept; empty for the embedded database in {@code data}
 */
record ServeSettings(
    Path data,
    Optional<Path> rules,
    ListenAddress callers,
    ListenAddress admin,
    Optional<String> databaseUrl) {

  /** Why a node must not be started with these settings; empty when nothing speaks against it. */
  Optional<String> refusal() {
    return Stream.of(unreadable(), samePort()).flatMap(Optional::stream).findFirst();
  }

  /** Why a node must not be reached from elsewhere; empty when it is not, or may be. */
  Optional<String> exposure(BooleanSupplier knowsPrincipals) {
    return exposed(callers).or(() -> exposed(admin)).filter(_ -> !knowsPrincipals.getAsBoolean());
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

  /** Whoever reaches a port that knows no principals may call; so only this machine may. */
  private static Optional<String> exposed(ListenAddress listenAddress) {
    try {
      return Stream.of(InetAddress.getAllByName(listenAddress.host()))
              .allMatch(InetAddress::isLoopbackAddress)
          ? Optional.empty()
          : Optional.of(
              "will not listen on %s, since no principals are configured and anybody could call: name principals in the rules file, or use 127.0.0.1"
                  .formatted(listenAddress.host()));
    } catch (UnknownHostException _) {
      return Optional.of(
          "cannot listen on %s, since no such host is known: use 127.0.0.1"
              .formatted(listenAddress.host()));
    }
  }
}
