package gatebook.command.rules.file;

import gatebook.command.rules.ClientTlsFiles;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Reads the section {@code tls} of a source. The files are read where its connections are made:
 * recorded rules must be readable when their files are gone.
 */
final class SourceTlsReader {

  private SourceTlsReader() {}

  static ClientTlsFiles read(YamlValue yamlValue) {
    return yamlValue
        .keys("ca", "cert", "key", "password")
        .map(SourceTlsReader::files)
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
        strictMapping.get("password").flatMap(SourceTlsReader::password));
  }

  private static Optional<Path> file(StrictMapping strictMapping, String key) {
    return strictMapping.get(key).flatMap(it -> it.pathFromRoot("/srv/tls/file.pem"));
  }

  private static Optional<String> password(YamlValue yamlValue) {
    yamlValue.report().maskSecret(yamlValue.node());
    return yamlValue.isMaskedSecret() ? Optional.of("") : yamlValue.anyText();
  }
}
