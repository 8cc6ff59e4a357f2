package gatebook.api.timestamp;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** An authority for timestamps that is made with openssl, and answers over loopback HTTP. */
public final class OpensslAuthority implements AutoCloseable {
  private static final int OK = 200;
  private final Path folder;
  private final HttpServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private volatile Answer answer = this::reply;

  /** Answers a query. */
  @FunctionalInterface
  public interface Answer {
    byte[] to(byte[] query) throws IOException;
  }

  /** With a new key of its own. */
  public OpensslAuthority(Path folder) throws IOException {
    this(folder, "rsa:2048", "sha256");
  }

  /**
   * @param key what kind of key it has, as openssl req takes it
   * @param named by which digest its tokens name its certificate
   */
  OpensslAuthority(Path folder, String key, String named) throws IOException {
    this.folder = folder;
    Files.writeString(
        folder.resolve("ts.cnf"),
        """
        [time]
        serial = serial
        crypto_device = builtin
        signer_digest = sha256
        default_policy = 1.2.3.4.1
        digests = sha256
        accuracy = secs:1
        ordering = yes
        tsa_name = yes
        ess_cert_id_alg = %s
        """
            .formatted(named));
    Files.writeString(folder.resolve("serial"), "01\n");
    Files.writeString(folder.resolve("usage"), "extendedKeyUsage=critical,timeStamping\n");
    run(
        "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 30 -subj /CN=Root"
            + " -keyout ca.key -out ca.pem");
    run("req -newkey " + key + " -nodes -subj /O=Example/CN=Time -keyout time.key -out time.csr");
    run(
        "x509 -req -in time.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 30 -extfile usage"
            + " -out time.pem");
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 16);
    server.createContext(
        "/",
        exchange -> {
          try (exchange) {
            byte[] reply = answer.to(exchange.getRequestBody().readAllBytes());
            exchange.getResponseHeaders().add("Content-Type", "application/timestamp-reply");
            exchange.sendResponseHeaders(OK, reply.length);
            exchange.getResponseBody().write(reply);
          }
        });
    server.setExecutor(threads);
    server.start();
  }

  public URI url() {
    return URI.create("http://127.0.0.1:%d/time".formatted(server.getAddress().getPort()));
  }

  /** The certificate of the root, which vouches for this authority. */
  public Path root() {
    return folder.resolve("ca.pem");
  }

  /** Answers in another way from now on. */
  public void answer(Answer other) {
    answer = other;
  }

  /** The right reply to a query. */
  public synchronized byte[] reply(byte[] query) throws IOException {
    Files.write(folder.resolve("query"), query);
    run(
        "ts -reply -config ts.cnf -section time -queryfile query -signer time.pem"
            + " -inkey time.key -out reply");
    return Files.readAllBytes(folder.resolve("reply"));
  }

  private void run(String arguments) throws IOException {
    List<String> command = List.of(("openssl " + arguments).split(" ", -1));
    try {
      Process process =
          new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true).start();
      String said = new String(process.getInputStream().readAllBytes(), UTF_8);
      if (process.waitFor() != 0) {
        throw new UncheckedIOException(new IOException(arguments + ": " + said));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
