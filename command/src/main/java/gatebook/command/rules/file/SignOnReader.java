package gatebook.command.rules.file;

import gatebook.command.rules.CallerTerms;
import gatebook.command.rules.ClientTlsFiles;
import gatebook.command.rules.KnownOperator;
import gatebook.command.rules.KnownOperator.Role;
import gatebook.command.rules.KnownPrincipal;
import gatebook.command.rules.SignOn;
import gatebook.command.rules.SignOnClient;
import gatebook.command.rules.TokenIssuer;
import java.net.URI;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Reads the section {@code sign_on}: the issuers whose tokens sign callers and operators on. */
final class SignOnReader {
  private static final String ISSUER_HINT = "issuer: https:// and what its tokens have as 'iss'";
  private static final String AUDIENCE_HINT =
      "audience: what tokens for this gateway have as 'aud', as in"
          + " https://gatebook.example.com/mcp";
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,62}");
  private static final Pattern LOOPBACK =
      Pattern.compile("localhost|127(?:\\.\\d{1,3}){3}|\\[::1]");

  /** A scope, as RFC 6749 has it; clients are told it in a header. */
  private static final Pattern SCOPE = Pattern.compile("[!#-\\[\\]-~]+");

  /** The signatures that can be verified; those with a shared secret are not among them. */
  private static final List<String> ALGORITHMS =
      List.of("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512");

  private static final Set<String> ALGORITHMS_DEFAULT = Set.of("RS256", "PS256", "ES256");

  private final List<String> listed;
  private final Set<String> names = new HashSet<>();
  private final Set<String> issuers = new HashSet<>();

  /** Nobody that is listed may have a name as if an issuer knew them. */
  SignOnReader(List<KnownPrincipal> principals, List<KnownOperator> operators) {
    this.listed =
        Stream.concat(
                principals.stream().map(it -> it.principal().name()),
                operators.stream().map(KnownOperator::name))
            .toList();
  }

  SignOn read(YamlValue yamlValue) {
    return new SignOn(
        yamlValue.items().stream()
            .map(item -> new YamlValue("an issuer", item.node(), item.report()))
            .flatMap(item -> issuer(item).stream())
            .toList());
  }

  private Optional<TokenIssuer> issuer(YamlValue item) {
    return item.keys(
            "name",
            "issuer",
            "audience",
            "keys",
            "tls",
            "algorithms",
            "principal",
            "groups",
            "callers",
            "operators",
            "console")
        .flatMap(this::issuer);
  }

  private Optional<TokenIssuer> issuer(StrictMapping keys) {
    Optional<String> name = keys.require("name", "a word for it here").flatMap(this::name);
    Optional<String> issuer = keys.require("issuer", ISSUER_HINT).flatMap(this::issuerUrl);
    Set<String> audiences =
        keys.require("audience", AUDIENCE_HINT).map(SignOnReader::audiences).orElse(Set.of());
    Optional<URI> keySet = keys.get("keys").flatMap(SignOnReader::secureUrl);
    ClientTlsFiles tls = ClientTlsReader.read(keys, issuer.map(URI::create));
    Set<String> algorithms =
        keys.get("algorithms").map(SignOnReader::algorithms).orElse(ALGORITHMS_DEFAULT);
    Optional<String> principal = keys.get("principal").flatMap(YamlValue::label);
    Optional<String> groups = keys.get("groups").flatMap(YamlValue::label);
    Optional<CallerTerms> callers = keys.get("callers").flatMap(SignOnReader::callers);
    Map<String, Set<Role>> operators =
        keys.get("operators").map(it -> byKey(it, PeopleReader::operatorRoles)).orElse(Map.of());
    Optional<SignOnClient> console = keys.get("console").flatMap(SignOnClientReader::read);
    keys.get("console")
        .filter(_ -> keys.get("operators").isEmpty())
        .ifPresent(
            it -> it.mistake("has no meaning without 'operators': nobody would have a role"));
    if (keys.get("callers").isEmpty() && keys.get("operators").isEmpty()) {
      keys.mistake("needs 'callers', 'operators' or both: else its tokens are worth nothing");
    }
    return name.isPresent() && issuer.isPresent()
        ? Optional.of(
            new TokenIssuer(
                name.get(),
                issuer.get(),
                audiences,
                keySet,
                tls,
                algorithms,
                principal.orElse("sub"),
                groups.orElse("groups"),
                callers,
                operators,
                console))
        : Optional.empty();
  }

  private Optional<String> name(YamlValue yamlValue) {
    Optional<String> name = yamlValue.label();
    if (name.isEmpty()) {
      return name;
    }
    if (!NAME.matcher(name.get()).matches()) {
      yamlValue.mistake("must be at most 63 letters, digits, dots, dashes and underscores");
    } else if (name.get().equals(TokenIssuer.UNKNOWN)) {
      yamlValue.mistake("must be another: metrics have '%s' for all others".formatted(name.get()));
    } else if (!names.add(name.get())) {
      yamlValue.mistake("is already taken: give each issuer a name of its own");
    } else {
      listed.stream()
          .filter(it -> it.startsWith(name.get() + TokenIssuer.SEPARATOR))
          .findFirst()
          .ifPresent(it ->
              yamlValue.mistake(
                  "is how the name '%s' begins, so a token could be taken for it: rename one"
                      .formatted(it)));
    }
    return name;
  }

  private Optional<String> issuerUrl(YamlValue yamlValue) {
    Optional<URI> address = secureUrl(yamlValue);
    address
        .filter(it -> it.getRawQuery() != null)
        .ifPresent(_ -> yamlValue.mistake("must have no '?' and what follows it"));
    Optional<String> url = address.flatMap(_ -> yamlValue.text());
    url.filter(it -> !issuers.add(it))
        .ifPresent(_ -> yamlValue.mistake("is that of another issuer above: keep one"));
    return url;
  }

  /** An address that is reached by TLS, or on this machine. */
  private static Optional<URI> secureUrl(YamlValue yamlValue) {
    Optional<URI> url = SourceUrl.read(yamlValue);
    Optional<URI> secure = url.filter(SignOnReader::isSecure);
    if (url.isPresent() && secure.isEmpty()) {
      yamlValue.mistake("must begin with https://, unless it is on this machine");
    }
    return secure;
  }

  private static boolean isSecure(URI url) {
    return "https".equalsIgnoreCase(url.getScheme()) || LOOPBACK.matcher(url.getHost()).matches();
  }

  private static Set<String> audiences(YamlValue yamlValue) {
    Set<String> audiences = oneOrMore(yamlValue);
    if (yamlValue.isEmptyList()) {
      yamlValue.mistake("must hold at least one: else tokens for others would be accepted");
    }
    return audiences;
  }

  private static Set<String> oneOrMore(YamlValue yamlValue) {
    return yamlValue.isList()
        ? new LinkedHashSet<>(yamlValue.texts())
        : yamlValue.text().map(Set::of).orElse(Set.of());
  }

  private static Set<String> algorithms(YamlValue yamlValue) {
    Map<String, String> words = new LinkedHashMap<>();
    ALGORITHMS.forEach(it -> words.put(it, it));
    Set<String> algorithms = new LinkedHashSet<>();
    yamlValue.items().forEach(item -> item.oneOf(words).ifPresent(algorithms::add));
    if (yamlValue.isEmptyList()) {
      yamlValue.mistake("must hold at least one of " + YamlValue.listed(ALGORITHMS, "and"));
    }
    return algorithms;
  }

  private static Optional<CallerTerms> callers(YamlValue yamlValue) {
    return yamlValue
        .keys("groups", "scopes", "roles", "attributes")
        .map(keys ->
            new CallerTerms(
                keys.get("groups").map(SignOnReader::groups).orElse(Set.of()),
                keys.get("scopes").map(SignOnReader::scopes).orElse(Set.of()),
                keys.get("roles").map(it -> byKey(it, PeopleReader::roles)).orElse(Map.of()),
                keys.get("attributes").map(PeopleReader::attributes).orElse(Map.of())));
  }

  /** An empty list would mean everybody, which is said by leaving the key out. */
  private static Set<String> groups(YamlValue yamlValue) {
    if (yamlValue.isEmptyList()) {
      yamlValue.mistake("must hold at least one: leave it out if anybody of the audience may call");
    }
    return oneOrMore(yamlValue);
  }

  private static Set<String> scopes(YamlValue yamlValue) {
    Set<String> scopes = oneOrMore(yamlValue);
    if (!scopes.stream().allMatch(it -> SCOPE.matcher(it).matches())) {
      yamlValue.mistake("must be scopes: ASCII without blanks, quotes and backslashes");
    }
    return scopes;
  }

  private static <T> Map<String, T> byKey(YamlValue yamlValue, Function<YamlValue, T> reader) {
    Map<String, T> values = new LinkedHashMap<>();
    yamlValue.entries().forEach((key, value) -> values.put(key, reader.apply(value)));
    return values;
  }
}
