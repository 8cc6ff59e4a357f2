package gatebook.api.signon;

import gatebook.command.rules.SignOnClient;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What the metadata of an authorization server say about signing in there.
 *
 * @param authorization to which browsers are sent
 * @param token where a code is exchanged
 * @param namesItself whether its answers name it, as RFC 9207 has it
 * @param takesSecretInBody whether the secret of a client is in the body of its requests, and not
 *     in their header
 */
record AuthorizationEndpoints(
    URI authorization, URI token, boolean namesItself, boolean takesSecretInBody) {

  /**
   * Empty when one is missing or is not to be used.
   *
   * @param mayBePlain whether they may be reached without TLS, as the metadata were
   */
  static Optional<AuthorizationEndpoints> of(
      Map<String, ? extends @Nullable Object> metadata, boolean mayBePlain) {
    Optional<URI> authorization = url(metadata.get("authorization_endpoint"), mayBePlain);
    Optional<URI> token = url(metadata.get("token_endpoint"), mayBePlain);
    return authorization.isPresent() && token.isPresent()
        ? Optional.of(
            new AuthorizationEndpoints(
                authorization.get(),
                token.get(),
                Boolean.TRUE.equals(metadata.get("authorization_response_iss_parameter_supported")),
                takesSecretInBody(metadata.get("token_endpoint_auth_methods_supported"))))
        : Optional.empty();
  }

  private static Optional<URI> url(@Nullable Object written, boolean mayBePlain) {
    try {
      return Optional.ofNullable(written)
          .map(it -> URI.create(it.toString()))
          .filter(it -> it.getHost() != null && it.getRawFragment() == null)
          .filter(it ->
              "https".equalsIgnoreCase(it.getScheme())
                  || (mayBePlain && "http".equalsIgnoreCase(it.getScheme())));
    } catch (IllegalArgumentException _) {
      return Optional.empty();
    }
  }

  /** Without a list, the header is meant. */
  private static boolean takesSecretInBody(@Nullable Object methods) {
    return methods instanceof List<?> list
        && list.contains("client_secret_post")
        && !list.contains("client_secret_basic");
  }

  /** The address to which a browser is sent to sign in. */
  URI address(SignOnClient client, SignOnAttempt attempt, String state) {
    Map<String, String> params = new LinkedHashMap<>();
    params.put("response_type", "code");
    params.put("client_id", client.id());
    params.put("redirect_uri", attempt.redirect().toString());
    params.put("scope", String.join(" ", client.scopes()));
    params.put("state", state);
    params.put("nonce", attempt.nonce());
    params.put("code_challenge", attempt.challenge());
    params.put("code_challenge_method", "S256");
    String separator = authorization.getRawQuery() == null ? "?" : "&";
    return URI.create(authorization + separator + FormBody.of(params));
  }
}
