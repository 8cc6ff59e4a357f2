package gatebook.api.node.signon;

import static gatebook.api.node.WatchedNode.toolCall;
import static org.assertj.core.api.Assertions.assertThat;

import gatebook.api.node.NodeCaller;
import gatebook.api.node.WatchedNode;
import gatebook.api.proof.AuthorizationServer;
import gatebook.events.CallReceived;
import gatebook.events.call.Principal;
import gatebook.events.fault.Misdirected.Refusal;
import gatebook.events.fault.Misdirected.Unauthorized;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tokens of a real authorization server, of users and of a client that acts for itself. */
final class AuthorizationServerTokensTest {
  private static final String RESOURCE = "https://gatebook.example/mcp";

  @Test
  void tokensAreAcceptedByGroupThroughRotationAndOutage(@TempDir Path folder) throws IOException {
    AuthorizationServer server = AuthorizationServer.start();
    try (WatchedNode node = WatchedNode.start(folder, rules(server))) {
      String alice = server.userToken(AuthorizationServer.ALICE, RESOURCE);
      expectPrincipal(node, "user", alice, "company:alice");
      expectPrincipal(node, "service", server.serviceToken(RESOURCE), "company:service");
      node.provoke(
              "group",
              toolCall("echo"),
              NodeCaller.bearer(server.userToken(AuthorizationServer.CAROL, RESOURCE)))
          .expect(new Unauthorized(Refusal.NOT_PERMITTED), "MessageRefused");
      node.provoke(
              "audience",
              toolCall("echo"),
              NodeCaller.bearer(
                  server.userToken(AuthorizationServer.ALICE, "https://other.example/mcp")))
          .expect(new Unauthorized(Refusal.TOKEN_AUDIENCE), "MessageRefused");

      server.rotateKey();
      String bob = server.userToken(AuthorizationServer.BOB, RESOURCE);
      expectPrincipal(node, "rotated", bob, "company:bob");
      String unseen = server.userToken(AuthorizationServer.ALICE, RESOURCE);

      server.close();
      expectPrincipal(node, "remembered", bob, "company:bob");
      expectPrincipal(node, "outage", unseen, "company:alice");
    } finally {
      server.close();
    }
  }

  private static void expectPrincipal(
      WatchedNode node, String correlationId, String token, String name) throws IOException {
    WatchedNode.Seen seen =
        node.provoke(correlationId, toolCall("echo"), NodeCaller.bearer(token)).seen();

    assertThat(seen.answer().status()).isEqualTo(200);
    assertThat(((CallReceived) seen.events().getFirst()).principal())
        .isEqualTo(new Principal(name, List.of("caller"), Map.of("client", client(name))));
  }

  private static String client(String name) {
    return name.endsWith("service") ? AuthorizationServer.SERVICE : AuthorizationServer.AGENT;
  }

  private static String rules(AuthorizationServer server) {
    return """
    schema: 1
    sources: [{id: demo, kind: demo}]
    governance: {defaults: {action: forward}}
    sign_on:
      - name: company
        issuer: "%s"
        audience: "%s"
        callers:
          groups: [gatebook-admins, gatebook-viewers]
          roles: {gatebook-admins: [caller], gatebook-viewers: [caller]}
          attributes: {client: client_id}
    """
        .formatted(server.issuer(), RESOURCE);
  }
}
