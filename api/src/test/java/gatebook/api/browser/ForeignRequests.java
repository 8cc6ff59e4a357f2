package gatebook.api.browser;

import gatebook.api.upstream.source.StubServer;
import java.io.IOException;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * The requests of a browser to other hosts than this machine. It is the proxy for all of them, and
 * answers none.
 */
final class ForeignRequests implements AutoCloseable {
  private final Queue<String> requestLines = new ConcurrentLinkedQueue<>();
  private final StubServer proxy = new StubServer(this::refuse);

  private void refuse(StubServer.Peer peer) throws IOException {
    requestLines.add(peer.requestOrHandshake().head().lines().findFirst().orElse(""));
    peer.answer(502, "Connection: close\r\n", "");
  }

  /** The address of the proxy, as an option of Chromium wants it. */
  String proxy() {
    return proxy.url("").getAuthority();
  }

  /** Their first lines. */
  List<String> requestLines() {
    return List.copyOf(requestLines);
  }

  @Override
  public void close() throws IOException {
    proxy.close();
  }
}
