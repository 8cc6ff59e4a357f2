package gatebook.api.load;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;

/** Finds free ports for processes that need one before they start. */
public final class FreePorts {
  private FreePorts() {}

  public static int free() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }
}
