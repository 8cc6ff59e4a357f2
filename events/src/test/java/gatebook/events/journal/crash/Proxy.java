package gatebook.events.journal.crash;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.URI;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A proxy between a journal and its PostgreSQL server, which counts the round trips of the writer,
 * and cuts its connection at a commit.
 */
final class Proxy implements AutoCloseable {
  /** Where the connection is cut, once. */
  enum Cut {
    NOWHERE,
    /** The server never sees the commit. */
    BEFORE_COMMIT,
    /** The server sees the commit when it is {@link Proxy#deliver delivered}. */
    DELAYED_COMMIT,
    /** The server commits, and its response is lost. */
    AFTER_COMMIT
  }

  /** The request that commits a batch. */
  enum Commit {
    /** The last one of a transaction. */
    OF_TRANSACTION("COMMIT"),
    /** The only one, in auto-commit. */
    AT_ONCE("WITH edge AS");

    private final String text;

    Commit(String text) {
      this.text = text;
    }
  }

  private static final String WRITER = "FOR UPDATE";
  private static final String BEGIN = "BEGIN\0";

  private final SocketAddress server;
  private final ServerSocket listener;
  private final AtomicInteger roundTrips = new AtomicInteger();
  private final CountDownLatch delivery = new CountDownLatch(1);
  private final CountDownLatch answered = new CountDownLatch(1);
  private volatile Commit commit = Commit.OF_TRANSACTION;
  private volatile Cut cut = Cut.NOWHERE;
  private volatile boolean staysCut;
  private volatile boolean refusing;

  private Proxy(SocketAddress server, ServerSocket listener) {
    this.server = server;
    this.listener = listener;
  }

  /**
   * @param url of the server
   */
  static Proxy before(String url) {
    try {
      URI uri = URI.create(url.substring("jdbc:".length()));
      ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
      Proxy proxy = new Proxy(new InetSocketAddress(uri.getHost(), uri.getPort()), listener);
      Thread.ofVirtual().start(proxy::acceptConnections);
      return proxy;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The same URL through this proxy, with commits in plain text that it can recognise. */
  String url(String url) {
    return url.replaceFirst("//[^/]*/", "//127.0.0.1:" + listener.getLocalPort() + "/")
        + "&prepareThreshold=0";
  }

  /**
   * @param staysCut whether further connections are refused, until {@link #mend}
   */
  void cutAt(Cut where, Commit which, boolean staysCut) {
    this.commit = which;
    this.staysCut = staysCut;
    this.cut = where;
  }

  void mend() {
    refusing = false;
  }

  /** How often the writer waited for the server. */
  int roundTrips() {
    return roundTrips.get();
  }

  /** Delivers the delayed commit; returns when the server has answered it. */
  void deliver() {
    delivery.countDown();
    await(answered);
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private void acceptConnections() {
    try {
      while (true) {
        Socket client = listener.accept();
        if (refusing) {
          client.close();
        } else {
          new Connection(client, connected()).open();
        }
      }
    } catch (IOException e) {
      // the listener was closed
    }
  }

  private Socket connected() throws IOException {
    Socket socket = new Socket();
    socket.connect(server);
    return socket;
  }

  private final class Connection {
    private final Socket client;
    private final Socket upstream;
    private volatile Cut commitCut = Cut.NOWHERE;
    private volatile boolean isAnswered = true;
    private boolean isWriter;

    Connection(Socket client, Socket upstream) {
      this.client = client;
      this.upstream = upstream;
    }

    void open() {
      Thread.ofVirtual().start(() -> forward(client, upstream, this::request));
      Thread.ofVirtual().start(() -> forward(upstream, client, this::response));
    }

    private void forward(Socket from, Socket to, Forwarder forwarder) {
      try (from;
          to) {
        InputStream in = from.getInputStream();
        OutputStream out = to.getOutputStream();
        byte[] buffer = new byte[1 << 16];
        for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
          if (!forwarder.forward(Arrays.copyOf(buffer, count), out)) {
            return;
          }
        }
      } catch (IOException e) {
        // one end closed, so the other is closed too
      }
    }

    private boolean request(byte[] bytes, OutputStream out) throws IOException {
      String request = new String(bytes, ISO_8859_1);
      count(request);
      if (cut != Cut.NOWHERE && request.contains(commit.text)) {
        refusing = staysCut;
        commitCut = cut;
        cut = Cut.NOWHERE;
        if (commitCut == Cut.BEFORE_COMMIT) {
          return false;
        }
        if (commitCut == Cut.DELAYED_COMMIT) {
          client.close();
          await(delivery);
          out.write(bytes);
          await(answered);
          return false;
        }
      }
      out.write(bytes);
      return true;
    }

    private void count(String request) {
      if (request.endsWith(BEGIN)) {
        return; // the driver does not wait for its response
      }
      isWriter |= request.contains(WRITER);
      if (isWriter && isAnswered) {
        roundTrips.incrementAndGet();
      }
      isAnswered = false;
    }

    /** Drops the response to the commit. */
    private boolean response(byte[] bytes, OutputStream out) throws IOException {
      isAnswered = true;
      if (commitCut != Cut.NOWHERE) {
        answered.countDown();
        return false;
      }
      out.write(bytes);
      return true;
    }
  }

  private interface Forwarder {
    boolean forward(byte[] bytes, OutputStream out) throws IOException;
  }

  @Override
  public void close() {
    try {
      listener.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
