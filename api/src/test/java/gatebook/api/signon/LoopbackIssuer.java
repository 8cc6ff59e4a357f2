package gatebook.api.signon;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSObject;
import com.nimbusds.jose.JWSSigner;
import com.nimbusds.jose.Payload;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import gatebook.command.rules.CallerTerms;
import gatebook.command.rules.ClientTlsFiles;
import gatebook.command.rules.KnownOperator.Role;
import gatebook.command.rules.TokenIssuer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import javax.net.ssl.SSLContext;

/**
 * An issuer of tokens that publishes its metadata and its keys over loopback HTTP, and answers to
 * the exchange of codes as a test says.
 */
public final class LoopbackIssuer implements AutoCloseable {
  public static final String AUDIENCE = "https://gatebook.example/mcp";

  private final String scheme;
  private final HttpServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final AtomicInteger keyRequests = new AtomicInteger();
  private volatile CountDownLatch stalled = new CountDownLatch(0);
  private volatile ECKey key;
  private volatile Answer keyAnswer;
  private volatile Map<String, ?> metadata;
  private volatile UnaryOperator<Answer> exchange =
      _ -> new Answer(400, Map.of(), "{\"error\":\"invalid_grant\"}");

  /** What is answered to a request, or a request itself, which has the status 0. */
  public record Answer(int status, Map<String, String> headers, String body) {}

  public LoopbackIssuer() throws IOException {
    this("http", HttpServer.create());
  }

  /** One that is reached by TLS. */
  static LoopbackIssuer by(SSLContext tls) throws IOException {
    HttpsServer server = HttpsServer.create();
    server.setHttpsConfigurator(new HttpsConfigurator(tls));
    return new LoopbackIssuer("https", server);
  }

  private LoopbackIssuer(String scheme, HttpServer server) throws IOException {
    this.scheme = scheme;
    this.key = newKey("first");
    this.keyAnswer = published(key);
    this.server = server;
    server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 64);
    server.createContext("/.well-known/openid-configuration", this::answerMetadata);
    server.createContext("/keys", this::answerKeys);
    server.createContext("/token", this::answerExchange);
    server.setExecutor(threads);
    server.start();
    this.metadata = metadata();
  }

  public String url() {
    return scheme + "://127.0.0.1:" + server.getAddress().getPort();
  }

  /** The issuer as rules have it: for everybody of the audience, and the operators of a group. */
  public TokenIssuer rules() {
    return rules(new CallerTerms(Set.of(), Set.of(), Map.of("dev", List.of("writer")), Map.of()));
  }

  TokenIssuer rules(CallerTerms terms) {
    return new TokenIssuer(
        "corp",
        url(),
        Set.of(AUDIENCE),
        Optional.empty(),
        ClientTlsFiles.NONE,
        Set.of("ES256", "RS256"),
        "sub",
        "groups",
        Optional.of(terms),
        Map.of("admins", Set.of(Role.VIEW)),
        Optional.empty());
  }

  ECKey key() {
    return key;
  }

  int keyRequests() {
    return keyRequests.get();
  }

  /** Signs with another key from now on, and publishes it alone. */
  void rotate() {
    key = newKey("next");
    keyAnswer = published(key);
  }

  /** Answers no request for keys before it is closed. */
  void stall() {
    stalled = new CountDownLatch(1);
  }

  public void answerKeysWith(Answer answer) {
    keyAnswer = answer;
  }

  public void publish(Map<String, ?> others) {
    metadata = others;
  }

  /** The metadata as they are from the beginning. */
  public Map<String, Object> metadata() {
    Map<String, Object> members = new LinkedHashMap<>();
    members.put("issuer", url());
    members.put("jwks_uri", url() + "/keys");
    members.put("authorization_endpoint", url() + "/authorize");
    members.put("token_endpoint", url() + "/token");
    members.put("authorization_response_iss_parameter_supported", true);
    return members;
  }

  /** Answers to the exchange of a code. */
  public void exchange(UnaryOperator<Answer> answer) {
    exchange = answer;
  }

  static Answer published(ECKey key) {
    return new Answer(200, Map.of(), new JWKSet(key.toPublicJWK()).toString());
  }

  static ECKey newKey(String id) {
    try {
      return new ECKeyGenerator(Curve.P_256).keyID(id).generate();
    } catch (JOSEException e) {
      throw new AssertionError(e);
    }
  }

  /** The claims of a token that is valid now. */
  public Map<String, Object> claims(Instant now) {
    Map<String, Object> claims = new LinkedHashMap<>();
    claims.put("iss", url());
    claims.put("sub", "alice");
    claims.put("aud", AUDIENCE);
    claims.put("iat", now.getEpochSecond());
    claims.put("exp", now.getEpochSecond() + 300);
    claims.put("groups", List.of("dev"));
    return claims;
  }

  public String token(Map<String, Object> claims) {
    return signed(header(), new Payload(claims));
  }

  JWSHeader.Builder header() {
    return new JWSHeader.Builder(JWSAlgorithm.ES256).keyID(key.getKeyID());
  }

  String signed(JWSHeader.Builder header, Payload payload) {
    try {
      return signed(header, payload, new ECDSASigner(key));
    } catch (JOSEException e) {
      throw new AssertionError(e);
    }
  }

  static String signed(JWSHeader.Builder header, Payload payload, JWSSigner signer) {
    try {
      JWSObject object = new JWSObject(header.build(), payload);
      object.sign(signer);
      return object.serialize();
    } catch (JOSEException e) {
      throw new AssertionError(e);
    }
  }

  private void answerMetadata(HttpExchange exchange) throws IOException {
    answer(exchange, new Answer(200, Map.of(), new Payload(Map.copyOf(metadata)).toString()));
  }

  private void answerKeys(HttpExchange exchange) throws IOException {
    keyRequests.incrementAndGet();
    try {
      stalled.await();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
    answer(exchange, keyAnswer);
  }

  private void answerExchange(HttpExchange httpExchange) throws IOException {
    String body = new String(httpExchange.getRequestBody().readAllBytes(), UTF_8);
    Map<String, String> headers = new LinkedHashMap<>();
    httpExchange.getRequestHeaders().forEach((name, all) -> headers.put(name, all.getFirst()));
    answer(httpExchange, exchange.apply(new Answer(0, headers, body)));
  }

  private static void answer(HttpExchange exchange, Answer answer) throws IOException {
    try (exchange) {
      byte[] body = answer.body().getBytes(UTF_8);
      answer.headers().forEach(exchange.getResponseHeaders()::add);
      exchange.sendResponseHeaders(answer.status(), body.length);
      exchange.getResponseBody().write(body);
    }
  }

  @Override
  public void close() {
    stalled.countDown();
    server.stop(0);
    threads.shutdownNow();
  }
}
