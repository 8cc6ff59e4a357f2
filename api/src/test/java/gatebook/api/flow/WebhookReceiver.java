package gatebook.api.flow;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A receiver of webhooks, which responds as a test wants. */
public final class WebhookReceiver implements AutoCloseable {
  private static final int NO_CONTENT = 204;
  private static final long SECONDS_MAX = 60;

  private final HttpServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final BlockingQueue<Received> received = new LinkedBlockingQueue<>();
  private final BlockingQueue<Reply> replies = new LinkedBlockingQueue<>();
  private volatile String heldText = "";
  private volatile CountDownLatch held = new CountDownLatch(0);

  /**
   * A request as it arrived.
   *
   * @param line its method and target
   */
  public record Received(String line, Map<String, String> headers, String body) {
    public Received {
      headers = Map.copyOf(headers);
    }

    public String header(String name) {
      return headers.getOrDefault(name.toLowerCase(Locale.ROOT), "");
    }
  }

  private record Reply(int status, Map<String, String> headers, String body) {}

  public WebhookReceiver() {
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 64);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.createContext("/", this::serve);
    server.setExecutor(threads);
    server.start();
  }

  public String url(String target) {
    return "http://127.0.0.1:%d%s".formatted(server.getAddress().getPort(), target);
  }

  /** Responds to the next request with this status, and to those without one with 204. */
  public void respond(int status, Map<String, String> headers) {
    respond(status, headers, "");
  }

  public void respond(int status, Map<String, String> headers, String body) {
    replies.add(new Reply(status, headers, body));
  }

  /** Responds to no request whose body contains this text until it is released. */
  public void hold(String text) {
    heldText = text;
    held = new CountDownLatch(1);
  }

  public void release() {
    held.countDown();
  }

  /** The next request, waited for. */
  public Received next() {
    try {
      return Objects.requireNonNull(
          received.poll(SECONDS_MAX, TimeUnit.SECONDS), "a request arrives");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  /** The number of requests that were not taken. */
  public int received() {
    return received.size();
  }

  private void serve(HttpExchange exchange) throws IOException {
    try (exchange) {
      Map<String, String> headers = new HashMap<>();
      exchange
          .getRequestHeaders()
          .forEach((name, values) -> headers.put(name.toLowerCase(Locale.ROOT), values.getFirst()));
      String body = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
      CountDownLatch latch = body.contains(heldText) ? held : new CountDownLatch(0);
      received.add(
          new Received(
              exchange.getRequestMethod() + " " + exchange.getRequestURI(), headers, body));
      latch.await();
      reply(
          exchange,
          Objects.requireNonNullElse(replies.poll(), new Reply(NO_CONTENT, Map.of(), "")));
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private static void reply(HttpExchange exchange, Reply reply) throws IOException {
    reply.headers.forEach(exchange.getResponseHeaders()::set);
    byte[] body = reply.body.getBytes(UTF_8);
    exchange.sendResponseHeaders(reply.status, body.length == 0 ? -1 : body.length);
    exchange.getResponseBody().write(body);
  }

  @Override
  public void close() {
    held.countDown();
    server.stop(0);
    threads.shutdownNow();
  }
}
