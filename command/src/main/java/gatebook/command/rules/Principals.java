package gatebook.command.rules;

import static java.util.function.Function.identity;
import static java.util.stream.Collectors.toUnmodifiableMap;

import gatebook.events.call.Principal;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The principals of the rules. Finding one takes the same time however many there are.
 *
 * <p>Those with a token are found by its hash. How long that takes may say something about the
 * hash, but not about the token, because tokens with a chosen part of a hash cannot be made.
 */
public final class Principals {
  /** No principals. */
  public static final Principals NONE = new Principals(List.of());

  private final List<KnownPrincipal> all;
  private final Map<Credential, Principal> byCredential = new HashMap<>();
  private final Map<String, Principal> byName;

  private Principals(List<KnownPrincipal> all) {
    this.all = List.copyOf(all);
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
    return new Principals(all);
  }

  public List<KnownPrincipal> all() {
    return all;
  }

  public boolean isEmpty() {
    return all.isEmpty();
  }

  public Optional<Principal> with(Credential credential) {
    return Optional.ofNullable(byCredential.get(credential));
  }

  public Optional<Principal> named(String name) {
    return Optional.ofNullable(byName.get(name));
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Principals principals && all.equals(principals.all);
  }

  @Override
  public int hashCode() {
    return all.hashCode();
  }

  @Override
  public String toString() {
    return all.toString();
  }
}
