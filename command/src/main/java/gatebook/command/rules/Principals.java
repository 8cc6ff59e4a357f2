package gatebook.command.rules;

import static java.util.function.Function.identity;
import static java.util.stream.Collectors.toUnmodifiableMap;

import gatebook.events.call.Principal;
import gatebook.events.fault.Misdirected.Refusal;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The principals of the rules: those that are listed, and those whom an issuer of tokens knows.
 * Finding one takes the same time however many there are.
 *
 * <p>Those with a token are found by its hash. How long that takes may say something about the
 * hash, but not about the token, because tokens with a chosen part of a hash cannot be made.
 */
public final class Principals {
  /** No principals. */
  public static final Principals NONE = new Principals(List.of(), SignOn.NONE);

  private final List<KnownPrincipal> all;
  private final SignOn signOn;
  private final Map<Credential, Principal> byCredential = new HashMap<>();
  private final Map<String, Principal> byName;

  private Principals(List<KnownPrincipal> all, SignOn signOn) {
    this.all = List.copyOf(all);
    this.signOn = signOn;
    for (KnownPrincipal known : all) {
      known.credentials().forEach(it -> byCredential.putIfAbsent(it, known.principal()));
    }
    this.byName =
        all.stream()
            .map(KnownPrincipal::principal)
            .collect(toUnmodifiableMap(Principal::name, identity(), (first, _) -> first));
  }

  /** The first of several with the same credential or name is found. */
  public static Principals of(List<KnownPrincipal> all) {
    return of(all, SignOn.NONE);
  }

  /** The first of several with the same credential or name is found. */
  public static Principals of(List<KnownPrincipal> all, SignOn signOn) {
    return new Principals(all, signOn);
  }

  /** Those that are listed. */
  public List<KnownPrincipal> all() {
    return all;
  }

  /** The issuers who know others than those that are listed. */
  public SignOn signOn() {
    return signOn;
  }

  public boolean isEmpty() {
    return all.isEmpty() && !signOn.hasCallers();
  }

  public Optional<Principal> with(Credential credential) {
    return admission(credential) instanceof Admission.Admitted(var principal)
        ? Optional.of(principal)
        : Optional.empty();
  }

  /** Whether the holder of a credential may call, and else why not. */
  public Admission admission(Credential credential) {
    if (credential instanceof Credential.SignedToken(var issuer, var claims)) {
      return signOn
          .issuer(issuer)
          .map(it -> it.caller(claims))
          .orElseGet(() -> new Admission.Refused(Refusal.TOKEN_ISSUER));
    }
    Principal principal = byCredential.get(credential);
    return principal == null
        ? new Admission.Refused(Refusal.TOKEN_UNKNOWN)
        : new Admission.Admitted(principal);
  }

  public Optional<Principal> named(String name) {
    return Optional.ofNullable(byName.get(name));
  }

  /**
   * The principal of a recorded call as these rules know it. Of one that is listed they say the
   * roles and attributes; of one that signed on its token said them, and the record has them.
   */
  public Optional<Principal> known(Principal recorded) {
    return recorded.name().equals(Principal.ANONYMOUS.name()) || signOn.names(recorded.name())
        ? Optional.of(recorded)
        : named(recorded.name());
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Principals principals
        && all.equals(principals.all)
        && signOn.equals(principals.signOn);
  }

  @Override
  public int hashCode() {
    return Objects.hash(all, signOn);
  }

  @Override
  public String toString() {
    return "%s %s".formatted(all, signOn);
  }
}
