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

/** A member's connection to the owner, after they have authenticated each other. */
record OwnerConnection(Socket socket, DataInputStream in, DataOutputStream out)
    implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(OwnerConnection.class);

  /** Connects; empty when no process listens there, or it is not the owner of that address. */
  static Optional<OwnerConnection> open(OwnerAddress address, MemberProcess self) {
    Socket socket = new Socket();
    try {
      OwnerConnection ownerConnection = connected(socket, address);
      if (new MutualAuth(address, ownerConnection.in, ownerConnection.out)
          .authenticateOwner(self)) {
        socket.setSoTimeout(0);
        return Optional.of(ownerConnection);
      }
      ownerConnection.close();
      return Optional.empty();
    } catch (IOException e) {
      LOG.atDebug().setCause(e).log("cannot connect to the process that owns the journal");
      closeQuietly(socket);
      return Optional.empty();
    }
  }

  private static OwnerConnection connected(Socket socket, OwnerAddress address) throws IOException {
    socket.connect(
        new InetSocketAddress(InetAddress.getLoopbackAddress(), address.port()),
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
    closeQuietly(socket);
  }

  private static void closeQuietly(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      LOG.atDebug().setCause(e).log("closing a connection failed");
    }
  }
}
