package gatebook.command.rules;

import gatebook.command.rules.KnownOperator.Role;
import gatebook.events.call.Principal;
import gatebook.events.fault.Misdirected.Refusal;
import java.net.URI;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * An issuer of tokens, and what its tokens are worth here. Everybody it tells of has its name
 * before their own, so that nobody can be taken for one who is listed or whom another issuer knows.
 *
 * @param name of the issuer here
 * @param issuer as its tokens name it
 * @param audiences of which a token must be for one
 * @param keys where its key set is; empty when its metadata document says so
 * @param tls the files for connections to its server
 * @param algorithms of signatures that are accepted
 * @param principal the claim with the name of whom the token is about
 * @param groups the claim with the groups of whom the token is about
 * @param callers which of them may call; empty when none may
 * @param operators the roles of operators, by group
 * @param console the client at which they sign in to the console; empty when they cannot
 */
public record TokenIssuer(
    String name,
    String issuer,
    Set<String> audiences,
    Optional<URI> keys,
    ClientTlsFiles tls,
    Set<String> algorithms,
    String principal,
    String groups,
    Optional<CallerTerms> callers,
    Map<String, Set<Role>> operators,
    Optional<SignOnClient> console) {
  /** Stands between the name of an issuer and that of a person. */
  public static final String SEPARATOR = ":";

  /** Stands for the name of an issuer that the rules do not have. */
  public static final String UNKNOWN = "unknown";

  /** The longest name of a person, in characters; that of {@code sub} by its specification. */
  static final int SUBJECT_LENGTH_MAX = 255;

  public TokenIssuer {
    audiences = Set.copyOf(audiences);
    algorithms = Set.copyOf(algorithms);
    operators = Map.copyOf(operators);
  }

  /** Whether this is the name of somebody whom the issuer knows. */
  public boolean names(String principalName) {
    return principalName.startsWith(name + SEPARATOR);
  }

  /** The name here of whom a token is about; empty when it does not tell or cannot be shown. */
  public Optional<String> personOf(Claims claims) {
    return claims
        .text(principal)
        .filter(TokenIssuer::isName)
        .map(subject -> name + SEPARATOR + subject);
  }

  private static boolean isName(String text) {
    return !text.isBlank()
        && text.length() <= SUBJECT_LENGTH_MAX
        && text.equals(text.strip())
        && text.codePoints()
            .noneMatch(
                it -> Character.isISOControl(it) || Character.getType(it) == Character.FORMAT);
  }

  /** Whether the holder of a token with these claims may call. */
  public Admission caller(Claims claims) {
    Optional<String> person = personOf(claims);
    if (person.isEmpty()) {
      return new Admission.Refused(Refusal.TOKEN_NO_PRINCIPAL);
    }
    List<String> theirs = claims.texts(groups);
    Optional<CallerTerms> terms = callers.filter(it -> isOpenTo(it.groups(), theirs));
    if (terms.isEmpty()) {
      return new Admission.Refused(Refusal.NOT_PERMITTED);
    }
    return claims.scopes().containsAll(terms.get().scopes())
        ? new Admission.Admitted(
            new Principal(
                person.get(), roles(terms.get(), theirs), attributes(terms.get(), claims)))
        : new Admission.Refused(Refusal.SCOPE_MISSING);
  }

  private static boolean isOpenTo(Set<String> needed, Collection<String> groups) {
    return needed.isEmpty() || groups.stream().anyMatch(needed::contains);
  }

  private static List<String> roles(CallerTerms terms, List<String> groups) {
    return groups.stream()
        .flatMap(group -> terms.roles().getOrDefault(group, List.of()).stream())
        .distinct()
        .sorted()
        .toList();
  }

  private static Map<String, String> attributes(CallerTerms terms, Claims claims) {
    Map<String, String> attributes = new HashMap<>();
    terms
        .attributes()
        .forEach((name, claim) -> claims.text(claim).ifPresent(it -> attributes.put(name, it)));
    return attributes;
  }

  /** The roles of an operator whose token has these claims; none when they are no operator. */
  public Set<Role> operatorRoles(Claims claims) {
    Set<Role> roles = EnumSet.noneOf(Role.class);
    claims.texts(groups).forEach(group -> roles.addAll(operators.getOrDefault(group, Set.of())));
    return roles;
  }
}
