package gatebook.api.bench;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;

/** Ports for processes that have to be told one before they start. */
final class Ports {
  private Ports() {}

  static int free() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }
}
