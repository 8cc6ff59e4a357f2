package gatebook.api.upstream.source;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;

/** A server on raw sockets that runs a script on each connection. */
public final class StubServer implements AutoCloseable {

  /** The script for one connection, which is closed afterwards. */
  @FunctionalInterface
  public interface Script {
    void run(Peer peer) throws IOException;
  }

  /** A request as received. */
  public record Request(String head, String body) {
    public String id() {
      int from = body.indexOf("\"id\":") + 5;
      return body.substring(from, body.indexOf(',', from));
    }

    public String header(String name) {
      return head.lines()
          .filter(
              line -> line.toLowerCase(Locale.ROOT).startsWith(name.toLowerCase(Locale.ROOT) + ":"))
          .map(line -> line.substring(name.length() + 1).strip())
          .findFirst()
          .orElse("");
    }
  }

  /** One connection, as the script sees it. */
  public static final class Peer {
    private final StubServer stubServer;
    private final Socket socket;
    private final InputStream in;
    private final OutputStream out;
    private boolean hasEnded;

    Peer(StubServer stubServer, Socket socket) throws IOException {
      this.stubServer = stubServer;
      this.socket = socket;
      this.in = new BufferedInputStream(socket.getInputStream());
      this.out = socket.getOutputStream();
    }

    /**
     * The next request after those of the protocol negotiation, which are answered with an empty
     * result. Throws when there is none.
     */
    public Request request() throws IOException {
      Request request = next();
      while (isHandshake(request)) {
        answer(
            200,
            JSON,
            """
            {"jsonrpc":"2.0","id":%s,"result":{}}\
            """
                .formatted(request.id()));
        request = next();
      }
      stubServer.requests.add(request);
      return request;
    }

    /** Reads the next request, be it a handshake or not. Throws when there is none. */
    public Request requestOrHandshake() throws IOException {
      return next();
    }

    private static boolean isHandshake(Request request) {
      return request.body().contains("\"method\":\"initialize\"")
          || request
              .body()
              .contains(
                  """
                  "method":"server/discover"\
                  """);
    }

    private Request next() throws IOException {
      String head = head();
      int length =
          head.lines()
              .map(line -> line.toLowerCase(Locale.ROOT))
              .filter(line -> line.startsWith("content-length:"))
              .map(line -> Integer.valueOf(line.substring(15).strip()))
              .findFirst()
              .orElse(0);
      return new Request(head, new String(in.readNBytes(length), UTF_8));
    }

    private String head() throws IOException {
      StringBuilder head = new StringBuilder();
      while (head.length() < 4 || !head.substring(head.length() - 4).equals("\r\n\r\n")) {
        int next = in.read();
        if (next < 0) {
          throw new IOException("no more requests");
        }
        head.append((char) next); // ISO 8859-1
      }
      return head.toString();
    }

    public void send(String text) throws IOException {
      send(text.getBytes(UTF_8));
    }

    public void send(byte[] bytes) throws IOException {
      out.write(bytes);
      out.flush();
    }

    /** Sends a complete response with a body. */
    public void answer(int status, String headers, String body) throws IOException {
      answer(status, headers, body.getBytes(UTF_8));
    }

    public void answer(int status, String headers, byte[] body) throws IOException {
      ByteArrayOutputStream all = new ByteArrayOutputStream();
      all.writeBytes(
          "HTTP/1.1 %d Whatever\r\n%sContent-Length: %d\r\n\r\n"
              .formatted(status, headers, body.length)
              .getBytes(ISO_8859_1));
      all.writeBytes(body);
      send(all.toByteArray());
    }

    /** Sends nothing more, and waits until the client closes the connection. */
    public void waitForEnd() throws IOException {
      in.transferTo(OutputStream.nullOutputStream());
      hasEnded = true;
    }

    public void reset() throws IOException {
      socket.setSoLinger(true, 0);
    }
  }

  public static final String JSON = "Content-Type: application/json\r\n";
  public static final String EVENTS = "Content-Type: text/event-stream\r\n";

  private final ServerSocket server;
  private final Script script;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private final AtomicInteger accepted = new AtomicInteger();
  public final BlockingQueue<Request> requests = new LinkedBlockingQueue<>();

  public StubServer(Script script) {
    this(plain(), script);
  }

  StubServer(ServerSocket server, Script script) {
    this.server = server;
    this.script = script;
    Thread.ofVirtual().start(this::accept);
  }

  private static ServerSocket plain() {
    try {
      return new ServerSocket(0, 1_024, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Answers each request on a connection. */
  public static StubServer each(Script answer) {
    return new StubServer(peer -> {
      while (!peer.hasEnded) {
        answer.run(peer);
      }
    });
  }

  public URI url(String path) {
    return URI.create("http://127.0.0.1:%d%s".formatted(server.getLocalPort(), path));
  }

  public int accepted() {
    return accepted.get();
  }

  /** Connections that neither side has closed. */
  public int open() {
    return open.size();
  }

  private void accept() {
    try {
      while (true) {
        Socket socket = server.accept();
        accepted.incrementAndGet();
        open.add(socket);
        Thread.ofVirtual().start(() -> serve(socket));
      }
    } catch (IOException _) {
      // closed
    }
  }

  private void serve(Socket socket) {
    try (socket) {
      socket.setTcpNoDelay(true);
      script.run(new Peer(this, socket));
    } catch (IOException _) {
      // closed by the client
    } finally {
      open.remove(socket);
    }
  }

  @Override
  public void close() throws IOException {
    server.close();
    for (Socket socket : open) {
      socket.close();
    }
  }
}
