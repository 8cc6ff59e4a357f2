package gatebook.command.rules.file;

import gatebook.command.rules.ClientTlsFiles;
import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Reads the key {@code tls} beside an {@code https} URL. The files are read where its connections
 * are made: recorded rules must be readable when their files are gone.
 */
final class ClientTlsReader {

  private ClientTlsReader() {}

  /**
   * The files of that key, if it is there.
   *
   * @param url beside it; empty when it is missing or has a mistake
   */
  static ClientTlsFiles read(StrictMapping strictMapping, Optional<URI> url) {
    Optional<YamlValue> tls = strictMapping.get("tls");
    if (url.filter(it -> !"https".equalsIgnoreCase(it.getScheme())).isPresent()) {
      tls.ifPresent(it ->
          it.mistake("has no meaning for a url that does not begin with https://: leave it out"));
      return ClientTlsFiles.NONE;
    }
    return tls.map(ClientTlsReader::read).orElse(ClientTlsFiles.NONE);
  }

  private static ClientTlsFiles read(YamlValue yamlValue) {
    return yamlValue
        .keys("ca", "cert", "key", "password")
        .map(ClientTlsReader::files)
        .orElse(ClientTlsFiles.NONE);
  }

  private static ClientTlsFiles files(StrictMapping strictMapping) {
    for (String name : new String[] {"key", "password"}) {
      strictMapping
          .get(name)
          .filter(_ -> strictMapping.get("cert").isEmpty())
          .ifPresent(it -> it.mistake("has no meaning without a 'cert': leave it out"));
    }
    if (strictMapping.get("ca").isEmpty() && strictMapping.get("cert").isEmpty()) {
      strictMapping.mistake("needs 'ca' or 'cert': write ca: /srv/tls/file.pem");
    }
    return new ClientTlsFiles(
        file(strictMapping, "ca"),
        file(strictMapping, "cert"),
        file(strictMapping, "key"),
        strictMapping.get("password").flatMap(ClientTlsReader::password));
  }

  private static Optional<Path> file(StrictMapping strictMapping, String key) {
    return strictMapping.get(key).flatMap(it -> it.pathFromRoot("/srv/tls/file.pem"));
  }

  private static Optional<String> password(YamlValue yamlValue) {
    yamlValue.report().maskSecret(yamlValue.node());
    return yamlValue.isMaskedSecret() ? Optional.of("") : yamlValue.anyText();
  }
}
