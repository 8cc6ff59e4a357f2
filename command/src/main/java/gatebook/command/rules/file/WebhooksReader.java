package gatebook.command.rules.file;

import gatebook.command.rules.AllowedAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Reads the section {@code webhooks}: the addresses that callers may have notified. */
final class WebhooksReader {
  private static final String HINT = "allow: [\"https://hooks.example.com/path\"]";
  private static final String SEPARATOR = "://";

  /** Stands for any name while the rest of the address is read. */
  private static final String ANY_NAME = "any.";

  private WebhooksReader() {}

  static List<AllowedAddress> read(YamlValue yamlValue) {
    return yamlValue
        .keys("allow")
        .flatMap(it -> it.require("allow", HINT))
        .map(YamlValue::items)
        .orElse(List.of())
        .stream()
        .flatMap(item -> address(item).stream())
        .toList();
  }

  private static Optional<AllowedAddress> address(YamlValue yamlValue) {
    Optional<String> text = yamlValue.text();
    if (text.isEmpty()) {
      return Optional.empty();
    }
    boolean isAnyBelow = text.get().contains(SEPARATOR + AllowedAddress.ANY_BELOW);
    Optional<URI> url =
        uri(text.get().replace(SEPARATOR + AllowedAddress.ANY_BELOW, SEPARATOR + ANY_NAME));
    Optional<String> flaw =
        url.isPresent()
            ? flaw(url.get())
            : Optional.of("must be an address, as in https://hooks.example.com/path");
    flaw.ifPresent(yamlValue::mistake);
    return flaw.isPresent() ? Optional.empty() : url.map(it -> address(it, isAnyBelow));
  }

  private static Optional<URI> uri(String text) {
    try {
      return Optional.of(new URI(text));
    } catch (URISyntaxException _) {
      return Optional.empty();
    }
  }

  private static Optional<String> flaw(URI url) {
    if (!"http".equalsIgnoreCase(url.getScheme()) && !"https".equalsIgnoreCase(url.getScheme())) {
      return Optional.of("must begin with http:// or https://");
    }
    if (url.getHost() == null || url.getPort() > 65_535 || url.getPort() == 0) {
      return Optional.of("must name a host, or *. and a domain, and a port from 1 to 65535 if any");
    }
    return url.getRawUserInfo() == null && url.getRawQuery() == null && url.getRawFragment() == null
        ? Optional.empty()
        : Optional.of("must hold no user, no '?' and no '#'");
  }

  private static AllowedAddress address(URI url, boolean isAnyBelow) {
    String host = url.getHost().toLowerCase(Locale.ROOT);
    return new AllowedAddress(
        url.getScheme().toLowerCase(Locale.ROOT),
        isAnyBelow ? AllowedAddress.ANY_BELOW + host.substring(ANY_NAME.length()) : host,
        AllowedAddress.port(url),
        url.getRawPath().equals("/") ? "" : url.getRawPath());
  }
}
