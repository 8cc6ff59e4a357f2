package gatebook.api.node.signon;

import static gatebook.api.node.WatchedNode.toolCall;
import static org.assertj.core.api.Assertions.assertThat;

import gatebook.api.node.NodeCaller;
import gatebook.api.node.ProvokedCall;
import gatebook.api.node.WatchedNode;
import gatebook.api.signon.LoopbackIssuer;
import gatebook.events.CallReceived;
import gatebook.events.call.Principal;
import gatebook.events.fault.Misdirected.Refusal;
import gatebook.events.fault.Misdirected.Unauthorized;
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
  private LoopbackIssuer issuer;
  private WatchedNode node;

  @BeforeAll
  void start(@TempDir Path folder) throws IOException {
    issuer = new LoopbackIssuer();
    node =
        WatchedNode.start(
            folder,
            """
            schema: 1
            sources: [{id: demo, kind: demo}]
            governance: {defaults: {action: forward}}
            sign_on:
              - name: corp
                issuer: %s
                audience: %s
                groups: org.groups
                callers:
                  groups: [agents]
                  scopes: [mcp]
                  roles: {agents: [writer]}
                  attributes: {team: department}
                operators: {admins: [view]}
            """
                .formatted(issuer.url(), LoopbackIssuer.AUDIENCE));
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
