package gatebook.api.proof;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.joining;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import gatebook.events.Requires;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.CookieManager;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A real authorization server in a process of its own, the npm package {@code oidc-provider}, which
 * listens on a port of its own. Its script has its users, their groups, and its clients.
 */
public final class AuthorizationServer implements AutoCloseable {
  /** Has the group {@code gatebook-admins}. */
  public static final String ALICE = "alice";

  /** Has the group {@code gatebook-viewers}. */
  public static final String BOB = "bob";

  /** Has no group of Gatebook. */
  public static final String CAROL = "carol";

  /** The name that makes the server answer a client as for a user who refuses it. */
  public static final String REFUSING = "refuse";

  /** The client for the console of an issuer that is named company. */
  static final String CONSOLE = "console";

  static final String CONSOLE_SECRET = "secret-of-the-console";

  /** A client with no secret, to which users give access. */
  public static final String AGENT = "agent";

  /** Where the agent's client is answered, at any port. */
  public static final URI AGENT_REDIRECT = URI.create("http://127.0.0.1/callback");

  /** A client that acts for itself, with the group {@code gatebook-viewers}. */
  public static final String SERVICE = "service";

  public static final String SERVICE_SECRET = "secret-of-the-service";

  private static final Path FOLDER =
      Path.of(System.getProperty("gatebook.root"), "api/src/test/peers/oidc-provider");
  private static final String VERIFIER = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
  private static final String CHALLENGE = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
  private static final int REDIRECTS_MAX = 10;
  private static final JsonMapper JSON = new JsonMapper();

  private final Process process;
  private final BufferedReader out;
  private final URI issuer;

  private AuthorizationServer(Process process, BufferedReader out, URI issuer) {
    this.process = process;
    this.out = out;
    this.issuer = issuer;
  }

  /** Returns once the server is listening. */
  public static AuthorizationServer start() {
    Requires.packages(FOLDER);
    try {
      // it ends with its standard input, so no process is left when a test is killed
      Process process =
          new ProcessBuilder(NpmPeers.program(), "server.mjs")
              .directory(FOLDER.toFile())
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      BufferedReader out = process.inputReader(UTF_8);
      String issuer = out.readLine();
      if (issuer == null) {
        throw new AssertionError("server.mjs does not start: run it with node to see why");
      }
      return new AuthorizationServer(process, out, URI.create(issuer));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public URI issuer() {
    return issuer;
  }

  /** Takes another key, and publishes only that one. */
  public void rotateKey() {
    try {
      var input = process.outputWriter(UTF_8);
      input.write("rotate\n");
      input.flush();
      if (!"rotated".equals(out.readLine())) {
        throw new AssertionError("the key was not rotated");
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The access token of {@link #SERVICE} for a resource. */
  public String serviceToken(String resource) {
    return tokens(
            Map.of(
                "grant_type",
                "client_credentials",
                "client_id",
                SERVICE,
                "client_secret",
                SERVICE_SECRET,
                "resource",
                resource))
        .path("access_token")
        .textValue();
  }

  /** The access token for a resource that a user gives to {@link #AGENT}. */
  public String userToken(String user, String resource) {
    Map<String, String> request = new LinkedHashMap<>();
    request.put("response_type", "code");
    request.put("client_id", AGENT);
    request.put("redirect_uri", AGENT_REDIRECT.toString());
    request.put("scope", "openid");
    request.put("resource", resource);
    request.put("code_challenge", CHALLENGE);
    request.put("code_challenge_method", "S256");
    URI answer = authorize(issuer.resolve("/auth?" + form(request)), user);
    return tokens(
            Map.of(
                "grant_type",
                "authorization_code",
                "client_id",
                AGENT,
                "redirect_uri",
                AGENT_REDIRECT.toString(),
                "code_verifier",
                VERIFIER,
                "code",
                answer.getQuery().replaceFirst(".*\\bcode=([^&]*).*", "$1")))
        .path("access_token")
        .textValue();
  }

  /**
   * Does what a browser does in which a user signs in.
   *
   * @param request the address of an authorization request
   * @return the address of the client to which the browser is sent in the end, unvisited
   */
  public URI authorize(URI request, String user) {
    try (HttpClient browser = HttpClient.newBuilder().cookieHandler(new CookieManager()).build()) {
      URI address = URI.create(request + "&login_hint=" + URLEncoder.encode(user, UTF_8));
      for (int redirects = 0; redirects < REDIRECTS_MAX; redirects++) {
        HttpResponse<String> page = send(browser, HttpRequest.newBuilder(address).build());
        URI before = address;
        address =
            page.headers()
                .firstValue("Location")
                .map(before::resolve)
                .orElseThrow(() -> new AssertionError("%s: %s".formatted(before, page.body())));
        if (!address.getAuthority().equals(issuer.getAuthority())) {
          return address;
        }
      }
      throw new AssertionError("the authorization server redirects without end");
    }
  }

  private JsonNode tokens(Map<String, String> request) {
    try (HttpClient client = HttpClient.newHttpClient()) {
      HttpResponse<String> response =
          send(
              client,
              HttpRequest.newBuilder(issuer.resolve("/token"))
                  .header("Content-Type", "application/x-www-form-urlencoded")
                  .POST(HttpRequest.BodyPublishers.ofString(form(request)))
                  .build());
      if (response.statusCode() != 200) {
        throw new AssertionError(response.body());
      }
      return JSON.readTree(response.body());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static HttpResponse<String> send(HttpClient client, HttpRequest request) {
    try {
      return client.send(request, BodyHandlers.ofString());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  private static String form(Map<String, String> fields) {
    return fields.entrySet().stream()
        .map(field -> field.getKey() + "=" + URLEncoder.encode(field.getValue(), UTF_8))
        .collect(joining("&"));
  }

  @Override
  public void close() {
    process.destroyForcibly().onExit().join();
  }
}
