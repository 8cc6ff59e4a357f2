package gatebook.api.signon;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.nimbusds.jose.jwk.source.JWKSetUnavailableException;
import gatebook.api.upstream.http.ExchangeResult;
import gatebook.command.rules.SignOnClient;
import io.netty.handler.codec.http.DefaultHttpHeadersFactory;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Exchanges the codes of authorization servers for ID tokens. */
final class CodeExchange {
  private static final Logger LOG = LoggerFactory.getLogger(CodeExchange.class);
  private static final JsonMapper JSON =
      JsonMapper.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();
  private static final int OK = 200;
  private static final int BAD_REQUEST = 400;
  private static final int UNAUTHORIZED = 401;
  private static final int SECRET_BYTES_MAX = 4 * 1024;

  /** The errors of RFC 6749 and its extensions are such words. */
  private static final Pattern ERROR = Pattern.compile("[a-z_]{1,64}");

  private final IssuerDocuments documents;

  CodeExchange(IssuerDocuments documents) {
    this.documents = documents;
  }

  /** The outcome of an exchange. */
  sealed interface Outcome {
    /** The ID token as it came, of which nothing is verified. */
    record Exchanged(String idToken) implements Outcome {}

    record Refused(SignOnRefusal refusal) implements Outcome {}
  }

  /** Blocks, but no longer than the settings say. */
  Outcome exchange(
      String code,
      SignOnAttempt attempt,
      SignOnClient client,
      AuthorizationEndpoints endpoints,
      KeySettings settings) {
    Map<String, String> fields = new LinkedHashMap<>();
    fields.put("grant_type", "authorization_code");
    fields.put("code", code);
    fields.put("redirect_uri", attempt.redirect().toString());
    fields.put("code_verifier", attempt.verifier());
    HttpHeaders headers = DefaultHttpHeadersFactory.headersFactory().newHeaders();
    headers.set(HttpHeaderNames.ACCEPT, "application/json");
    headers.set(HttpHeaderNames.CONTENT_TYPE, FormBody.TYPE);
    Optional<String> secret = Optional.empty();
    if (client.secret().isPresent()) {
      secret = secret(client.secret().get());
      if (secret.isEmpty()) {
        return failed(settings, SignOnRefusal.CLIENT_SECRET, "its file cannot be read");
      }
    }
    if (secret.isPresent() && !endpoints.takesSecretInBody()) {
      headers.set(HttpHeaderNames.AUTHORIZATION, basic(client.id(), secret.get()));
    } else {
      fields.put("client_id", client.id());
      secret.ifPresent(it -> fields.put("client_secret", it));
    }
    try {
      return outcome(
          documents.post(endpoints.token(), headers, FormBody.of(fields).getBytes(UTF_8), settings),
          settings);
    } catch (JWKSetUnavailableException e) {
      return failed(settings, SignOnRefusal.TOKEN_ENDPOINT, String.valueOf(e.getMessage()));
    }
  }

  private static Optional<String> secret(SignOnClient.Secret secret) {
    return switch (secret) {
      case SignOnClient.Secret.Text(String text) -> Optional.of(text);
      case SignOnClient.Secret.Stored(Path file) -> stored(file);
    };
  }

  private static Optional<String> stored(Path file) {
    try (InputStream in = Files.newInputStream(file)) {
      return Optional.of(new String(in.readNBytes(SECRET_BYTES_MAX), UTF_8).strip())
          .filter(it -> !it.isEmpty());
    } catch (IOException _) {
      return Optional.empty();
    }
  }

  /** Both parts are encoded as in a form before they are joined: RFC 6749, section 2.3.1. */
  private static String basic(String id, String secret) {
    return "Basic "
        + Base64.getEncoder()
            .encodeToString(
                (FormBody.encoded(id) + ":" + FormBody.encoded(secret)).getBytes(UTF_8));
  }

  private static Outcome outcome(ExchangeResult result, KeySettings settings) {
    if (!(result instanceof ExchangeResult.Answered(int status, _, byte[] body))) {
      return failed(settings, SignOnRefusal.TOKEN_ENDPOINT, result.failure().orElse(""));
    }
    JsonNode answer = json(body);
    return switch (status) {
      case OK ->
          Optional.ofNullable(answer.path("id_token").textValue())
              .<Outcome>map(Outcome.Exchanged::new)
              .orElseGet(() ->
                  failed(settings, SignOnRefusal.TOKEN_ENDPOINT, "its answer has no id_token"));
      case BAD_REQUEST, UNAUTHORIZED ->
          Optional.ofNullable(answer.path("error").textValue())
              .filter(error -> ERROR.matcher(error).matches())
              .map(error -> failed(settings, SignOnRefusal.CODE, error))
              .orElseGet(() -> badStatus(settings, status));
      default -> badStatus(settings, status);
    };
  }

  private static JsonNode json(byte[] body) {
    try {
      return JSON.readTree(body);
    } catch (IOException _) {
      return JSON.nullNode();
    }
  }

  private static Outcome badStatus(KeySettings settings, int status) {
    return failed(settings, SignOnRefusal.TOKEN_ENDPOINT, "it answered with the status " + status);
  }

  private static Outcome failed(KeySettings settings, SignOnRefusal refusal, String detail) {
    LOG.atWarn()
        .addKeyValue("issuer", settings.issuer())
        .addKeyValue("reason", refusal.reason())
        .addKeyValue("detail", detail)
        .log("an authorization code was not exchanged");
    return new Outcome.Refused(refusal);
  }
}
