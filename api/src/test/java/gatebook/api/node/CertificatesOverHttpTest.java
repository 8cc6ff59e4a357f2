package gatebook.api.node;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import gatebook.api.cli.CommandRun;
import gatebook.api.cli.ConsoleCommand;
import gatebook.api.http.Port;
import gatebook.api.http.tls.TestCertificates;
import gatebook.events.CallReceived;
import gatebook.events.OperatorActed;
import gatebook.events.Requires;
import gatebook.events.call.JsonValue;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Callers and operators who are known by their certificates, at a whole node by mutual TLS. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class CertificatesOverHttpTest {
  private static final String RULES =
      """
      schema: 1
      sources: [{id: demo, kind: demo}]
      governance: {defaults: {action: deny}}
      principals:
        - {name: joe, certificate: "CN=joe, O=Example"}
      operators:
        - {name: ann, certificate: "dns:ann.example", roles: [view]}
        - {name: ben, token_hash: "%s", roles: [view]}
      """
          .formatted(WatchedNode.hash("token of ben"));

  private static final String CONSOLE = "X-Gatebook-Console";

  private Path folder;
  private TestCertificates certificates;
  private WatchedNode node;
  private HttpClient joe;
  private HttpClient ann;
  private HttpClient stranger;

  @BeforeAll
  void start(@TempDir Path temp) throws Exception {
    Requires.program("openssl");
    folder = temp;
    certificates = TestCertificates.in(folder);
    node =
        WatchedNode.startWithTls(
            folder,
            RULES,
            TestCertificates.files(
                certificates.make("server"), Optional.of(certificates.authority())));
    joe = certificates.http(Optional.of(certificates.make("joe")));
    ann = certificates.http(Optional.of(certificates.make("ann")));
    stranger = certificates.http(Optional.of(certificates.make("stranger")));
  }

  @AfterAll
  void stop() {
    joe.close();
    ann.close();
    stranger.close();
    node.close();
  }

  @BeforeEach
  void forget() {
    node.forget();
  }

  @Test
  void aCallIsDecidedByTheNameInTheCertificate() throws Exception {
    HttpResponse<String> answer = send(joe, call());

    assertThat(answer.body()).contains("\"error\":{");
    assertThat(node.events())
        .filteredOn(CallReceived.class::isInstance)
        .singleElement()
        .isInstanceOfSatisfying(
            CallReceived.class, it -> assertThat(it.principal().name()).isEqualTo("joe"));
  }

  @Test
  void aTokenThatIsSentDecidesAlone() throws Exception {
    HttpResponse<String> wrongToken =
        send(joe, call().setHeader("Authorization", "Bearer nobodys"));

    assertThat(wrongToken.statusCode()).isEqualTo(401);
    assertThat(node.events()).noneMatch(CallReceived.class::isInstance);
  }

  @Test
  void anOperatorByCertificateNeedsTheHeaderOfTheConsole() throws Exception {
    assertThat(send(ann, whoami()).statusCode()).isEqualTo(403);
    assertThat(send(stranger, whoami().header(CONSOLE, "1")).statusCode()).isEqualTo(401);
    assertThat(send(joe, whoami().header(CONSOLE, "1")).statusCode()).isEqualTo(401);
    assertThat(send(ann, whoami().header(CONSOLE, "1")).body()).contains("\"name\":\"ann\"");
    assertThat(send(ann, whoami().header("Authorization", "Bearer token of ben")).body())
        .contains("\"name\":\"ben\"");
  }

  @Test
  void aSignInSaysThatItWasByCertificate() throws Exception {
    HttpResponse<String> signedIn = send(ann, signIn());
    HttpResponse<String> refused = send(stranger, signIn());

    assertThat(signedIn.statusCode()).isEqualTo(200);
    assertThat(signedIn.headers().firstValue("Set-Cookie").orElseThrow())
        .contains("Secure", "HttpOnly", "SameSite=Strict");
    assertThat(refused.statusCode()).isEqualTo(401);
    assertThat(node.events())
        .filteredOn(OperatorActed.class::isInstance)
        .containsExactly(signInOf("ann", true), signInOf("unknown", false));
  }

  /** On the node's machine the code comes through the data directory; the browser checks TLS. */
  @Test
  void theConsoleIsOpenedByTls() {
    CommandRun local =
        CommandRun.of(
            new ConsoleCommand(), List.of("--data", folder.resolve("data").toString()), "--print");
    CommandRun remote =
        CommandRun.of(
            new ConsoleCommand(),
            List.of("--data", folder.resolve("nothing").toString()),
            "--print",
            "--url",
            node.at(Port.ADMIN).url(),
            "--ca",
            certificates.authority().toString(),
            "--cert",
            folder.resolve("ann.pem").toString(),
            "--cert-key",
            folder.resolve("ann.key").toString());

    for (CommandRun run : List.of(local, remote)) {
      assertThat(run.out()).as(run.err()).startsWith(node.at(Port.ADMIN).url() + "/#code=");
    }
  }

  private static OperatorActed signInOf(String operator, boolean allowed) {
    return new OperatorActed(
        operator, "console.signIn", JsonValue.parse("{\"by\":\"certificate\"}"), null, allowed);
  }

  private HttpRequest.Builder signIn() {
    return post(Port.ADMIN, "/console/session", "{}").header(CONSOLE, "1");
  }

  private HttpRequest.Builder whoami() {
    return post(
        Port.ADMIN, "/operator", "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"operator.whoami\"}");
  }

  private HttpRequest.Builder call() {
    return post(Port.CALLERS, "/mcp", WatchedNode.toolCall("echo"));
  }

  private HttpRequest.Builder post(Port port, String path, String body) {
    return HttpRequest.newBuilder(URI.create(node.at(port).url() + path))
        .header("Content-Type", "application/json")
        .header("Accept", "application/json, text/event-stream")
        .POST(BodyPublishers.ofString(body));
  }

  private static HttpResponse<String> send(HttpClient client, HttpRequest.Builder request)
      throws Exception {
    return client.send(request.build(), BodyHandlers.ofString(UTF_8));
  }
}
