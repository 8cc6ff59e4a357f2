package gatebook.api.console;

import static gatebook.api.console.ConsoleClient.cookies;
import static gatebook.api.console.ConsoleClient.json;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import gatebook.api.gateway.SettableClock;
import gatebook.api.http.Port;
import gatebook.api.http.RawHttp;
import gatebook.api.operator.rpc.OperatorTestNode;
import gatebook.api.signon.LoopbackIssuer;
import gatebook.api.signon.LoopbackIssuer.Answer;
import gatebook.command.rules.GatewayLimits;
import gatebook.command.rules.KnownOperator.Role;
import gatebook.command.rules.Limit;
import gatebook.command.rules.SignOn;
import gatebook.command.rules.SignOnClient;
import gatebook.command.rules.SignOnClient.Secret;
import gatebook.command.rules.TokenIssuer;
import gatebook.events.OperatorActed;
import gatebook.events.call.JsonValue;
import gatebook.events.journal.tree.Sha256;
import java.io.IOException;
import java.net.URI;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Operators who sign in at an authorization server, whose answers the test chooses, and what others
 * may try. The test is the browser.
 */
@Timeout(300)
final class SignOnControllerTest {
  private static final String CLIENT = "the console";
  private static final String BEGIN = "/console/sign-on/corp";
  private static final int BYTES_MAX = 4_096;
  private static final Pattern COOKIE =
      Pattern.compile(
          "gatebook_sign_on=([\\w-]{43}); Path=/console/sign-on; HttpOnly; SameSite=Lax");

  @TempDir private Path folder;

  private final SettableClock clock = new SettableClock();
  private final List<Answer> exchanged = new CopyOnWriteArrayList<>();
  private LoopbackIssuer issuer;
  private LoopbackIssuer other;
  private OperatorTestNode node;
  private volatile SignOn signOn = SignOn.NONE;

  @BeforeEach
  void start() throws Exception {
    issuer = new LoopbackIssuer();
    other = new LoopbackIssuer();
    signOn =
        new SignOn(
            List.of(
                rules("corp", issuer, Optional.empty()), rules("other", other, Optional.empty())));
    GatewayLimits limits =
        GatewayLimits.DEFAULT
            .with(Limit.CONSOLE_SIGN_ON_SECONDS_MAX, 60)
            .with(Limit.SIGN_ON_KEYS_MILLIS_MAX, 2_000)
            .with(Limit.SIGN_ON_KEYS_BYTES_MAX, BYTES_MAX);
    node = new OperatorTestNode(folder.resolve("data"), () -> signOn, clock, limits);
  }

  @AfterEach
  void stop() {
    node.close();
    issuer.close();
    other.close();
  }

  private static TokenIssuer rules(String name, LoopbackIssuer issuer, Optional<Secret> secret) {
    return rules(name, issuer, secret, Map.of("admins", Set.of(Role.VIEW, Role.ADMIN)));
  }

  private static TokenIssuer rules(
      String name,
      LoopbackIssuer issuer,
      Optional<Secret> secret,
      Map<String, Set<Role>> operators) {
    TokenIssuer rules = issuer.rules();
    return new TokenIssuer(
        name,
        rules.issuer(),
        rules.audiences(),
        rules.keys(),
        rules.tls(),
        rules.algorithms(),
        rules.principal(),
        rules.groups(),
        rules.callers(),
        operators,
        Optional.of(new SignOnClient(CLIENT, secret, List.of("openid", "groups"))));
  }

  @Test
  void thePageIsToldWhereOneMaySignIn() throws Exception {
    HttpResponse<String> response = get("/console/sign-on", null);

    assertThat(response.body())
        .isEqualTo(
            """
            {"issuers":[{"name":"corp","path":"/console/sign-on/corp"},\
            {"name":"other","path":"/console/sign-on/other"}]}\
            """);
    signOn = new SignOn(List.of(issuer.rules()));
    assertThat(get("/console/sign-on", null).body()).isEqualTo("{\"issuers\":[]}");
    for (String path : List.of(BEGIN, BEGIN + "/callback", BEGIN + "%20%7B", BEGIN + "/other")) {
      assertThat(get(path, null).statusCode()).as(path).isEqualTo(404);
    }
    assertThat(RawHttp.get(node.at(Port.CALLERS), BEGIN).status()).isEqualTo(404);
  }

  @Test
  void aPersonWithAGroupSignsIn() throws Exception {
    Browser browser = new Browser(BEGIN);
    issuer.exchange(idToken(browser, _ -> {}));

    HttpResponse<String> response = browser.comeBack();

    assertThat(browser.address).startsWith(issuer.url() + "/authorize?");
    assertThat(browser.params.keySet())
        .containsExactly(
            "response_type",
            "client_id",
            "redirect_uri",
            "scope",
            "state",
            "nonce",
            "code_challenge",
            "code_challenge_method");
    assertThat(browser.params)
        .containsEntry("response_type", "code")
        .containsEntry("client_id", CLIENT)
        .containsEntry("redirect_uri", redirect())
        .containsEntry("scope", "openid groups")
        .containsEntry("code_challenge_method", "S256");
    Map<String, String> sent = fields(exchanged.getLast().body());
    assertThat(sent.keySet())
        .containsExactly("grant_type", "code", "redirect_uri", "code_verifier", "client_id");
    assertThat(sent)
        .containsEntry("grant_type", "authorization_code")
        .containsEntry("code", "the code")
        .containsEntry("redirect_uri", redirect())
        .containsEntry("client_id", CLIENT);
    assertThat(
            Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString(Sha256.of(sent.getOrDefault("code_verifier", "").getBytes(UTF_8))))
        .isEqualTo(browser.params.get("code_challenge"));
    assertThat(response.statusCode()).isEqualTo(303);
    assertThat(response.headers().firstValue("Location")).contains("/#signed-on");
    assertThat(cookies(response))
        .hasSize(2)
        .anyMatch(it -> it.startsWith("gatebook_sign_on=;") && it.endsWith("; Max-Age=0"))
        .anyMatch(
            it -> it.matches("gatebook_session=[\\w-]{43}; Path=/; HttpOnly; SameSite=Strict"));
    assertThat(json(session(response).call("operator.whoami", "{}")).at("/result/name").asText())
        .isEqualTo("corp:alice");
    assertThat(node.events().getFirst())
        .isEqualTo(
            new OperatorActed(
                "corp:alice",
                "console.signIn",
                JsonValue.parse("{\"by\":\"sign-on\",\"issuer\":\"corp\"}"),
                null,
                true));
  }

  @Test
  void aClientWithASecretShowsIt() throws Exception {
    Path file = Files.writeString(folder.resolve("secret"), "a:b c\n");
    for (Secret secret : List.of(new Secret.Text("a:b c"), new Secret.Stored(file))) {
      signOn = new SignOn(List.of(rules("corp", issuer, Optional.of(secret))));

      assertThat(signIn("admins").statusCode()).isEqualTo(303);

      assertThat(exchanged.getLast().headers())
          .containsEntry("Authorization", "Basic " + base64("the+console:a%3Ab+c"));
      assertThat(fields(exchanged.getLast().body()))
          .doesNotContainKeys("client_id", "client_secret");
    }
    Map<String, Object> metadata = issuer.metadata();
    metadata.put("token_endpoint_auth_methods_supported", List.of("client_secret_post"));
    issuer.publish(metadata);
    clock.pass(Duration.ofMinutes(5)); // they are read again

    assertThat(signIn("admins").statusCode()).isEqualTo(303);

    assertThat(exchanged.getLast().headers()).doesNotContainKey("Authorization");
    assertThat(fields(exchanged.getLast().body()))
        .containsEntry("client_id", CLIENT)
        .containsEntry("client_secret", "a:b c");
    Files.delete(file);
    assertRefused(signIn("admins"), "unavailable", "client-secret");
  }

  private static String base64(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(UTF_8));
  }

  @Test
  void aPersonWithoutAGroupIsRefusedByName() throws Exception {
    HttpResponse<String> response = signIn("guests");

    assertThat(response.headers().firstValue("Location")).contains("/#sign-on-refused=no-role");
    assertThat(sessionKey(response)).isNull();
    assertThat(node.events().getLast()).isEqualTo(refusal("corp:alice", "not-permitted"));
    assertThat(get("/metrics", null).body())
        .contains("gatebook_sign_in_refusals_total{issuer=\"corp\",reason=\"not-permitted\"} 1.0");
  }

  @Test
  void rolesFollowTheRulesAndEndTheSession() throws Exception {
    ConsoleClient client = session(signIn("admins"));
    assertThat(roles(client)).isEqualTo("[\"view\",\"admin\"]");

    signOn = new SignOn(List.of(withRoles(Map.of("admins", Set.of(Role.VIEW)))));
    assertThat(roles(client)).isEqualTo("[\"view\"]");
    signOn = new SignOn(List.of(withRoles(Map.of("others", Set.of(Role.VIEW)))));
    assertThat(client.status()).isEqualTo(401);

    signOn = new SignOn(List.of(withRoles(Map.of("admins", Set.of(Role.VIEW)))));
    assertThat(client.status()).isEqualTo(401);
    ConsoleClient again = session(signIn("admins"));
    signOn = SignOn.NONE;
    assertThat(again.status()).isEqualTo(401);
  }

  private TokenIssuer withRoles(Map<String, Set<Role>> operators) {
    return rules("corp", issuer, Optional.empty(), operators);
  }

  private static String roles(ConsoleClient client) throws Exception {
    return json(client.call("operator.whoami", "{}")).at("/result/roles").toString();
  }

  @Test
  void signingOutEndsTheSession() throws Exception {
    ConsoleClient client = session(signIn("admins"));

    assertThat(client.signOut().statusCode()).isEqualTo(204);

    assertThat(client.status()).isEqualTo(401);
    assertThat(node.events().getLast())
        .isEqualTo(new OperatorActed("corp:alice", "console.signOut", null, null, true));
  }

  @Test
  void anAddressOfAnotherBrowserSignsNobodyIn() throws Exception {
    Browser attacker = new Browser(BEGIN);
    Browser victim = new Browser(BEGIN);
    issuer.exchange(idToken(attacker, _ -> {}));

    for (String key : new @Nullable String[] {victim.key, null, "", "x"}) {
      assertRefused(attacker.comeBackAs(key, answer(attacker)), "attempt", "attempt-unknown");
    }
    assertThat(exchanged).isEmpty();
    assertThat(sessionKey(attacker.comeBack())).isNotNull();
  }

  @Test
  void anAddressWorksOnce() throws Exception {
    Browser browser = new Browser(BEGIN);
    issuer.exchange(idToken(browser, _ -> {}));
    assertThat(sessionKey(browser.comeBack())).isNotNull();
    exchanged.clear();

    assertRefused(browser.comeBack(), "attempt", "attempt-unknown");

    assertThat(exchanged).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "?", "?state=", "?state=x&code=y", "?code=y&state=STATE&state=STATE"})
  void aForeignStateIsRefused(String query) throws Exception {
    Browser browser = new Browser(BEGIN);

    assertRefused(
        get(BEGIN + "/callback" + query.replace("STATE", browser.params.get("state")), browser.key),
        "attempt",
        "attempt-unknown");
  }

  @Test
  void aSignOnMayTakeSoLong() throws Exception {
    Browser inTime = new Browser(BEGIN);
    Browser late = new Browser(BEGIN);
    issuer.exchange(idToken(inTime, _ -> {}));

    clock.pass(Duration.ofSeconds(60).minusMillis(1));
    assertThat(sessionKey(inTime.comeBack())).isNotNull();
    clock.pass(Duration.ofMillis(1));
    assertRefused(late.comeBack(), "attempt", "attempt-unknown");
  }

  /** Of the first server, which the attacker has, the code would else go to the second. */
  @Test
  void anAnswerOfAnotherIssuerIsRefused() throws Exception {
    for (String named : new @Nullable String[] {other.url(), issuer.url() + "/", "", null}) {
      Browser browser = new Browser(BEGIN);
      Map<String, String> answer = answer(browser);
      answer.put("iss", named);

      assertRefused(browser.comeBackAs(browser.key, answer), "refused", "issuer-mixed-up");
    }
    Browser browser = new Browser(BEGIN);
    HttpResponse<String> elsewhere =
        get("/console/sign-on/other/callback?" + query(answer(browser)), browser.key);
    assertThat(elsewhere.headers().firstValue("Location")).contains("/#sign-on-refused=attempt");
    assertThat(exchanged).isEmpty();
  }

  @Test
  void anUnnamedIssuerIsKnownByTheAddress() throws Exception {
    Map<String, Object> metadata = issuer.metadata();
    metadata.remove("authorization_response_iss_parameter_supported");
    issuer.publish(metadata);
    Browser browser = new Browser(BEGIN);
    issuer.exchange(idToken(browser, _ -> {}));
    Map<String, String> answer = answer(browser);
    answer.remove("iss");

    assertThat(sessionKey(browser.comeBackAs(browser.key, answer))).isNotNull();
  }

  @ParameterizedTest
  @ValueSource(strings = {"access_denied", "server_error", "<script>alert(1)</script>", ""})
  void wordsOfTheAuthorizationServerAreNotShown(String error) throws Exception {
    Browser browser = new Browser(BEGIN);
    Map<String, String> answer = answer(browser);
    answer.put("error", error);
    answer.put("error_description", "<b>call 555-0199</b>");

    HttpResponse<String> response = browser.comeBackAs(browser.key, answer);

    assertRefused(response, "denied", "denied");
    assertThat(response.body()).isEmpty();
    assertThat(exchanged).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "nonce, another, nonce",
    "nonce, , nonce",
    "azp, another client, authorized-party",
    "aud, another client, token-audience",
    "iss, https://other.example, token-issuer",
    "iss, , token-issuer",
    "exp, 0, token-malformed",
  })
  void anIdTokenOfAnotherSignOnIsRefused(String claim, @Nullable String value, String reason)
      throws Exception {
    Browser browser = new Browser(BEGIN);
    issuer.exchange(
        idToken(
            browser,
            claims -> {
              if (value == null) {
                claims.remove(claim);
              } else {
                claims.put(claim, value);
              }
            }));

    assertRefused(browser.comeBack(), "refused", reason);
  }

  @Test
  void anIdTokenForSeveralClientsSaysForWhich() throws Exception {
    Browser unsaid = new Browser(BEGIN);
    issuer.exchange(idToken(unsaid, claims -> claims.put("aud", List.of(CLIENT, "x"))));
    assertRefused(unsaid.comeBack(), "refused", "authorized-party");

    Browser said = new Browser(BEGIN);
    issuer.exchange(
        idToken(
            said,
            claims -> {
              claims.put("aud", List.of(CLIENT, "x"));
              claims.put("azp", CLIENT);
            }));
    assertThat(sessionKey(said.comeBack())).isNotNull();
  }

  @Test
  void anotherKeyThanTheIssuersSignsNobodyIn() throws Exception {
    Browser browser = new Browser(BEGIN);
    Map<String, Object> claims = claims(browser);
    issuer.exchange(_ -> tokens(other.token(claims)));

    assertRefused(browser.comeBack(), "refused", "token-signature");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "200 | | token-endpoint",
        "200 | no JSON | token-endpoint",
        "200 | [] | token-endpoint",
        "200 | {\"access_token\":\"x\"} | token-endpoint",
        "200 | {\"id_token\":7} | token-endpoint",
        "200 | {\"id_token\":\"x\",\"id_token\":\"y\"} | token-endpoint",
        "200 | {\"id_token\":\"letmein\"} | token-malformed",
        "400 | {\"error\":\"invalid_grant\"} | code",
        "401 | {\"error\":\"invalid_client\"} | code",
        "400 | {\"error\":\"<b>no</b>\"} | token-endpoint",
        "500 | {\"id_token\":\"x\"} | token-endpoint",
      })
  void whatTheTokenEndpointAnswersIsNotBelieved(int status, @Nullable String body, String reason)
      throws Exception {
    Browser browser = new Browser(BEGIN);
    issuer.exchange(_ -> new Answer(status, Map.of(), body == null ? "" : body));

    assertRefused(
        browser.comeBack(), reason.equals("token-endpoint") ? "unavailable" : "refused", reason);
  }

  @Test
  void theTokenEndpointLeadsNowhereElse() throws Exception {
    Browser browser = new Browser(BEGIN);
    List<Answer> led = new CopyOnWriteArrayList<>();
    other.exchange(request -> {
      led.add(request);
      return tokens("x");
    });
    issuer.exchange(_ -> new Answer(307, Map.of("Location", other.url() + "/token"), ""));

    assertRefused(browser.comeBack(), "unavailable", "token-endpoint");

    assertThat(led).isEmpty();
  }

  @Test
  void theAnswerOfTheTokenEndpointIsLimitedInBytes() throws Exception {
    Browser browser = new Browser(BEGIN);
    String whole = tokens(issuer.token(claims(browser))).body();
    issuer.exchange(_ -> new Answer(200, Map.of(), whole + " ".repeat(BYTES_MAX - whole.length())));
    assertThat(sessionKey(browser.comeBack())).isNotNull();

    Browser second = new Browser(BEGIN);
    issuer.exchange(_ -> new Answer(200, Map.of(), whole + " ".repeat(BYTES_MAX)));
    assertRefused(second.comeBack(), "unavailable", "token-endpoint");
  }

  @Test
  void aSilentTokenEndpointIsNotWaitedForLong() throws Exception {
    Browser browser = new Browser(BEGIN);
    CountDownLatch end = new CountDownLatch(1);
    issuer.exchange(request -> {
      try {
        end.await();
      } catch (InterruptedException _) {
        Thread.currentThread().interrupt();
      }
      return request;
    });

    assertRefused(browser.comeBack(), "unavailable", "token-endpoint");

    end.countDown();
  }

  @Test
  void nobodyIsSentAwayWithoutUsableMetadata() throws Exception {
    for (Map<String, ?> metadata :
        List.<Map<String, ?>>of(
            Map.of(),
            Map.of("issuer", other.url()),
            without("authorization_endpoint", null),
            without("token_endpoint", null),
            without("token_endpoint", "file:///etc/passwd"),
            without("authorization_endpoint", "javascript:alert(1)"))) {
      issuer.publish(metadata);

      assertRefused(get(BEGIN, null), "unavailable", "metadata");

      issuer.publish(issuer.metadata());
      assertRefused(get(BEGIN, null), "unavailable", "metadata");
      clock.pass(Duration.ofSeconds(60)); // they are read again, and refusals recorded
      assertThat(new Browser(BEGIN).key).isNotEmpty();
      clock.pass(Duration.ofMinutes(5));
    }
  }

  private Map<String, Object> without(String member, @Nullable String instead) {
    Map<String, Object> metadata = issuer.metadata();
    metadata.remove(member);
    if (instead != null) {
      metadata.put(member, instead);
    }
    return metadata;
  }

  @Test
  void anUnrecordableSignOnIsRefused() throws Exception {
    Browser browser = new Browser(BEGIN);
    issuer.exchange(idToken(browser, _ -> {}));
    node.journal().close();

    HttpResponse<String> response = browser.comeBack();

    assertThat(response.headers().firstValue("Location"))
        .contains("/#sign-on-refused=not-recorded");
    assertThat(sessionKey(response)).isNull();
  }

  @Test
  void cookiesAreSecureBehindAProxyWithTls() throws Exception {
    RawHttp.Answer answer =
        RawHttp.request(node.at(Port.ADMIN), "GET", BEGIN, "Host: " + OperatorTestNode.NAME);

    assertThat(answer.headers())
        .anyMatch(it -> it.startsWith("set-cookie: ") && it.endsWith("; samesite=lax; secure"))
        .anyMatch(it ->
            it.startsWith("location: ")
                && it.contains(
                    URLEncoder.encode(
                            "https://%s%s/callback".formatted(OperatorTestNode.NAME, BEGIN), UTF_8)
                        .toLowerCase(Locale.ROOT)));
  }

  /** A browser that began a sign-on. */
  private final class Browser {
    private final String address;
    private final Map<String, String> params;
    private final String key;

    private Browser(String path) throws Exception {
      HttpResponse<String> response = get(path, null);
      assertThat(response.statusCode()).isEqualTo(303);
      assertThat(response.headers().firstValue("Cache-Control")).contains("no-store");
      address = response.headers().firstValue("Location").orElseThrow();
      params = fields(URI.create(address).getRawQuery());
      var cookie = COOKIE.matcher(cookies(response).getFirst());
      assertThat(cookie.matches()).isTrue();
      key = cookie.group(1);
    }

    private HttpResponse<String> comeBack() throws Exception {
      return comeBackAs(key, answer(this));
    }

    private HttpResponse<String> comeBackAs(@Nullable String key, Map<String, String> answer)
        throws Exception {
      return get(BEGIN + "/callback?" + query(answer), key);
    }
  }

  private Map<String, String> answer(Browser browser) {
    Map<String, String> answer = new LinkedHashMap<>();
    answer.put("code", "the code");
    answer.put("state", browser.params.get("state"));
    answer.put("iss", issuer.url());
    return answer;
  }

  private HttpResponse<String> signIn(String group) throws Exception {
    Browser browser = new Browser(BEGIN);
    issuer.exchange(idToken(browser, claims -> claims.put("groups", List.of(group))));
    return browser.comeBack();
  }

  private UnaryOperator<Answer> idToken(Browser browser, Consumer<Map<String, Object>> change) {
    return request -> {
      exchanged.add(request);
      Map<String, Object> claims = claims(browser);
      change.accept(claims);
      return tokens(issuer.token(claims));
    };
  }

  private Map<String, Object> claims(Browser browser) {
    Map<String, Object> claims = issuer.claims(clock.instant());
    claims.put("aud", CLIENT);
    claims.put("nonce", browser.params.get("nonce"));
    claims.put("groups", List.of("admins"));
    return claims;
  }

  private static Answer tokens(String idToken) {
    return new Answer(
        200, Map.of(), "{\"token_type\":\"Bearer\",\"id_token\":\"%s\"}".formatted(idToken));
  }

  private String redirect() {
    return "https://" + OperatorTestNode.NAME + BEGIN + "/callback";
  }

  private HttpResponse<String> get(String path, @Nullable String key)
      throws IOException, InterruptedException {
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(node.url(Port.ADMIN) + path));
    request.header("Accept", "*/*"); // as browsers ask for what a script reads
    if (key != null) {
      request.header("Cookie", "gatebook_sign_on=" + key);
    }
    return OperatorTestNode.HTTP.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  private ConsoleClient session(HttpResponse<String> response) {
    ConsoleClient client = new ConsoleClient(node);
    client.keepKey(sessionKey(response));
    return client;
  }

  private static @Nullable String sessionKey(HttpResponse<String> response) {
    return cookies(response).stream()
        .filter(it -> it.startsWith("gatebook_session="))
        .map(it -> it.substring("gatebook_session=".length(), it.indexOf(';')))
        .findFirst()
        .orElse(null);
  }

  private void assertRefused(HttpResponse<String> response, String advice, String reason) {
    assertThat(response.statusCode()).isEqualTo(303);
    assertThat(response.headers().firstValue("Location")).contains("/#sign-on-refused=" + advice);
    assertThat(sessionKey(response)).isNull();
    assertThat(node.events().getLast()).isEqualTo(refusal("unknown", reason));
  }

  private static OperatorActed refusal(String name, String reason) {
    return new OperatorActed(
        name,
        "console.signIn",
        JsonValue.parse(
            "{\"by\":\"sign-on\",\"issuer\":\"corp\",\"reason\":\"%s\"}".formatted(reason)),
        null,
        false);
  }

  private static String query(Map<String, String> fields) {
    return fields.entrySet().stream()
        .filter(field -> field.getValue() != null)
        .map(field -> field.getKey() + "=" + URLEncoder.encode(field.getValue(), UTF_8))
        .collect(Collectors.joining("&"));
  }

  private static Map<String, String> fields(String form) {
    Map<String, String> fields = new LinkedHashMap<>();
    Stream.of(form.split("&"))
        .map(it -> it.split("=", 2))
        .forEach(it -> fields.put(it[0], URLDecoder.decode(it[1], UTF_8)));
    return fields;
  }
}
