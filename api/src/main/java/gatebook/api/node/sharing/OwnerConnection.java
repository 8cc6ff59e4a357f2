package gatebook.api.node.sharing;

import gatebook.api.data.OwnerAddress;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A member's way to the owner, once they have made sure of each other. */
record OwnerConnection(Socket socket, DataInputStream in, DataOutputStream out)
    implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(OwnerConnection.class);

  /** Empty when nobody is there, or it is not the owner that is meant. */
  static Optional<OwnerConnection> to(OwnerAddress place, MemberProcess self) {
    Socket socket = new Socket();
    try {
      OwnerConnection ownerConnection = connected(socket, place);
      if (new MutualAuth(place, ownerConnection.in, ownerConnection.out).withOwner(self)) {
        socket.setSoTimeout(0);
        return Optional.of(ownerConnection);
      }
      ownerConnection.close();
      return Optional.empty();
    } catch (IOException e) {
      LOG.atDebug().setCause(e).log("the process that keeps the journal cannot be met");
      closed(socket);
      return Optional.empty();
    }
  }

  private static OwnerConnection connected(Socket socket, OwnerAddress place) throws IOException {
    socket.connect(
        new InetSocketAddress(InetAddress.getLoopbackAddress(), place.port()),
        MutualAuth.MILLIS_MAX);
    socket.setTcpNoDelay(true);
    socket.setSoTimeout(MutualAuth.MILLIS_MAX);
    return new OwnerConnection(
        socket,
        new DataInputStream(new BufferedInputStream(socket.getInputStream())),
        new DataOutputStream(new BufferedOutputStream(socket.getOutputStream())));
  }

  void send(byte[] frame) throws IOException {
    synchronized (out) {
      WireFormat.send(out, frame);
      out.flush();
    }
  }

  byte[] receive() throws IOException {
    return WireFormat.receive(in);
  }

  @Override
  public void close() {
    closed(socket);
  }

  private static void closed(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      LOG.atDebug().setCause(e).log("closing a connection failed");
    }
  }
}
