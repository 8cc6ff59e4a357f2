package gatebook.command.rules.file;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Optional;
import org.yaml.snakeyaml.nodes.ScalarNode;

/** Reads an HTTP URL, of a source or another endpoint. Its query is a secret. */
final class SourceUrl {

  private SourceUrl() {}

  static Optional<URI> read(YamlValue yamlValue) {
    return yamlValue.isMaskedSecret()
        ? Optional.empty()
        : yamlValue.text().flatMap(text -> read(yamlValue, text));
  }

  private static Optional<URI> read(YamlValue yamlValue, String text) {
    Optional<URI> uri = parse(text);
    Optional<String> flaw =
        uri.map(SourceUrl::flaw)
            .orElse(Optional.of("must be a URL, as in http://127.0.0.1:8080/mcp"));
    if (flaw.isPresent()) {
      yamlValue.mistake(flaw.get());
      return Optional.empty();
    }
    uri.filter(it -> it.getRawQuery() != null).ifPresent(_ -> maskQuery(yamlValue));
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
    if (uri.getRawUserInfo() != null || (uri.getHost() == null && hasAtSign(uri))) {
      return Optional.of("must hold no user or password: put them into 'headers'");
    }
    if (uri.getHost() == null || uri.getPort() > 65_535 || uri.getPort() == 0) {
      return Optional.of("must name a host, and a port from 1 to 65535 if any");
    }
    return uri.getRawFragment() == null
        ? Optional.empty()
        : Optional.of("must not hold a '#' and what follows it");
  }

  private static boolean hasAtSign(URI uri) {
    return uri.getRawAuthority() != null && uri.getRawAuthority().contains("@");
  }

  /** Masks the query, or the whole URL if its question mark is escaped. */
  private static void maskQuery(YamlValue yamlValue) {
    int start = MistakeReport.start(yamlValue.node());
    int end = MistakeReport.end(yamlValue.node());
    String written = yamlValue.report().text().string(start, end);
    int mark = written.indexOf('?');
    if (mark < 0 || !(yamlValue.node() instanceof ScalarNode scalar)) {
      yamlValue.report().maskSecret(yamlValue.node());
      return;
    }
    int from = start + written.codePointCount(0, mark) + 1;
    switch (scalar.getScalarStyle()) {
      case PLAIN -> yamlValue.report().maskSecret(from, end, "REDACTED");
      case SINGLE_QUOTED, DOUBLE_QUOTED -> yamlValue.report().maskSecret(from, end - 1, "REDACTED");
      default -> yamlValue.report().maskSecret(scalar);
    }
  }
}
