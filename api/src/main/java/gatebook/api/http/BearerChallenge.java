package gatebook.api.http;

import gatebook.events.fault.Misdirected.Refusal;
import java.util.Collection;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The challenge for a client that needs a bearer token, or another one: RFC 6750. It is the value
 * of the header {@code WWW-Authenticate}.
 */
public final class BearerChallenge {
  private static final String SCHEME = "Bearer";

  private BearerChallenge() {}

  /** Without a reason. */
  public static String plain() {
    return SCHEME;
  }

  /**
   * With what the client has to know.
   *
   * @param refusal of the token that it sent; empty when it sent none that is signed
   * @param metadata where the authorization servers of the resource are listed: RFC 9728
   * @param scopes that a token needs
   */
  public static String of(
      Optional<Refusal> refusal, Optional<String> metadata, Collection<String> scopes) {
    String params =
        Stream.of(
                refusal.map(it -> param("error", error(it))),
                refusal.map(Refusal::sentence).map(it -> param("error_description", it)),
                Optional.of(scopes)
                    .filter(it -> !it.isEmpty())
                    .map(it -> param("scope", String.join(" ", it))),
                metadata.map(it -> param("resource_metadata", it)))
            .flatMap(Optional::stream)
            .collect(Collectors.joining(", "));
    return params.isEmpty() ? SCHEME : SCHEME + " " + params;
  }

  private static String error(Refusal refusal) {
    return refusal == Refusal.SCOPE_MISSING ? "insufficient_scope" : "invalid_token";
  }

  /** None of the values has a quote or a backslash in it. */
  private static String param(String name, String value) {
    return "%s=\"%s\"".formatted(name, value);
  }
}
