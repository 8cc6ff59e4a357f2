package gatebook.api.proof;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.Socket;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * Clients that call all the time, each on one connection that it keeps until its server announces
 * the end of it. They repeat nothing: what a server does not answer in whole is counted as broken.
 */
final class KeptClients implements AutoCloseable {
  private static final int TIMEOUT_MILLIS = 120_000;

  private final Supplier<Optional<URI>> servers;
  private final List<Thread> threads = new ArrayList<>();
  private final Queue<String> broken = new ConcurrentLinkedQueue<>();
  private final Queue<String> errors = new ConcurrentLinkedQueue<>();
  private final AtomicInteger answered = new AtomicInteger();
  private final AtomicInteger announced = new AtomicInteger();
  private volatile boolean isClosed;

  /**
   * @param servers names the server of the next connection; empty when there is none to be had
   */
  KeptClients(Supplier<Optional<URI>> servers) {
    this.servers = servers;
  }

  /** Starts a client that calls a tool again and again. */
  void start(String tool) {
    threads.add(Thread.ofVirtual().start(() -> run(tool)));
  }

  int answered() {
    return answered.get();
  }

  /** How many connections were closed as their last responses had announced. */
  int announced() {
    return announced.get();
  }

  /** The requests without a whole response, and why. */
  List<String> broken() {
    return List.copyOf(broken);
  }

  /** The responses that are errors. */
  List<String> errors() {
    return List.copyOf(errors);
  }

  /** Waits until every client has no server any more. */
  void join() {
    try {
      for (Thread thread : threads) {
        thread.join();
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  /** Waits until every client has read the answer to its last call. */
  void stop() {
    isClosed = true;
    join();
  }

  @Override
  public void close() {
    stop();
  }

  private void run(String tool) {
    Optional<URI> server = servers.get();
    while (server.isPresent() && !isClosed) {
      useOneConnection(server.get(), tool);
      server = servers.get();
    }
  }

  private void useOneConnection(URI server, String tool) {
    try (Socket socket = new Socket(server.getHost(), server.getPort())) {
      socket.setSoTimeout(TIMEOUT_MILLIS);
      InputStream in = new BufferedInputStream(socket.getInputStream());
      boolean isKept = true;
      while (isKept && !isClosed) {
        isKept = call(socket, in, server, tool);
      }
    } catch (ConnectException _) {
      broken.add("refused by " + server);
    } catch (IOException e) {
      broken.add("%s of %s: %s".formatted(tool, server, e));
    }
  }

  /** Whether the connection goes on. */
  private boolean call(Socket socket, InputStream in, URI server, String tool) throws IOException {
    String body =
        """
        {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"%s","arguments":{"marker":"m"}}}\
        """
            .formatted(tool);
    socket
        .getOutputStream()
        .write(
            "POST /mcp HTTP/1.1\r\nHost: localhost:%d\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s"
                .formatted(server.getPort(), body.length(), body)
                .getBytes(UTF_8));
    String head = head(in);
    byte[] answer = in.readNBytes(length(head));
    if (answer.length < length(head)) {
      throw new EOFException("in the middle of an answer");
    }
    String text = new String(answer, UTF_8);
    if (text.contains("\"result\"")) {
      answered.incrementAndGet();
    } else {
      errors.add(text);
    }
    boolean isLast = head.contains("\r\nconnection: close\r\n");
    if (isLast) {
      announced.incrementAndGet();
    }
    return !isLast;
  }

  /** The header section in lower case, with the line end of its last line. */
  private static String head(InputStream in) throws IOException {
    StringBuilder head = new StringBuilder();
    while (head.indexOf("\r\n\r\n") < 0) {
      int next = in.read();
      if (next < 0) {
        throw new EOFException(head.isEmpty() ? "instead of an answer" : "in a header section");
      }
      head.append((char) next);
    }
    return head.toString().toLowerCase(Locale.ROOT);
  }

  private static int length(String head) throws IOException {
    return head.lines()
        .filter(line -> line.startsWith("content-length:"))
        .map(line -> Integer.parseInt(line.substring("content-length:".length()).strip()))
        .findFirst()
        .orElseThrow(() -> new IOException("no length: " + head));
  }
}
