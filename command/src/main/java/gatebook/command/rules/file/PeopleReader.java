package gatebook.command.rules.file;

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
import org.jspecify.annotations.Nullable;

/** Reads {@code principals} and {@code operators}: who is known by which token. */
final class PeopleReader {

  private static final Pattern HASH = Pattern.compile("(?:sha256:)?(?<hex>[0-9a-fA-F]{64})");

  /** Whose token a hash is of; nobody's is anybody else's. */
  private final Map<Bytes, String> owners = new HashMap<>();

  List<KnownPrincipal> principals(Value value) {
    Set<String> names = new HashSet<>();
    List<KnownPrincipal> principals = new ArrayList<>();
    for (Value item : value.items()) {
      new Value("a principal", item.node(), item.report())
          .keys("name", "token_hash", "roles", "attributes")
          .flatMap(keys -> principal(keys, names))
          .ifPresent(principals::add);
    }
    return principals;
  }

  private Optional<KnownPrincipal> principal(Keys keys, Set<String> names) {
    Optional<String> name = name(keys, names);
    Optional<Bytes> hash = hash(keys, "a principal");
    List<String> roles = keys.get("roles").map(PeopleReader::roles).orElse(List.of());
    Map<String, String> attributes =
        keys.get("attributes").map(PeopleReader::attributes).orElse(Map.of());
    return name.isPresent() && hash.isPresent()
        ? Optional.of(new KnownPrincipal(hash.get(), new Principal(name.get(), roles, attributes)))
        : Optional.empty();
  }

  List<KnownOperator> operators(Value value) {
    Set<String> names = new HashSet<>();
    List<KnownOperator> operators = new ArrayList<>();
    for (Value item : value.items()) {
      new Value("an operator", item.node(), item.report())
          .keys("name", "token_hash", "roles")
          .flatMap(keys -> operator(keys, names))
          .ifPresent(operators::add);
    }
    return operators;
  }

  private Optional<KnownOperator> operator(Keys keys, Set<String> names) {
    Optional<String> name = name(keys, names);
    Optional<Bytes> hash = hash(keys, "an operator");
    Set<Role> roles =
        keys.require("roles", "roles: [view], and arguments, approve or admin as needed")
            .map(PeopleReader::operatorRoles)
            .orElse(Set.of());
    return name.isPresent() && hash.isPresent()
        ? Optional.of(new KnownOperator(name.get(), hash.get(), roles))
        : Optional.empty();
  }

  private static Optional<String> name(Keys keys, Set<String> names) {
    Optional<Value> value = keys.require("name", "who it is");
    Optional<String> name = value.flatMap(Value::label);
    if (name.isPresent() && !names.add(name.get())) {
      value.orElseThrow().mistake("is another's too: give each a name of its own");
    }
    return name;
  }

  private Optional<Bytes> hash(Keys keys, String whose) {
    Optional<Value> value =
        keys.require("token_hash", "token_hash: sha256: and the 64 hex digits of the token's");
    value.ifPresent(it -> it.report().secret(it.node()));
    return value.filter(it -> !it.isForgotten()).flatMap(it -> hash(it, whose));
  }

  private Optional<Bytes> hash(Value value, String whose) {
    Optional<String> text = value.anyText();
    Optional<Bytes> hash = text.flatMap(PeopleReader::hash);
    if (text.isPresent() && hash.isEmpty()) {
      value.mistake("must be sha256: and 64 hex digits, which 'sha256sum' tells of a token");
    }
    if (hash.isPresent()) {
      owned(value, hash.get(), whose);
    }
    return hash;
  }

  private static Optional<Bytes> hash(String text) {
    Matcher hash = HASH.matcher(text);
    return hash.matches()
        ? Optional.of(Bytes.of(HexFormat.of().parseHex(hash.group("hex"))))
        : Optional.empty();
  }

  private void owned(Value value, Bytes hash, String whose) {
    @Nullable String other = owners.putIfAbsent(hash, whose);
    if (other != null) {
      value.mistake("is that of %s above: give each a token of its own".formatted(other));
    }
  }

  private static List<String> roles(Value value) {
    Set<String> roles = new LinkedHashSet<>();
    value
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

  private static Set<Role> operatorRoles(Value value) {
    Set<Role> roles = EnumSet.noneOf(Role.class);
    List<Value> items = value.items();
    for (Value item : items) {
      item.word(Words.of(Role.class))
          .filter(role -> !roles.add(role))
          .ifPresent(_ -> item.mistake("is there twice: keep one"));
    }
    if (value.isEmptyList()) {
      value.mistake("must hold at least one of view, arguments, approve and admin");
    }
    return roles;
  }

  private static Map<String, String> attributes(Value value) {
    Map<String, String> attributes = new LinkedHashMap<>();
    value
        .named()
        .forEach(
            (key, attribute) -> attribute.anyText().ifPresent(text -> attributes.put(key, text)));
    return attributes;
  }
}
