package gatebook.command.rules.file;

import gatebook.command.rules.Credential;
import gatebook.command.rules.KnownOperator;
import gatebook.command.rules.KnownOperator.Role;
import gatebook.command.rules.KnownPrincipal;
import gatebook.events.call.Bytes;
import gatebook.events.call.Principal;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.security.auth.x500.X500Principal;
import org.jspecify.annotations.Nullable;

/**
 * Reads the people of the sections {@code principals} and {@code operators}, with their
 * credentials.
 */
final class PeopleReader {

  private static final Pattern HASH = Pattern.compile("(?:sha256:)?(?<hex>[0-9a-fA-F]{64})");

  private static final String CERTIFICATE_HINT =
      "must be dns:, uri: or email: and a name in the certificate, or its subject, as in"
          + " CN=agent,O=Example";

  private static final Pattern ALTERNATIVE_NAME = Pattern.compile("(?:dns|uri|email):\\S+");

  /** The kind of person by credential; no two may have the same. */
  private final Map<Credential, String> holders = new HashMap<>();

  List<KnownPrincipal> principals(YamlValue yamlValue) {
    Set<String> names = new HashSet<>();
    List<KnownPrincipal> principals = new ArrayList<>();
    for (YamlValue item : yamlValue.items()) {
      new YamlValue("a principal", item.node(), item.report())
          .keys("name", "token_hash", "certificate", "roles", "attributes")
          .flatMap(strictMapping -> principal(strictMapping, names))
          .ifPresent(principals::add);
    }
    return principals;
  }

  private Optional<KnownPrincipal> principal(StrictMapping strictMapping, Set<String> names) {
    Optional<String> name = name(strictMapping, names);
    Set<Credential> credentials = credentials(strictMapping, "a principal");
    List<String> roles = strictMapping.get("roles").map(PeopleReader::roles).orElse(List.of());
    Map<String, String> attributes =
        strictMapping.get("attributes").map(PeopleReader::attributes).orElse(Map.of());
    return name.isPresent() && !credentials.isEmpty()
        ? Optional.of(new KnownPrincipal(credentials, new Principal(name.get(), roles, attributes)))
        : Optional.empty();
  }

  /** A token, a certificate, or both; empty after a mistake. */
  private Set<Credential> credentials(StrictMapping strictMapping, String holder) {
    Optional<YamlValue> certificate = strictMapping.get("certificate");
    Set<Credential> credentials = new HashSet<>();
    certificate.flatMap(it -> certificate(it, holder)).ifPresent(credentials::add);
    if (certificate.isEmpty() || strictMapping.get("token_hash").isPresent()) {
      hash(strictMapping, holder).ifPresent(it -> credentials.add(new Credential.Token(it)));
    }
    return credentials;
  }

  private Optional<Credential> certificate(YamlValue yamlValue, String holder) {
    Optional<String> text = yamlValue.text();
    Optional<Credential> certificate = text.flatMap(PeopleReader::certificate);
    if (text.isPresent() && certificate.isEmpty()) {
      yamlValue.mistake(CERTIFICATE_HINT);
    }
    certificate.ifPresent(
        it -> requireUnique(yamlValue, it, holder, "give each a certificate of its own"));
    return certificate;
  }

  private static Optional<Credential> certificate(String text) {
    if (ALTERNATIVE_NAME.matcher(text).matches()) {
      return Optional.of(new Credential.Certificate(text));
    }
    try {
      return text.contains("=")
          ? Optional.of(Credential.Certificate.of(new X500Principal(text)))
          : Optional.empty();
    } catch (IllegalArgumentException _) {
      return Optional.empty();
    }
  }

  List<KnownOperator> operators(YamlValue yamlValue) {
    Set<String> names = new HashSet<>();
    List<KnownOperator> operators = new ArrayList<>();
    for (YamlValue item : yamlValue.items()) {
      new YamlValue("an operator", item.node(), item.report())
          .keys("name", "token_hash", "certificate", "roles")
          .flatMap(strictMapping -> operator(strictMapping, names))
          .ifPresent(operators::add);
    }
    return operators;
  }

  private Optional<KnownOperator> operator(StrictMapping strictMapping, Set<String> names) {
    Optional<String> name = name(strictMapping, names);
    Set<Credential> credentials = credentials(strictMapping, "an operator");
    Set<Role> roles =
        strictMapping
            .require("roles", "roles: [view], and arguments, approve or admin as needed")
            .map(PeopleReader::operatorRoles)
            .orElse(Set.of());
    return name.isPresent() && !credentials.isEmpty()
        ? Optional.of(new KnownOperator(name.get(), credentials, roles))
        : Optional.empty();
  }

  private static Optional<String> name(StrictMapping strictMapping, Set<String> names) {
    Optional<YamlValue> value = strictMapping.require("name", "who it is");
    Optional<String> name = value.flatMap(YamlValue::label);
    if (name.isPresent() && !names.add(name.get())) {
      value.orElseThrow().mistake("is already taken: give each a name of its own");
    }
    return name;
  }

  private Optional<Bytes> hash(StrictMapping strictMapping, String holder) {
    Optional<YamlValue> value =
        strictMapping.require(
            "token_hash", "token_hash: sha256: and the 64 hex digits of the token's hash");
    value.ifPresent(it -> it.report().maskSecret(it.node()));
    return value.filter(it -> !it.isMaskedSecret()).flatMap(it -> hash(it, holder));
  }

  private Optional<Bytes> hash(YamlValue yamlValue, String holder) {
    Optional<String> text = yamlValue.anyText();
    Optional<Bytes> hash = text.flatMap(PeopleReader::hash);
    if (text.isPresent() && hash.isEmpty()) {
      yamlValue.mistake(
          "must be sha256: and 64 hex digits, as 'sha256sum' prints them for a token");
    }
    if (hash.isPresent()) {
      requireUnique(
          yamlValue, new Credential.Token(hash.get()), holder, "give each a token of its own");
    }
    return hash;
  }

  private static Optional<Bytes> hash(String text) {
    Matcher hash = HASH.matcher(text);
    return hash.matches()
        ? Optional.of(Bytes.of(HexFormat.of().parseHex(hash.group("hex"))))
        : Optional.empty();
  }

  private void requireUnique(
      YamlValue yamlValue, Credential credential, String holder, String otherwise) {
    @Nullable String other = holders.putIfAbsent(credential, holder);
    if (other != null) {
      yamlValue.mistake("is that of %s above: %s".formatted(other, otherwise));
    }
  }

  static List<String> roles(YamlValue yamlValue) {
    Set<String> roles = new LinkedHashSet<>();
    yamlValue
        .items()
        .forEach(item ->
            item.label()
                .ifPresent(role -> {
                  if (!roles.add(role)) {
                    item.mistake("is there twice: keep one");
                  }
                }));
    return List.copyOf(roles);
  }

  static Set<Role> operatorRoles(YamlValue yamlValue) {
    Set<Role> roles = EnumSet.noneOf(Role.class);
    List<YamlValue> items = yamlValue.items();
    for (YamlValue item : items) {
      item.oneOf(EnumWords.of(Role.class))
          .filter(role -> !roles.add(role))
          .ifPresent(_ -> item.mistake("is there twice: keep one"));
    }
    if (yamlValue.isEmptyList()) {
      yamlValue.mistake("must hold at least one of view, arguments, approve and admin");
    }
    return roles;
  }

  static Map<String, String> attributes(YamlValue yamlValue) {
    Map<String, String> attributes = new LinkedHashMap<>();
    yamlValue
        .entries()
        .forEach(
            (key, attribute) -> attribute.anyText().ifPresent(text -> attributes.put(key, text)));
    return attributes;
  }
}
