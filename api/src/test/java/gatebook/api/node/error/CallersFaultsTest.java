package gatebook.api.node.error;

import static gatebook.api.node.WatchedNode.hash;
import static gatebook.api.node.WatchedNode.toolCall;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import gatebook.api.http.RawHttp;
import gatebook.api.node.ProvokedCall;
import gatebook.api.node.WatchedNode;
import gatebook.events.CallReceived;
import gatebook.events.call.DenialReason;
import gatebook.events.call.JsonValue;
import gatebook.events.call.Principal;
import gatebook.events.fault.Malformed.EnvelopeDefect;
import gatebook.events.fault.Malformed.InvalidRequest;
import gatebook.events.fault.Malformed.ParseDefect;
import gatebook.events.fault.Malformed.ParseError;
import gatebook.events.fault.Misdirected.InvalidParams;
import gatebook.events.fault.Misdirected.Limit;
import gatebook.events.fault.Misdirected.MethodNotFound;
import gatebook.events.fault.Misdirected.RateLimited;
import gatebook.events.fault.Misdirected.Refusal;
import gatebook.events.fault.Misdirected.Unauthorized;
import gatebook.events.fault.Problem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Faults of callers over HTTP: response, events, log line and counters of each. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class CallersFaultsTest {

  private static final String BOB = "Authorization: Bearer bob-0123456789";
  private static final String CAROL = "Authorization: Bearer carol-0123456789";
  private static final String DAVE = "Authorization: Bearer dave-0123456789";
  private static final String STRANGER = "Authorization: Bearer nobody-0123456789";

  private static final int CALLS_MAX = 50;

  private @Nullable WatchedNode started;

  private static String rules() {
    return """
    schema: 1
    sources: [{id: demo, kind: demo}]
    governance:
      defaults: {action: forward}
      rules: [{match: transfer, action: policy, policy_id: payments}]
    cedar: {policies: [policies.cedar]}
    principals:
      - {name: bob, token_hash: "%s", roles: [payer], attributes: {team: blue}}
      - {name: carol, token_hash: "%s"}
      - {name: dave, token_hash: "%s"}
    limits: {rate_per_second: 1, rate_burst: 2}
    """
        .formatted(hash("bob-0123456789"), hash("carol-0123456789"), hash("dave-0123456789"));
  }

  @BeforeAll
  void start(@TempDir Path folder) throws IOException {
    Files.writeString(
        folder.resolve("policies.cedar"),
        "permit (principal in ThoughtGate::Role::\"payer\", action, resource);");
    started = WatchedNode.start(folder, rules());
  }

  @AfterAll
  void stop() {
    node().close();
  }

  @Test
  void invalidJsonIsAParseErrorWithItsPosition() throws IOException {
    node()
        .provoke(
            "parse",
            """
            {"jsonrpc":"2.0","id":1,]\
            """)
        .expect(new ParseError(ParseDefect.SYNTAX, 24L), "MessageRefused");
  }

  @Test
  void invalidJsonRpcIsAnInvalidRequestWithTheReason() throws IOException {
    node()
        .provoke(
            "request",
            """
            {"jsonrpc":"1.0","id":1,"method":"ping"}\
            """)
        .expect(new InvalidRequest(EnvelopeDefect.VERSION_WRONG), "MessageRefused");
  }

  @Test
  void unknownMethodIsNamedInTheError() throws IOException {
    node()
        .provoke(
            "method",
            """
            {"jsonrpc":"2.0","id":1,"method":"tools/destroy"}\
            """)
        .expect(new MethodNotFound("tools/destroy"), "CallReceived", "ErrorTranslated");
  }

  @Test
  void invalidParamsNameTheFirstInvalidOne() throws IOException {
    node()
        .provoke(
            "params",
            """
            {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{}}\
            """)
        .expect(
            new InvalidParams(
                List.of(
                    new Problem(
                        "name", null, "a string", JsonValue.parse("\"nothing\""), List.of()))),
            "CallReceived",
            "ErrorTranslated");
  }

  @Test
  void rateLimitedCallerGetsRetryAfter() throws IOException {
    ProvokedCall provokedCall = callUntilRateLimited();

    provokedCall.expect(
        "1",
        new RateLimited(Limit.RATE, 1L),
        Map.of("tool", "echo", "source", "demo"),
        "CallReceived",
        "ErrorTranslated");
    assertThat(((CallReceived) provokedCall.seen().events().getFirst()).principal().name())
        .isEqualTo("carol");
  }

  @Test
  void unknownTokenIsRefusedBeforeTheCall() throws IOException {
    ProvokedCall provokedCall = node().provoke("token", toolCall("echo"), STRANGER);

    provokedCall.expect(new Unauthorized(Refusal.TOKEN_UNKNOWN), "MessageRefused");
    assertThat(provokedCall.seen().answer().headers()).contains("www-authenticate: bearer");
  }

  @Test
  void unknownTokenHasItsOwnCodeInFlow() throws IOException {
    RawHttp.Answer answer =
        node()
            .post(
                "/flow",
                "flow-token",
                """
                {"jsonrpc":"2.0","id":1,"method":"tasks.get","params":{}}\
                """
                    .getBytes(UTF_8),
                STRANGER);

    assertThat(answer.status()).isEqualTo(401);
    assertThat(answer.body())
        .contains(
            "\"code\":-32004,",
            """
            "correlation_id":"flow-token"\
            """);
    assertThat(answer.headers()).contains("www-authenticate: bearer");
  }

  @Test
  void loopbackCallerWithoutTokenIsAnonymous() throws IOException {
    node().post("/mcp", "anybody", toolCall("echo").getBytes(UTF_8));

    assertThat(principal("anybody")).isEqualTo(new Principal("anonymous", List.of(), Map.of()));
  }

  @Test
  void rolesOfThePrincipalReachThePolicies() throws IOException {
    RawHttp.Answer paid =
        node()
            .post(
                "/mcp",
                "payer",
                toolCall("transfer", "{\"to\":\"x\",\"amount\":1}").getBytes(UTF_8),
                BOB);

    assertThat(paid.body())
        .startsWith(
            """
            {"jsonrpc":"2.0","id":1,"result":\
            """);
    assertThat(principal("payer"))
        .isEqualTo(new Principal("bob", List.of("payer"), Map.of("team", "blue")));
    node()
        .provoke("no-payer", toolCall("transfer", "{\"to\":\"x\",\"amount\":1}"), DAVE)
        .expectReason(DenialReason.NO_POLICY_PERMITS);
  }

  /** Calls until the rate limit applies; a busy machine may need more calls than the burst. */
  private ProvokedCall callUntilRateLimited() throws IOException {
    for (int i = 0; i < CALLS_MAX; i++) {
      ProvokedCall provokedCall = node().provoke("rate-" + i, toolCall("echo"), CAROL);
      if (provokedCall.seen().answer().body().contains("\"error\"")) {
        return provokedCall;
      }
    }
    throw new AssertionError("%d calls in a row were all served".formatted(CALLS_MAX));
  }

  private Principal principal(String correlationId) {
    return ((CallReceived) node().events(correlationId).getFirst()).principal();
  }

  private WatchedNode node() {
    return Objects.requireNonNull(started);
  }
}
