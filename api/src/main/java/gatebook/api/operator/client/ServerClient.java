package gatebook.api.operator.client;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.node.ObjectNode;
import gatebook.api.http.ConsoleHeader;
import gatebook.api.rpc.MessageWriter;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.HttpRetryException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Predicate;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;

/** A client of a server's admin port. It never follows a redirect with its token. */
public final class ServerClient implements OperatorClient {
  private static final Duration CONNECT_MAX = Duration.ofSeconds(5);

  private final URI url;
  private final Optional<String> token;
  private final Optional<SSLContext> tls;

  private ServerClient(URI url, Optional<String> token, Optional<SSLContext> tls) {
    this.url = url;
    this.token = token;
    this.tls = tls;
  }

  /**
   * Empty when the text is not the URL of a server.
   *
   * @param token empty for an operator who is known by the certificate
   * @param tls what is trusted and shown; empty for what the JDK trusts
   */
  public static Optional<ServerClient> of(
      String url, Optional<String> token, Optional<SSLContext> tls) {
    try {
      URI uri = URI.create(url).resolve("/operator");
      boolean isHttp = "http".equals(uri.getScheme()) || "https".equals(uri.getScheme());
      return isHttp && uri.getHost() != null
          ? Optional.of(new ServerClient(uri, token, tls))
          : Optional.empty();
    } catch (IllegalArgumentException _) {
      return Optional.empty();
    }
  }

  /** The address at which a code signs in to the server's console. */
  public URI consoleLink(String code) {
    return url.resolve("/#code=" + code);
  }

  /**
   * Uses {@code HttpURLConnection}, which loads faster than {@code HttpClient}: a command is short.
   */
  @Override
  public Answer call(String method, ObjectNode params) {
    try {
      return answer(connection(), method, params);
    } catch (HttpRetryException _) {
      return unauthorized(); // thrown only for a 401, since a body of fixed length is not sent
      // again
    } catch (SSLException e) {
      return new Answer.Failed(distrusted(e));
    } catch (IOException _) {
      return new Answer.Failed("no server answers at %s: is it running?".formatted(url));
    } catch (IllegalArgumentException _) {
      return new Answer.Failed("the token has characters that no token has");
    }
  }

  @Override
  public FollowResult follow(String query, OptionalLong after, Predicate<String> wantsMore)
      throws InterruptedException {
    HttpClient.Builder builder = HttpClient.newBuilder().connectTimeout(CONNECT_MAX);
    tls.ifPresent(builder::sslContext);
    try (HttpClient client = builder.build()) {
      return new TailClient(client, tailRequest(query, after)).follow(wantsMore);
    } catch (SSLException e) {
      return new FollowResult.Refused(distrusted(e), false);
    } catch (IOException _) {
      return new FollowResult.Refused(
          "no server answers at %s: is it running?".formatted(url), true);
    } catch (IllegalArgumentException _) {
      return new FollowResult.Refused("the token has characters that no token has", false);
    }
  }

  private HttpURLConnection connection() throws IOException {
    HttpURLConnection connection = (HttpURLConnection) url.toURL().openConnection();
    if (connection instanceof HttpsURLConnection secured) {
      tls.map(SSLContext::getSocketFactory).ifPresent(secured::setSSLSocketFactory);
    }
    return connection;
  }

  private String distrusted(SSLException failure) {
    return "no trusted connection to %s (%s): check --url, --ca, and --cert"
        .formatted(url, failure.getMessage());
  }

  private HttpRequest tailRequest(String query, OptionalLong after) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(url.resolve("/operator/tail" + query))
            .version(HttpClient.Version.HTTP_1_1)
            .header("Accept", "text/event-stream")
            .header(credentialName(), credentialValue());
    after.ifPresent(it -> request.header("Last-Event-ID", String.valueOf(it)));
    return request.build();
  }

  private Answer answer(HttpURLConnection connection, String method, ObjectNode params)
      throws IOException {
    byte[] message = MessageWriter.request("1", method, params.toString());
    connection.setConnectTimeout((int) CONNECT_MAX.toMillis());
    connection.setInstanceFollowRedirects(false);
    connection.setDoOutput(true);
    connection.setFixedLengthStreamingMode(message.length); // otherwise it may be sent twice
    connection.setRequestProperty("Content-Type", "application/json");
    connection.setRequestProperty(credentialName(), credentialValue());
    try (OutputStream out = connection.getOutputStream()) {
      out.write(message);
    }
    int status = connection.getResponseCode();
    if (status == HttpURLConnection.HTTP_UNAUTHORIZED) {
      return unauthorized();
    }
    try {
      byte[] body = body(connection, status);
      return body.length < connection.getContentLengthLong()
          ? cut()
          : answer(new String(body, UTF_8));
    } catch (IOException _) {
      return cut();
    }
  }

  private static byte[] body(HttpURLConnection connection, int status) throws IOException {
    try (InputStream in =
        status < HttpURLConnection.HTTP_BAD_REQUEST
            ? connection.getInputStream()
            : connection.getErrorStream()) {
      return in == null ? new byte[0] : in.readAllBytes();
    }
  }

  private Answer cut() {
    return new Answer.Failed(
        "the answer of the server at %s was cut off: try again".formatted(url));
  }

  private Answer answer(String body) {
    return OperatorClient.parseAnswer(body)
        .orElseGet(() ->
            new Answer.Failed("the server at %s is not a gatebook: check --url".formatted(url)));
  }

  /** Without a token the request says that no page of another origin made it. */
  private String credentialName() {
    return token.isPresent() ? "Authorization" : ConsoleHeader.NAME;
  }

  private String credentialValue() {
    return token.map("Bearer "::concat).orElse(ConsoleHeader.VALUE);
  }

  private Answer unauthorized() {
    return new Answer.Failed(
        "the server at %s does not accept this %s with --token or GATEBOOK_TOKEN"
            .formatted(
                url, token.isPresent() ? "token: give another" : "certificate: give a token"));
  }
}
