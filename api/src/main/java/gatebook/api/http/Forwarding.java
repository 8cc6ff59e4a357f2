package gatebook.api.http;

import io.micronaut.http.HttpRequest;
import jakarta.inject.Singleton;
import java.net.InetAddress;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Forwarding by trusted proxies: what they say of the clients for whom they ask. */
@Singleton
public final class Forwarding {
  private static final String FORWARDED = "Forwarded";
  private static final String PROTO = "X-Forwarded-Proto";
  private static final Pattern FORWARDED_PROTO =
      Pattern.compile("(?:^|;)\\s*proto\\s*=\\s*\"?([a-z]+)\"?", Pattern.CASE_INSENSITIVE);

  /** The headers from which a response may follow. */
  public static final String VARY = FORWARDED + ", " + PROTO;

  private final TrustedProxies proxies;

  Forwarding(Optional<TrustedProxies> proxies) {
    this.proxies = proxies.orElse(TrustedProxies.NONE);
  }

  /** Whether the client runs on this machine: one behind a proxy does not, wherever that runs. */
  public boolean isFromThisMachine(HttpRequest<?> request) {
    InetAddress sender = request.getRemoteAddress().getAddress();
    return sender.isLoopbackAddress() && !proxies.has(sender);
  }

  /** The protocol between the client and a trusted proxy, as that says; empty when none does. */
  Optional<String> protocol(HttpRequest<?> request) {
    return proxies.has(request.getRemoteAddress().getAddress())
        ? last(request.getHeaders().getAll(FORWARDED))
            .flatMap(Forwarding::proto)
            .or(() -> last(request.getHeaders().getAll(PROTO)))
            .map(it -> it.toLowerCase(Locale.ROOT))
        : Optional.empty();
  }

  /** The last element, which the nearest proxy wrote; what stands before may be of the client. */
  private static Optional<String> last(List<String> headers) {
    if (headers.isEmpty()) {
      return Optional.empty();
    }
    String header = headers.getLast();
    return Optional.of(header.substring(header.lastIndexOf(',') + 1).strip());
  }

  private static Optional<String> proto(String element) {
    Matcher matcher = FORWARDED_PROTO.matcher(element);
    return matcher.find() ? Optional.of(matcher.group(1)) : Optional.empty();
  }
}
