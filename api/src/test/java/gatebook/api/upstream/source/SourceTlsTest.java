package gatebook.api.upstream.source;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import gatebook.api.http.tls.TestCertificates;
import gatebook.api.upstream.Upstream;
import gatebook.api.upstream.Upstream.Ended;
import gatebook.api.upstream.Upstream.MessageListener;
import gatebook.api.upstream.Upstream.Response;
import gatebook.api.upstream.Upstream.Response.NotConnected;
import gatebook.api.upstream.http.ExchangeResult;
import gatebook.api.upstream.http.SingleMessages;
import gatebook.command.rules.ClientTlsFiles;
import gatebook.command.rules.ExposeRules;
import gatebook.command.rules.Source;
import gatebook.events.Requires;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.JdkSslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.SSLServerSocket;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Sources by https, with the certificates that the rules name. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class SourceTlsTest {
  private static final Response ANSWER = new Ended.Result("1", false);

  private Path folder;
  private TestCertificates certificates;
  private TestCertificates.Pair server;
  private TestCertificates.Pair client;

  @BeforeAll
  void makeCertificates(@TempDir Path temp) throws Exception {
    Requires.program("openssl");
    folder = temp;
    certificates = TestCertificates.in(temp);
    server = certificates.make("server");
    client = certificates.make("client");
  }

  @Test
  void theAuthoritiesOfASourceAreTrusted() throws Exception {
    assertThat(response(false, certificates.client(Optional.empty()))).isEqualTo(ANSWER);
  }

  @Test
  void otherAuthoritiesAreNotTrusted() throws Exception {
    assertTlsFailed(response(false, ClientTlsFiles.NONE), "unable to find valid");
  }

  @Test
  void aCertificateForAnotherNameIsRejected() throws Exception {
    assertRejected(certificates.make("other", 30, "DNS:other.example"), "localhost");
  }

  @Test
  void anExpiredCertificateIsRejected() throws Exception {
    assertRejected(certificates.make("expired", -1), "certificate_expired");
  }

  private void assertRejected(TestCertificates.Pair shown, String why) throws Exception {
    try (StubServer stub = answering(shown, false);
        UpstreamFixture upstreams = new UpstreamFixture()) {
      assertTlsFailed(upstreams.response(source(stub, certificates.client(Optional.empty()))), why);
    }
  }

  @Test
  void aSourceIsShownItsClientCertificate() throws Exception {
    assertThat(response(true, certificates.client(Optional.of(client)))).isEqualTo(ANSWER);
  }

  @Test
  void aRefusedClientCertificateIsAFailedConnection() throws Exception {
    assertTlsFailed(response(true, certificates.client(Optional.empty())), "certificate");
  }

  @Test
  void filesThatCannotBeUsedMakeNoConnection() throws Exception {
    Path missing = folder.resolve("missing.pem");
    Response response =
        response(
            false,
            new ClientTlsFiles(
                Optional.of(missing), Optional.empty(), Optional.empty(), Optional.empty()));

    assertTlsFailed(response, "cannot use the certificates in " + missing);
  }

  @Test
  void replacedFilesAreUsedByNewConnections() throws Exception {
    Path key = Files.copy(client.key(), folder.resolve("replaced.key"));
    Path certificate = Files.copy(client.certificate(), folder.resolve("replaced.pem"));
    TestCertificates others = TestCertificates.in(Files.createDirectory(folder.resolve("others")));
    TestCertificates.Pair foreign = others.make("client");
    TestCertificates.Pair replaced = new TestCertificates.Pair(certificate, key);
    try (StubServer stub = answering(server, true);
        UpstreamFixture upstreams = new UpstreamFixture()) {
      Upstream upstream =
          upstreams.upstream(source(stub, certificates.client(Optional.of(replaced))));
      assertThat(call(upstream)).isEqualTo(ANSWER);
      double expires = expires(upstreams);
      assertThat(expires).isPositive();

      replace(foreign.certificate(), certificate); // does not go with the key: not used
      replace(foreign.key(), key);
      await().until(() -> call(upstream) instanceof NotConnected);

      TestCertificates.Pair next = certificates.make("next", 60);
      replace(next.key(), key);
      replace(next.certificate(), certificate);
      await().until(() -> ANSWER.equals(call(upstream)));
      assertThat(expires(upstreams)).isGreaterThan(expires);
    }
  }

  /** As to an anchor, whose files are read for each message. */
  @Test
  void aSingleMessageHasTlsOfItsOwn() throws Exception {
    try (StubServer stub = answering(server, true);
        SingleMessages messages = new SingleMessages()) {
      SingleMessages.Message message =
          new SingleMessages.Message(
              URI.create("https://localhost:%d/".formatted(stub.url("/").getPort())),
              false,
              "application/json",
              Map.of(),
              "{\"id\":1,\"method\":\"x\"}".getBytes(UTF_8));
      SingleMessages.Bounds bounds =
          new SingleMessages.Bounds(
              TestSources.PATIENT_MILLIS, TestSources.PATIENT_MILLIS, 8_192, 8_192);

      assertThat(messages.send(message, bounds, certificates.client(Optional.of(client))).join())
          .isInstanceOf(ExchangeResult.Answered.class);
      assertThat(messages.send(message, bounds).join())
          .isInstanceOf(ExchangeResult.NotConnected.class);
    }
  }

  private static double expires(UpstreamFixture upstreams) {
    return upstreams
        .meters()
        .get("gatebook.tls.certificate.expires.timestamp")
        .tag("what", "source tools")
        .gauge()
        .value();
  }

  private static void replace(Path by, Path file) throws IOException {
    Path copy = Files.copy(by, file.resolveSibling(file.getFileName() + ".new"));
    Files.move(copy, file, StandardCopyOption.ATOMIC_MOVE);
  }

  private static Response call(Upstream upstream) {
    return upstream.call(UpstreamFixture.CALL, MessageListener.NONE).join();
  }

  private static void assertTlsFailed(Response response, String why) {
    assertThat(response)
        .isInstanceOfSatisfying(
            NotConnected.class,
            it -> assertThat(it.reason()).startsWith("tls failed: ").contains(why));
  }

  private Response response(boolean asksClients, ClientTlsFiles files) throws Exception {
    try (StubServer stub = answering(server, asksClients);
        UpstreamFixture upstreams = new UpstreamFixture()) {
      return upstreams.response(source(stub, files));
    }
  }

  /** Closes each connection after its answer, so that the next call needs a new one. */
  private StubServer answering(TestCertificates.Pair shown, boolean asksClients)
      throws IOException {
    return new StubServer(
        listening(shown, asksClients),
        peer -> {
          String id = peer.request().id();
          peer.answer(
              200,
              StubServer.JSON,
              """
              {"jsonrpc":"2.0","id":%s,"result":1}\
              """
                  .formatted(id));
        });
  }

  private ServerSocket listening(TestCertificates.Pair shown, boolean asksClients)
      throws IOException {
    JdkSslContext context =
        (JdkSslContext)
            SslContextBuilder.forServer(shown.certificate().toFile(), shown.key().toFile())
                .sslProvider(SslProvider.JDK)
                .trustManager(certificates.authority().toFile())
                .clientAuth(asksClients ? ClientAuth.REQUIRE : ClientAuth.NONE)
                .build();
    SSLServerSocket socket =
        (SSLServerSocket)
            context
                .context()
                .getServerSocketFactory()
                .createServerSocket(0, 16, InetAddress.getLoopbackAddress());
    socket.setNeedClientAuth(asksClients);
    return socket;
  }

  private static Source source(StubServer stub, ClientTlsFiles files) {
    return new Source(
        "tools",
        Source.Kind.JSONRPC,
        URI.create("https://localhost:%d/".formatted(stub.url("/").getPort())),
        null,
        "",
        true,
        ExposeRules.ALL,
        List.of(),
        Map.of(),
        files,
        Source.ForeignErrors.PASS,
        TestSources.PATIENT_MILLIS,
        TestSources.PATIENT_MILLIS,
        TestSources.PATIENT_MILLIS);
  }
}
