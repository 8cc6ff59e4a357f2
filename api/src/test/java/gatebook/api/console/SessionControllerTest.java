package gatebook.api.console;

import static gatebook.api.console.ConsoleClient.HEADER;
import static gatebook.api.console.ConsoleClient.cookies;
import static gatebook.api.console.ConsoleClient.json;
import static gatebook.api.console.ConsoleClient.message;
import static gatebook.api.console.ConsoleClient.signedIn;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.fasterxml.jackson.databind.JsonNode;
import gatebook.api.gateway.BearerToken;
import gatebook.api.gateway.SettableClock;
import gatebook.api.http.Port;
import gatebook.api.http.RawHttp;
import gatebook.api.operator.rpc.OperatorTestNode;
import gatebook.command.rules.GatewayLimits;
import gatebook.command.rules.KnownOperator;
import gatebook.command.rules.KnownOperator.Role;
import gatebook.command.rules.Limit;
import gatebook.events.Event;
import gatebook.events.JournalOutage;
import gatebook.events.OperatorActed;
import gatebook.events.call.JsonValue;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/**
 * Sessions of the console over HTTP: sign-in, their end, and the requests that they authenticate.
 */
@Timeout(300)
final class SessionControllerTest {
  private static final String ANN = "operator-ann-0123456789";
  private static final String WRONG = "operator-wrong-0123456789";
  private static final int REFUSALS_MAX = 3;
  private static final int SESSIONS_MAX = 2;

  @TempDir private Path data;

  private final SettableClock clock = new SettableClock();
  private volatile List<KnownOperator> operators = List.of(ann(Role.VIEW, Role.APPROVE));
  private OperatorTestNode node;

  @BeforeEach
  void start() throws Exception {
    GatewayLimits limits =
        GatewayLimits.DEFAULT
            .with(Limit.CONSOLE_REFUSALS_PER_MINUTE_MAX, REFUSALS_MAX)
            .with(Limit.CONSOLE_SESSIONS_MAX, SESSIONS_MAX)
            .with(Limit.CONSOLE_SESSION_IDLE_MINUTES_MAX, 10)
            .with(Limit.CONSOLE_SESSION_MINUTES_MAX, 25);
    node = new OperatorTestNode(data, () -> operators, limits, clock);
  }

  @AfterEach
  void stop() {
    node.close();
  }

  @Test
  void aTokenSignsInAndIsRecorded() throws Exception {
    ConsoleClient client = new ConsoleClient(node);

    HttpResponse<String> response = client.signIn(ANN);

    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(response.body())
        .isEqualTo(
            """
            {"name":"ann","roles":["view","approve"],"node":"%s","version":"1.2.3"}\
            """
                .formatted(node.journal().node()));
    assertThat(cookies(response))
        .singleElement()
        .asString()
        .matches("gatebook_session=[A-Za-z0-9_-]{43}; Path=/; HttpOnly; SameSite=Strict");
    assertThat(response.headers().firstValue("Cache-Control")).contains("no-store");
    assertThat(node.events()).containsExactly(signIn("ann", "token", true));
  }

  @Test
  void theNodesOwnTokenSignsInWithEveryRole() throws Exception {
    ConsoleClient client = signedIn(node, node.token());

    assertThat(json(client.call("operator.whoami", "{}")).path("result").toString())
        .isEqualTo(
            """
            {"name":"operator","roles":["view","arguments","approve","admin"],"node":"%s",\
            "version":"1.2.3"}\
            """
                .formatted(node.journal().node()));
  }

  @Test
  void aSessionCallsMethodsAndFollowsTheTail() throws Exception {
    ConsoleClient client = signedIn(node, ANN);

    HttpResponse<String> response = client.call("audit.projections", "{}");

    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(json(response).at("/result/projections")).isNotEmpty();
    assertThat(client.tailStatus(HEADER, "1")).isEqualTo(200);
    assertThat(node.events())
        .containsExactly(
            signIn("ann", "token", true),
            new OperatorActed("ann", "audit.projections", JsonValue.parse("{}"), null, true),
            new OperatorActed("ann", "operator.tail", JsonValue.parse("{}"), null, true));
  }

  @Test
  void aLinkSignsInOnce() throws Exception {
    ConsoleClient client = new ConsoleClient(node);
    String code = client.code(ANN);

    HttpResponse<String> response = client.signInWithCode(code);

    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(json(response).path("name").asText()).isEqualTo("ann");
    assertThat(client.status()).isEqualTo(200);
    assertRefused(
        new ConsoleClient(node).signInWithCode(code),
        "this link was used before, or is too old: make another with ./gatebook console");
    assertThat(node.events())
        .containsExactly(
            new OperatorActed("ann", "operator.consoleLink", JsonValue.parse("{}"), null, true),
            signIn("ann", "code", true),
            new OperatorActed("ann", "operator.whoami", JsonValue.parse("{}"), null, true),
            signIn("unknown", "code", false));
  }

  @Test
  void aLinkWorksForAMinute() throws Exception {
    ConsoleClient client = new ConsoleClient(node);
    String one = client.code(ANN);
    String other = client.code(ANN);

    clock.pass(Duration.ofSeconds(59));
    assertThat(client.signInWithCode(one).statusCode()).isEqualTo(200);
    clock.pass(Duration.ofSeconds(1));
    assertThat(client.signInWithCode(other).statusCode()).isEqualTo(401);
  }

  @Test
  void aLinkOfARemovedOperatorIsRefused() throws Exception {
    ConsoleClient client = new ConsoleClient(node);
    String code = client.code(ANN);

    operators = List.of();

    assertThat(client.signInWithCode(code).statusCode()).isEqualTo(401);
  }

  @Test
  void aWrongTokenIsRefusedAndRecorded() throws Exception {
    ConsoleClient client = new ConsoleClient(node);

    assertRefused(client.signIn(WRONG), "this token belongs to no operator: use another");
    assertThat(client.sessionKey()).isNull();
    assertThat(node.events()).containsExactly(signIn("unknown", "token", false));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "{",
        "[]",
        "{}",
        "{\"code\":7}",
        "{\"code\":null}",
        "{\"code\":\"\"}",
        "{\"code\":{\"code\":\"x\"}}",
        "\"code\""
      })
  void aBodyWithoutACodeIsRefused(String body) throws Exception {
    HttpResponse<String> response =
        new ConsoleClient(node)
            .send(
                "POST",
                "/console/session",
                BodyPublishers.ofString(body),
                HEADER,
                "1",
                "Content-Type",
                "application/json");

    assertThat(response.statusCode()).isEqualTo(401);
    assertThat(node.events()).containsExactly(signIn("unknown", "code", false));
  }

  @Test
  void aBodyHasALengthLimit() throws Exception {
    ConsoleClient client = new ConsoleClient(node);
    String body = "{\"code\":\"%s\"}".formatted(client.code(ANN));

    assertThat(client.send("POST", "/console/session", padded(body, 4_097), HEADER, "1"))
        .extracting(HttpResponse::statusCode)
        .isEqualTo(401);
    assertThat(client.send("POST", "/console/session", padded(body, 4_096), HEADER, "1"))
        .extracting(HttpResponse::statusCode)
        .isEqualTo(200);
  }

  private static BodyPublisher padded(String body, int bytes) {
    return BodyPublishers.ofString(body + " ".repeat(bytes - body.length()));
  }

  @Test
  void theTokenCountsWhereBothAreSent() throws Exception {
    ConsoleClient client = new ConsoleClient(node);
    String body = "{\"code\":\"%s\"}".formatted(client.code(node.token()));

    HttpResponse<String> response =
        client.send(
            "POST",
            "/console/session",
            BodyPublishers.ofString(body),
            HEADER,
            "1",
            "Authorization",
            "Bearer " + ANN);

    assertThat(json(response).path("name").asText()).isEqualTo("ann");
  }

  @Test
  void aSessionEndsWhenItsTokenIsRotated() throws Exception {
    ConsoleClient own = signedIn(node, node.token());
    ConsoleClient ann = signedIn(node, ANN);

    assertThat(own.call("operator.rotateToken", "{}").statusCode()).isEqualTo(200);

    assertThat(own.status()).isEqualTo(401);
    assertThat(own.tailStatus(HEADER, "1")).isEqualTo(401);
    assertThat(ann.status()).isEqualTo(200);
  }

  @Test
  void aSessionEndsWhenItsOperatorIsRemoved() throws Exception {
    ConsoleClient client = signedIn(node, ANN);
    List<KnownOperator> before = operators;

    operators = List.of();

    assertThat(client.status()).isEqualTo(401);
    operators = before;
    assertThat(client.status()).isEqualTo(401);
  }

  @Test
  void aSessionEndsWhenItsOperatorsTokenChanges() throws Exception {
    ConsoleClient client = signedIn(node, ANN);

    operators = List.of(new KnownOperator("ann", BearerToken.hash("another"), Set.of(Role.VIEW)));

    assertThat(client.status()).isEqualTo(401);
  }

  @Test
  void rolesFollowTheRulesAtOnce() throws Exception {
    ConsoleClient client = signedIn(node, ANN);
    assertThat(json(client.call("audit.calls", "{}")).has("result")).isTrue();

    operators = List.of(ann(Role.APPROVE));

    JsonNode refusal = json(client.call("audit.calls", "{}")).path("error");
    assertThat(refusal.path("code").asInt()).isEqualTo(403);
    assertThat(refusal.path("message").asText())
        .isEqualTo("this requires the role view: ask an admin");
    assertThat(client.tailStatus(HEADER, "1")).isEqualTo(403);
    assertThat(json(client.call("operator.whoami", "{}")).at("/result/roles").toString())
        .isEqualTo("[\"approve\"]");
  }

  @Test
  void anIdleSessionEnds() throws Exception {
    ConsoleClient client = signedIn(node, ANN);

    clock.pass(Duration.ofMinutes(10).minusMillis(1));
    assertThat(client.status()).isEqualTo(200);
    clock.pass(Duration.ofMinutes(10));
    assertThat(client.status()).isEqualTo(401);
  }

  @Test
  void aSessionInUseEndsAtItsAbsoluteLimit() throws Exception {
    ConsoleClient client = signedIn(node, ANN);

    for (int minutes : new int[] {9, 9, 6}) {
      clock.pass(Duration.ofMinutes(minutes));
      assertThat(client.status()).isEqualTo(200);
    }
    clock.pass(Duration.ofMinutes(1));
    assertThat(client.status()).isEqualTo(401);
  }

  @Test
  void aTailEndsWithItsIdleSession() throws Exception {
    assertTailEndsAfter(signedIn(node, ANN), passing(10));
  }

  @Test
  void aTailEndsWithItsOldSession() throws Exception {
    ConsoleClient client = signedIn(node, ANN);
    for (int minutes : new int[] {9, 9, 6}) {
      clock.pass(Duration.ofMinutes(minutes));
      assertThat(client.status()).isEqualTo(200);
    }

    assertTailEndsAfter(client, passing(1));
  }

  @Test
  void aTailEndsWhenItsOperatorSignsOut() throws Exception {
    ConsoleClient client = signedIn(node, ANN);

    assertTailEndsAfter(client, client::signOut);
  }

  private Callable<?> passing(int minutes) {
    return () -> {
      clock.pass(Duration.ofMinutes(minutes));
      return minutes;
    };
  }

  /** Nothing that is recorded after the end of the session is sent. */
  private void assertTailEndsAfter(ConsoleClient client, Callable<?> end) throws Exception {
    try (HttpClient http = HttpClient.newHttpClient();
        BufferedReader lines = client.tail(http, "?name=JournalOutage")) {
      node.append(outage("before"));
      assertThat(nextData(lines)).contains("before");

      var _ = end.call();
      node.append(outage("after"));

      assertThat(nextData(lines)).isEmpty();
      http.shutdownNow();
    }
  }

  private static JournalOutage outage(String cause) {
    return new JournalOutage(Instant.EPOCH, Instant.EPOCH, cause, 1, 0);
  }

  /** The next event of a stream; empty at its end. */
  private static String nextData(BufferedReader lines) throws IOException {
    String line = lines.readLine();
    while (line != null && !line.startsWith("data:")) {
      line = lines.readLine();
    }
    return line == null ? "" : line;
  }

  @Test
  void theOldestSessionEndsWhenThereAreTooMany() throws Exception {
    ConsoleClient first = signedIn(node, ANN);
    ConsoleClient second = signedIn(node, ANN);
    assertThat(first.status()).isEqualTo(200);

    ConsoleClient third = signedIn(node, ANN);

    assertThat(List.of(first.status(), second.status(), third.status()))
        .containsExactly(401, 200, 200);
  }

  @Test
  void signingOutEndsTheSession() throws Exception {
    ConsoleClient client = signedIn(node, ANN);
    String key = client.sessionKey();

    HttpResponse<String> response = client.signOut();

    assertThat(response.statusCode()).isEqualTo(204);
    assertThat(cookies(response))
        .containsExactly("gatebook_session=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0");
    client.keepKey(key);
    assertThat(client.status()).isEqualTo(401);
    assertThat(node.events())
        .containsExactly(
            signIn("ann", "token", true),
            new OperatorActed("ann", "console.signOut", null, null, true));
  }

  @Test
  void signingOutTwiceIsUnauthorized() throws Exception {
    ConsoleClient client = signedIn(node, ANN);
    String key = client.sessionKey();
    var _ = client.signOut();
    client.keepKey(key);

    HttpResponse<String> response = client.signOut();

    assertThat(response.statusCode()).isEqualTo(401);
    assertThat(json(response).at("/error/data/reason").asText()).isEqualTo("operator-unknown");
    assertThat(client.sessionKey()).isNull();
  }

  /** A form, an image or a script of another page cannot send the header. */
  @Test
  void everyRequestByCookieNeedsTheHeader() throws Exception {
    ConsoleClient client = signedIn(node, ANN);
    String origin = node.url(Port.ADMIN);

    for (String[] headers : List.of(new String[] {}, new String[] {HEADER, "0"})) {
      String[] withOrigin =
          Stream.concat(Stream.of("Origin", origin), Stream.of(headers)).toArray(String[]::new);

      assertForbidden(
          client.send("POST", "/operator", message("operator.whoami", "{}"), withOrigin));
      assertThat(client.tailStatus(headers)).isEqualTo(403);
      assertThat(
              client
                  .send("DELETE", "/console/session", BodyPublishers.noBody(), headers)
                  .statusCode())
          .isEqualTo(403);
    }
    assertThat(client.status()).isEqualTo(200);
    assertThat(node.events())
        .containsExactly(
            signIn("ann", "token", true),
            new OperatorActed("ann", "operator.whoami", JsonValue.parse("{}"), null, true));
  }

  private static void assertForbidden(HttpResponse<String> response) throws Exception {
    assertThat(response.statusCode()).isEqualTo(403);
    assertThat(json(response).path("error").asText())
        .isEqualTo("a request of the console has the header X-Gatebook-Console: 1");
  }

  @Test
  void signingInNeedsTheHeader() throws Exception {
    HttpResponse<String> response =
        new ConsoleClient(node)
            .send(
                "POST",
                "/console/session",
                BodyPublishers.noBody(),
                "Authorization",
                "Bearer " + ANN);

    assertThat(response.statusCode()).isEqualTo(403);
    assertThat(json(response).at("/error/data/reason").asText())
        .isEqualTo("console-header-missing");
    assertThat(cookies(response)).isEmpty();
    assertThat(node.events()).isEmpty();
  }

  @Test
  void aMessageByCookieNeedsAnOrigin() throws Exception {
    ConsoleClient client = signedIn(node, ANN);

    HttpResponse<String> response =
        client.send("POST", "/operator", message("operator.whoami", "{}"), HEADER, "1");

    assertThat(response.statusCode()).isEqualTo(403);
    assertThat(json(response).path("error").asText())
        .isEqualTo("a request by cookie has the header Origin");
  }

  @Test
  void otherOriginsAreRefused() throws Exception {
    ConsoleClient client = signedIn(node, ANN);

    for (String origin : List.of("http://evil.example", "http://127.0.0.1:1", "null")) {
      String[] headers = {HEADER, "1", "Origin", origin};
      assertThat(
              client
                  .send("POST", "/operator", message("operator.whoami", "{}"), headers)
                  .statusCode())
          .isEqualTo(403);
      assertThat(client.tailStatus(headers)).isEqualTo(403);
      assertThat(
              client
                  .send("DELETE", "/console/session", BodyPublishers.noBody(), headers)
                  .statusCode())
          .isEqualTo(403);
    }
    assertThat(client.status()).isEqualTo(200);
  }

  @Test
  void aTokenNeedsNeitherHeaderNorOrigin() throws Exception {
    ConsoleClient client = signedIn(node, node.token());

    HttpResponse<String> response =
        client.send(
            "POST",
            "/operator",
            message("operator.whoami", "{}"),
            "Authorization",
            "Bearer " + ANN);

    assertThat(json(response).at("/result/name").asText()).isEqualTo("ann");
  }

  @Test
  void aWrongTokenIsNotReplacedByTheCookie() throws Exception {
    ConsoleClient client = signedIn(node, ANN);

    HttpResponse<String> response =
        client.send(
            "POST",
            "/operator",
            message("operator.whoami", "{}"),
            HEADER,
            "1",
            "Origin",
            node.url(Port.ADMIN),
            "Authorization",
            "Bearer " + WRONG);

    assertThat(response.statusCode()).isEqualTo(401);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "x", "KEYx", "KEY KEY", "TOKEN"})
  void anUnknownKeyIsUnauthorized(String key) throws Exception {
    ConsoleClient client = signedIn(node, ANN);
    String own = Objects.requireNonNull(client.sessionKey());

    client.keepKey(key.replace("KEY", own).replace("TOKEN", ANN));

    assertThat(client.status()).isEqualTo(401);
    assertThat(client.tailStatus(HEADER, "1")).isEqualTo(401);
    assertThat(client.signOut().statusCode()).isEqualTo(401);
  }

  @Test
  void aFloodOfRefusalsIsCountedAndLocksNobodyOut() throws Exception {
    ConsoleClient client = new ConsoleClient(node);
    String code = client.code(ANN);
    for (int i = 0; i < REFUSALS_MAX; i++) {
      assertThat(client.signIn(WRONG + i).statusCode()).isEqualTo(401);
    }

    for (HttpResponse<String> throttled :
        List.of(client.signIn(WRONG), client.signInWithCode("wrong"))) {
      assertThat(throttled.statusCode()).isEqualTo(429);
      assertThat(json(throttled).path("error").path("message").asText())
          .isEqualTo(
              "this belongs to no operator, as too many before: refusals are only counted now");
    }
    assertThat(client.signIn(ANN).statusCode()).isEqualTo(200);
    assertThat(client.signInWithCode(code).statusCode()).isEqualTo(200);
    assertThat(node.events().subList(1 + REFUSALS_MAX, node.events().size()))
        .containsExactly(
            new OperatorActed(
                "ann",
                "console.signIn",
                JsonValue.parse("{\"by\":\"token\",\"unrecordedBefore\":2}"),
                null,
                true),
            signIn("ann", "code", true));
  }

  @Test
  void refusalsAreRecordedAgainInTheNextMinute() throws Exception {
    ConsoleClient client = new ConsoleClient(node);
    for (int i = 0; i <= REFUSALS_MAX; i++) {
      var _ = client.signIn(WRONG);
    }

    clock.pass(Duration.ofMinutes(1));

    assertThat(client.signIn(WRONG).statusCode()).isEqualTo(401);
    assertThat(node.events().getLast())
        .isEqualTo(
            new OperatorActed(
                "unknown",
                "console.signIn",
                JsonValue.parse("{\"by\":\"token\",\"unrecordedBefore\":1}"),
                null,
                false));
  }

  @Test
  void rightTokensAreNotThrottled() throws Exception {
    for (int i = 0; i <= 2 * REFUSALS_MAX; i++) {
      var _ = signedIn(node, ANN);
    }
  }

  @Test
  void anUnrecordableSignInIsRefused() throws Exception {
    ConsoleClient client = new ConsoleClient(node);
    String code = client.code(ANN);
    node.journal().close();

    for (HttpResponse<String> response : List.of(client.signIn(ANN), client.signInWithCode(code))) {
      assertThat(response.statusCode()).isEqualTo(503);
      assertThat(json(response).at("/error/data/reason").asText()).isEqualTo("not-recorded");
      assertThat(cookies(response)).isEmpty();
    }
    assertThat(client.signIn(WRONG).statusCode()).isEqualTo(401);
  }

  @Test
  void anUnrecordableSignOutEndsTheSession() throws Exception {
    ConsoleClient client = signedIn(node, ANN);
    String key = client.sessionKey();
    node.journal().close();

    assertThat(client.signOut().statusCode()).isEqualTo(204);
    client.keepKey(key);
    assertThat(client.status()).isEqualTo(401);
  }

  @Test
  void nothingSecretIsRecordedLoggedOrAnswered() throws Exception {
    Logger root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    ListAppender<ILoggingEvent> log = new ListAppender<>();
    log.setContext(root.getLoggerContext());
    log.start();
    root.addAppender(log);
    List<String> seen = new ArrayList<>();
    List<@Nullable String> secrets = new ArrayList<>(List.of(ANN, WRONG));
    try {
      ConsoleClient client = new ConsoleClient(node);
      String code = client.code(ANN);
      secrets.add(code);
      seen.add(client.signInWithCode(code).body());
      secrets.add(client.sessionKey());
      seen.add(client.call("operator.whoami", "{}").body());
      seen.add(client.signInWithCode(code).body());
      seen.add(client.signIn(WRONG).body());
      seen.add(client.signIn(ANN).body());
      secrets.add(client.sessionKey());
      seen.add(client.signOut().body());
    } finally {
      root.detachAppender(log);
    }
    List.copyOf(log.list)
        .forEach(line -> seen.add(line.getFormattedMessage() + line.getKeyValuePairs()));
    seen.addAll(node.stored());

    assertThat(seen).hasSizeGreaterThan(12);
    assertThat(secrets).hasSize(5).doesNotContainNull();
    assertThat(seen).noneMatch(text -> secrets.stream().anyMatch(secret -> text.contains(secret)));
  }

  @Test
  void theCookieIsSecureBehindAProxyWithTls() throws Exception {
    assertThat(signInAt("Host: " + OperatorTestNode.NAME)).endsWith("; samesite=strict; secure");
    assertThat(signInAt("Host: " + OperatorTestNode.NAME, "X-Forwarded-Proto: http"))
        .as("nobody is trusted who says so")
        .endsWith("; samesite=strict; secure");
    assertThat(signInAt("Host: localhost:" + node.at(Port.ADMIN).port()))
        .endsWith("; samesite=strict");
  }

  private String signInAt(String... headers) throws Exception {
    RawHttp.Answer answer =
        RawHttp.request(
            node.at(Port.ADMIN),
            "POST",
            "/console/session",
            Stream.concat(
                    Stream.of(headers),
                    Stream.of(HEADER + ": 1", "Authorization: Bearer " + ANN, "Content-Length: 0"))
                .toArray(String[]::new));
    return answer.headers().stream()
        .filter(header -> header.startsWith("set-cookie: "))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void sessionsDoNotExistAtTheCallersPort() throws Exception {
    RawHttp.Answer answer =
        RawHttp.request(
            node.at(Port.CALLERS),
            "POST",
            "/console/session",
            "Host: localhost:" + node.at(Port.CALLERS).port(),
            HEADER + ": 1",
            "Content-Length: 0");

    assertThat(answer.status()).isEqualTo(404);
  }

  private static void assertRefused(HttpResponse<String> response, String sentence) {
    assertThat(response.statusCode()).isEqualTo(401);
    assertThat(response.body())
        .isEqualTo(
            """
            {"jsonrpc":"2.0","id":null,"error":{"code":401,"message":"%s",\
            "data":{"correlation_id":"%s","reason":"sign-in-refused"}}}\
            """
                .formatted(
                    sentence, response.headers().firstValue("X-Correlation-Id").orElseThrow()));
    assertThat(cookies(response)).isEmpty();
  }

  private static Event signIn(String operator, String means, boolean allowed) {
    return new OperatorActed(
        operator,
        "console.signIn",
        JsonValue.parse("{\"by\":\"%s\"}".formatted(means)),
        null,
        allowed);
  }

  private static KnownOperator ann(Role... roles) {
    return new KnownOperator("ann", BearerToken.hash(ANN), Set.of(roles));
  }
}
