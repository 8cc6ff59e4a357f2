package gatebook.api.owner;

import gatebook.api.data.Rendezvous;
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
record Connection(Socket socket, DataInputStream in, DataOutputStream out)
    implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Connection.class);

  /** Empty when nobody is there, or it is not the owner that is meant. */
  static Optional<Connection> to(Rendezvous place, Member self) {
    Socket socket = new Socket();
    try {
      Connection connection = connected(socket, place);
      if (new Meeting(place, connection.in, connection.out).withOwner(self)) {
        socket.setSoTimeout(0);
        return Optional.of(connection);
      }
      connection.close();
      return Optional.empty();
    } catch (IOException e) {
      LOG.atDebug().setCause(e).log("the process that keeps the journal cannot be met");
      closed(socket);
      return Optional.empty();
    }
  }

  private static Connection connected(Socket socket, Rendezvous place) throws IOException {
    socket.connect(
        new InetSocketAddress(InetAddress.getLoopbackAddress(), place.port()), Meeting.MILLIS_MAX);
    socket.setTcpNoDelay(true);
    socket.setSoTimeout(Meeting.MILLIS_MAX);
    return new Connection(
        socket,
        new DataInputStream(new BufferedInputStream(socket.getInputStream())),
        new DataOutputStream(new BufferedOutputStream(socket.getOutputStream())));
  }

  void send(byte[] frame) throws IOException {
    synchronized (out) {
      Wire.send(out, frame);
      out.flush();
    }
  }

  byte[] receive() throws IOException {
    return Wire.receive(in);
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
