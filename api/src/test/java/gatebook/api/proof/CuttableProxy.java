package gatebook.api.proof;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A proxy between a browser and a server on this machine, whose connections can be cut. */
final class CuttableProxy implements AutoCloseable {
  private final ServerSocket listener;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private volatile int serverPort;
  private volatile boolean isCut;

  CuttableProxy() {
    try {
      listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Thread.ofVirtual().start(this::accept);
  }

  int port() {
    return listener.getLocalPort();
  }

  void forwardTo(int port) {
    serverPort = port;
  }

  /** Ends all connections; those of later are ended at once. */
  void cut() {
    isCut = true;
    open.forEach(CuttableProxy::end);
  }

  void mend() {
    isCut = false;
  }

  private void accept() {
    try {
      while (true) {
        Socket client = listener.accept();
        if (isCut) {
          client.close();
        } else {
          connect(client);
        }
      }
    } catch (IOException _) {
      // closed
    }
  }

  private void connect(Socket client) {
    Socket server = new Socket();
    open.add(client);
    open.add(server);
    try {
      server.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), serverPort));
      if (isCut) { // since it was accepted
        end(client);
        end(server);
        return;
      }
      Thread.ofVirtual().start(() -> forward(client, server));
      Thread.ofVirtual().start(() -> forward(server, client));
    } catch (IOException _) {
      end(client);
    }
  }

  private void forward(Socket from, Socket to) {
    try (from;
        to) {
      from.getInputStream().transferTo(to.getOutputStream());
    } catch (IOException _) {
      // one end closed, so the other is closed too
    } finally {
      open.remove(from);
      open.remove(to);
    }
  }

  private static void end(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    try (listener) {
      cut();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
