package gatebook.command.rules.file;

import gatebook.command.rules.SignOnClient;
import gatebook.command.rules.SignOnClient.Secret;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** Reads the client at which operators sign in to the console. Its secret is masked. */
final class SignOnClientReader {
  /** The characters of a client's id and of its secret: RFC 6749, appendix A. */
  private static final Pattern PRINTABLE = Pattern.compile("[\\x20-\\x7e]{1,1024}");

  /** One scope: RFC 6749, appendix A. */
  private static final Pattern SCOPE = Pattern.compile("[\\x21\\x23-\\x5b\\x5d-\\x7e]{1,256}");

  private SignOnClientReader() {}

  static Optional<SignOnClient> read(YamlValue yamlValue) {
    return yamlValue
        .keys("client_id", "client_secret", "client_secret_file", "scopes")
        .flatMap(SignOnClientReader::read);
  }

  private static Optional<SignOnClient> read(StrictMapping keys) {
    Optional<String> id =
        keys.require("client_id", "the id that the issuer gave to the console")
            .flatMap(SignOnClientReader::printable);
    Optional<Secret> text = keys.get("client_secret").flatMap(SignOnClientReader::secret);
    Optional<Secret> stored =
        keys.get("client_secret_file")
            .flatMap(it -> it.pathFromRoot("/etc/gatebook/console.secret"))
            .map(Secret.Stored::new);
    if (keys.get("client_secret").isPresent() && keys.get("client_secret_file").isPresent()) {
      keys.mistake("holds both 'client_secret' and 'client_secret_file': keep one");
    }
    List<String> scopes =
        keys.get("scopes").map(SignOnClientReader::scopes).orElse(List.of(SignOnClient.OPEN_ID));
    return id.map(it -> new SignOnClient(it, text.or(() -> stored), scopes));
  }

  private static Optional<Secret> secret(YamlValue yamlValue) {
    yamlValue.report().maskSecret(yamlValue.node());
    return (yamlValue.isMaskedSecret() ? Optional.of("") : printable(yamlValue))
        .map(Secret.Text::new);
  }

  private static Optional<String> printable(YamlValue yamlValue) {
    Optional<String> text = yamlValue.text();
    Optional<String> printable = text.filter(it -> PRINTABLE.matcher(it).matches());
    if (text.isPresent() && printable.isEmpty()) {
      yamlValue.mistake("must be one line of at most 1024 ASCII characters");
    }
    return printable;
  }

  private static List<String> scopes(YamlValue yamlValue) {
    List<String> scopes = yamlValue.texts();
    if (!scopes.stream().allMatch(it -> SCOPE.matcher(it).matches())) {
      yamlValue.mistake("must hold scopes: words without spaces and quotes");
    } else if (!scopes.contains(SignOnClient.OPEN_ID)) {
      yamlValue.mistake("must hold openid: else there is no ID token");
    }
    return scopes;
  }
}
