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

/** Stands between a journal and its PostgreSQL server, and cuts the line at a commit. */
final class Proxy implements AutoCloseable {
  /** Where the line is cut, once. */
  enum Cut {
    NOWHERE,
    /** The server never sees the commit. */
    BEFORE_COMMIT,
    /** The server commits, and nobody hears of it. */
    AFTER_COMMIT
  }

  private final SocketAddress server;
  private final ServerSocket door;
  private volatile Cut cut = Cut.NOWHERE;
  private volatile boolean staysCut;
  private volatile boolean away;

  private Proxy(SocketAddress server, ServerSocket door) {
    this.server = server;
    this.door = door;
  }

  /**
   * @param url of the server
   */
  static Proxy before(String url) {
    try {
      URI uri = URI.create(url.substring("jdbc:".length()));
      ServerSocket door = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
      Proxy proxy = new Proxy(new InetSocketAddress(uri.getHost(), uri.getPort()), door);
      Thread.ofVirtual().start(proxy::welcome);
      return proxy;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The same URL by way of this proxy, and with commits in plain text that it can recognise. */
  String url(String url) {
    return url.replaceFirst("//[^/]*/", "//127.0.0.1:" + door.getLocalPort() + "/")
        + "&prepareThreshold=0";
  }

  /**
   * @param staysCut whether nobody gets through from then on, until {@link #mend}
   */
  void cutAt(Cut where, boolean staysCut) {
    this.staysCut = staysCut;
    this.cut = where;
  }

  void mend() {
    away = false;
  }

  private void welcome() {
    try {
      while (true) {
        Socket client = door.accept();
        if (away) {
          client.close();
        } else {
          new Connection(client, connected()).open();
        }
      }
    } catch (IOException e) {
      // the door was closed
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
    private volatile boolean committing;

    Connection(Socket client, Socket upstream) {
      this.client = client;
      this.upstream = upstream;
    }

    void open() {
      Thread.ofVirtual().start(() -> carry(client, upstream, this::request));
      Thread.ofVirtual().start(() -> carry(upstream, client, this::answer));
    }

    private void carry(Socket from, Socket to, Carrier carrier) {
      try (from;
          to) {
        InputStream in = from.getInputStream();
        byte[] buffer = new byte[1 << 16];
        for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
          if (!carrier.carry(Arrays.copyOf(buffer, count), to.getOutputStream())) {
            return;
          }
        }
      } catch (IOException e) {
        // one of the two went away, and so does the other
      }
    }

    private boolean request(byte[] bytes, OutputStream out) throws IOException {
      if (cut != Cut.NOWHERE && new String(bytes, ISO_8859_1).contains("COMMIT")) {
        away = staysCut;
        committing = cut == Cut.AFTER_COMMIT;
        cut = Cut.NOWHERE;
        if (!committing) {
          return false;
        }
      }
      out.write(bytes);
      return true;
    }

    /** The first answer after a commit tells that it took place. */
    private boolean answer(byte[] bytes, OutputStream out) throws IOException {
      if (committing) {
        return false;
      }
      out.write(bytes);
      return true;
    }
  }

  private interface Carrier {
    boolean carry(byte[] bytes, OutputStream out) throws IOException;
  }

  @Override
  public void close() {
    try {
      door.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
