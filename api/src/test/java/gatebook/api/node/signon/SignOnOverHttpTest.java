package gatebook.api.node.signon;

import static gatebook.api.node.WatchedNode.toolCall;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import gatebook.api.http.Port;
import gatebook.api.http.RawHttp;
import gatebook.api.node.NodeCaller;
import gatebook.api.node.ProvokedCall;
import gatebook.api.node.WatchedNode;
import gatebook.api.signon.LoopbackIssuer;
import gatebook.events.CallReceived;
import gatebook.events.OperatorActed;
import gatebook.events.call.JsonValue;
import gatebook.events.call.Principal;
import gatebook.events.call.Transport;
import gatebook.events.fault.Misdirected.Refusal;
import gatebook.events.fault.Misdirected.Unauthorized;
import gatebook.events.fault.ServerFault.Cause;
import gatebook.events.fault.ServerFault.ServiceUnavailable;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Callers and operators of a node who show tokens that an issuer signed. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class SignOnOverHttpTest {
  private static final String METADATA = "/.well-known/oauth-protected-resource/mcp";
  private static final String REFUSALS = "gatebook_sign_in_refusals_total";
  private static final String STRANGER = NodeCaller.bearer("nobody-0123456789");

  private LoopbackIssuer issuer;
  private WatchedNode node;

  @BeforeAll
  void start(@TempDir Path folder) throws IOException {
    issuer = new LoopbackIssuer();
    node = WatchedNode.start(folder, rules(issuer));
  }

  private static String rules(LoopbackIssuer issuer) {
    return """
    schema: 1
    sources: [{id: demo, kind: demo}]
    governance: {defaults: {action: forward}}
    sign_on:
      - name: corp
        issuer: "%s"
        audience: "%s"
        groups: org.groups
        callers:
          groups: [agents]
          scopes: [mcp]
          roles: {agents: [writer]}
          attributes: {team: department}
        operators: {admins: [view]}
    """
        .formatted(issuer.url(), LoopbackIssuer.AUDIENCE);
  }

  @AfterAll
  void stop() {
    node.close();
    issuer.close();
  }

  @Test
  void theTokenNamesThePrincipalWithItsRolesAndAttributes() throws IOException {
    ProvokedCall call = node.provoke("known", toolCall("echo"), bearer(claims("agents")));

    assertThat(call.seen().answer().status()).isEqualTo(200);
    assertThat(((CallReceived) call.seen().events().getFirst()).principal())
        .isEqualTo(new Principal("corp:alice", List.of("writer"), Map.of("team", "blue")));
  }

  @Test
  void theTasksOfItsTreesRunByItsClaims() throws IOException {
    NodeCaller alice = node.caller(bearer(claims("agents")));
    String task =
        """
        {"id":"00000000-0000-4000-8000-000000000001","name":"echo","schemas":{"method":"echo"},"inputs":{"n":1}}\
        """;

    assertThat(alice.flow("tasks.execute", "{\"tasks\":[" + task + "]}").status()).isEqualTo(200);

    await()
        .untilAsserted(() ->
            assertThat(node.events())
                .filteredOn(
                    it -> it instanceof CallReceived call && call.transport() == Transport.TREE)
                .extracting(it -> ((CallReceived) it).principal())
                .containsExactly(
                    new Principal("corp:alice", List.of("writer"), Map.of("team", "blue"))));
  }

  @Test
  void aCallIsDecidedAgainByItsRecordedPrincipal() throws IOException {
    WatchedNode.Seen seen =
        node.provoke("again", toolCall("echo"), bearer(claims("agents"))).seen();
    String callId = ((CallReceived) seen.events().getFirst()).callId().toString();
    String operator = issuer.token(claims("admins"));

    JsonNode replayed =
        node.operator(operator, "audit.replayCall", "{\"id\":\"%s\"}".formatted(callId));

    assertThat(replayed.at("/result/then/agrees").asBoolean()).as(replayed.toString()).isTrue();
    assertThat(replayed.at("/result/now/differs").asBoolean(true)).isFalse();
    assertThat(replayed.at("/result/now/outcome").asText()).isEqualTo("forwarded");
    assertThat(replayed.at("/result/remarks").isEmpty()).isTrue();
  }

  @Test
  void anotherGroupMayNotCall() throws IOException {
    node.provoke("group", toolCall("echo"), bearer(claims("guests")))
        .expect(new Unauthorized(Refusal.NOT_PERMITTED), "MessageRefused");
  }

  @Test
  void anExpiredTokenIsRefusedWithItsReason() throws IOException {
    Map<String, Object> claims = claims("agents");
    claims.put("exp", Instant.now().getEpochSecond() - 100);

    node.provoke("expired", toolCall("echo"), bearer(claims))
        .expect(new Unauthorized(Refusal.TOKEN_EXPIRED), "MessageRefused");
  }

  @Test
  void aTokenWithoutTheScopeIsRefused() throws IOException {
    Map<String, Object> claims = claims("agents");
    claims.put("scope", "openid");

    ProvokedCall call = node.provoke("scope", toolCall("echo"), bearer(claims));

    call.expect(new Unauthorized(Refusal.SCOPE_MISSING), "MessageRefused");
    assertThat(challenge(call.seen().answer()))
        .isEqualTo(
            """
            bearer error="insufficient_scope", error_description="the token lacks a scope", \
            scope="mcp", resource_metadata="%s"\
            """
                .formatted(url() + METADATA));
  }

  @Test
  void aClientIsToldWhereItGetsAToken() throws IOException {
    for (String path : List.of(METADATA, "/.well-known/oauth-protected-resource")) {
      assertThat(RawHttp.get(node.at(Port.CALLERS), path).body())
          .isEqualTo(
              """
              {"resource":"%s/mcp","authorization_servers":["%s"],\
              "bearer_methods_supported":["header"],"scopes_supported":["mcp"]}\
              """
                  .formatted(url(), issuer.url()));
    }
    String where = "scope=\"mcp\", resource_metadata=\"%s\"".formatted(url() + METADATA);
    assertThat(challenge(node.provoke("opaque", toolCall("echo"), STRANGER).seen().answer()))
        .isEqualTo("bearer error=\"invalid_token\", " + where);
    assertThat(
            challenge(
                RawHttp.request(
                    node.at(Port.CALLERS),
                    "GET",
                    "/mcp",
                    "Host: localhost:" + node.at(Port.CALLERS).port(),
                    "Mcp-Session-Id: 1",
                    STRANGER)))
        .isEqualTo("bearer error=\"invalid_token\", " + where);
  }

  @Test
  void anOperatorShowsAToken() throws IOException {
    String token = issuer.token(claims("admins"));

    assertThat(node.operator(token, "operator.whoami", "{}").at("/result/name").asText())
        .isEqualTo("corp:alice");
    assertThat(node.operator(token, "rules.show", "{}").at("/error/code").asInt()).isEqualTo(403);
  }

  @Test
  void theRefusedTokenOfAnOperatorIsRecorded() throws IOException {
    Map<String, Double> before = node.counted(REFUSALS);
    Map<String, Object> expired = claims("admins");
    expired.put("exp", Instant.now().getEpochSecond() - 100);

    RawHttp.Answer answer =
        node.send(
            Port.ADMIN,
            "/operator",
            NodeCaller.request("operator.whoami", "{}").getBytes(UTF_8),
            "Content-Type: application/json",
            bearer(expired));

    assertThat(answer.status()).isEqualTo(401);
    assertThat(challenge(answer))
        .isEqualTo("bearer error=\"invalid_token\", error_description=\"the token has expired\"");
    assertThat(node.events())
        .contains(
            new OperatorActed(
                "unknown",
                "operator.signIn",
                JsonValue.parse(
                    """
                    {"by":"bearer","issuer":"corp","reason":"token-expired"}\
                    """),
                null,
                false));
    assertThat(node.increments(REFUSALS, before))
        .containsExactly(
            Map.entry(
                "gatebook_sign_in_refusals_total{issuer=\"corp\",reason=\"token-expired\"}", 1.0));
  }

  @Test
  void withoutKeysTheServerIsAtFault(@TempDir Path folder) throws IOException {
    try (LoopbackIssuer silent = new LoopbackIssuer()) {
      silent.answerKeysWith(new LoopbackIssuer.Answer(500, Map.of(), ""));
      try (WatchedNode other = WatchedNode.start(folder, rules(silent))) {
        String token = NodeCaller.bearer(silent.token(silent.claims(Instant.now())));

        other
            .provoke("keys", toolCall("echo"), token)
            .expect(new ServiceUnavailable(Cause.SIGN_ON_KEYS, 30L), "MessageRefused");
        assertThat(
                other
                    .send(Port.ADMIN, "/operator", new byte[0], "Content-Type: text/plain", token)
                    .status())
            .isEqualTo(503);
      }
    }
  }

  private String url() {
    return "http://localhost:" + node.at(Port.CALLERS).port();
  }

  private static String challenge(RawHttp.Answer answer) {
    return answer.headers().stream()
        .filter(header -> header.startsWith("www-authenticate: "))
        .map(header -> header.substring("www-authenticate: ".length()))
        .collect(joining());
  }

  private Map<String, Object> claims(String group) {
    Map<String, Object> claims = issuer.claims(Instant.now());
    claims.put("org", Map.of("groups", List.of("all", group)));
    claims.put("department", "blue");
    claims.put("scope", "openid mcp");
    return claims;
  }

  private String bearer(Map<String, Object> claims) {
    return NodeCaller.bearer(issuer.token(claims));
  }
}
