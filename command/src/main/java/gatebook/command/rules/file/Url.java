package gatebook.command.rules.file;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Optional;
import org.yaml.snakeyaml.nodes.ScalarNode;

/** Reads where something is reached over HTTP. What stands behind the question mark is secret. */
final class Url {

  private Url() {}

  static Optional<URI> read(Value value) {
    return value.isForgotten() ? Optional.empty() : value.text().flatMap(text -> read(value, text));
  }

  private static Optional<URI> read(Value value, String text) {
    Optional<URI> uri = parse(text);
    Optional<String> flaw =
        uri.map(Url::flaw).orElse(Optional.of("must be a URL, as in http://127.0.0.1:8080/mcp"));
    if (flaw.isPresent()) {
      value.mistake(flaw.get());
      return Optional.empty();
    }
    uri.filter(it -> it.getRawQuery() != null).ifPresent(_ -> hideQuery(value));
    return uri;
  }

  private static Optional<URI> parse(String text) {
    try {
      return Optional.of(new URI(text));
    } catch (URISyntaxException _) {
      return Optional.empty();
    }
  }

  private static Optional<String> flaw(URI uri) {
    if (!"http".equalsIgnoreCase(uri.getScheme()) && !"https".equalsIgnoreCase(uri.getScheme())) {
      return Optional.of("must begin with http:// or https://");
    }
    if (uri.getRawUserInfo() != null || (uri.getHost() == null && at(uri))) {
      return Optional.of("must hold no user or password: put them into 'headers'");
    }
    if (uri.getHost() == null || uri.getPort() > 65_535 || uri.getPort() == 0) {
      return Optional.of("must name a host, and a port from 1 to 65535 if any");
    }
    return uri.getRawFragment() == null
        ? Optional.empty()
        : Optional.of("must not hold a '#' and what follows it");
  }

  private static boolean at(URI uri) {
    return uri.getRawAuthority() != null && uri.getRawAuthority().contains("@");
  }

  /** Where the question mark is written in a way of its own, the whole URL is hidden. */
  private static void hideQuery(Value value) {
    int start = Report.start(value.node());
    int end = Report.end(value.node());
    String written = value.report().text().string(start, end);
    int mark = written.indexOf('?');
    if (mark < 0 || !(value.node() instanceof ScalarNode scalar)) {
      value.report().secret(value.node());
      return;
    }
    int from = start + written.codePointCount(0, mark) + 1;
    switch (scalar.getScalarStyle()) {
      case PLAIN -> value.report().secret(from, end, "REDACTED");
      case SINGLE_QUOTED, DOUBLE_QUOTED -> value.report().secret(from, end - 1, "REDACTED");
      default -> value.report().secret(scalar);
    }
  }
}
