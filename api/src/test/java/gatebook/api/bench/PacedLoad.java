package gatebook.api.bench;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;

/**
 * A load of so many requests a second, on connections that stay open. It costs little itself, since
 * it shares the machine with what is measured.
 *
 * @param body of each request
 */
record PacedLoad(URI url, String body, int perSecond, int seconds) {
  private static final int CONNECTIONS = 32;

  /** Sends the load, and returns how many responses came a second. */
  double run() throws InterruptedException, IOException {
    long begun = System.nanoTime();
    int each = perSecond * seconds / CONNECTIONS;
    List<Callable<Void>> connections = new ArrayList<>();
    for (int number = 0; number < CONNECTIONS; number++) {
      long offset = 1_000_000_000L * number / perSecond;
      connections.add(() -> send(begun + offset, each));
    }
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (Future<Void> ended : threads.invokeAll(connections)) {
        ended.get();
      }
    } catch (ExecutionException e) {
      throw new IOException("the load failed", e.getCause());
    }
    return each * CONNECTIONS / ((System.nanoTime() - begun) / 1e9);
  }

  private Void send(long begun, int requests) throws IOException {
    byte[] request = request();
    long interval = 1_000_000_000L * CONNECTIONS / perSecond;
    try (Socket socket = new Socket(url.getHost(), url.getPort())) {
      socket.setTcpNoDelay(true);
      InputStream in = new BufferedInputStream(socket.getInputStream());
      for (int number = 0; number < requests; number++) {
        LockSupport.parkNanos(begun + number * interval - System.nanoTime());
        socket.getOutputStream().write(request);
        skipResponse(in);
      }
    }
    return null;
  }

  private byte[] request() {
    byte[] bytes = body.getBytes(UTF_8);
    String head =
        """
        POST %s HTTP/1.1
        Host: %s
        Content-Type: application/json
        Content-Length: %d

        """
            .formatted(url.getPath(), url.getAuthority(), bytes.length)
            .replace("\n", "\r\n");
    return (head + body).getBytes(UTF_8);
  }

  private static void skipResponse(InputStream in) throws IOException {
    int length = -1;
    for (String line = line(in); !line.isEmpty(); line = line(in)) {
      if (line.toLowerCase(Locale.ROOT).startsWith("content-length:")) {
        length = Integer.parseInt(line.substring(line.indexOf(':') + 1).strip());
      }
    }
    in.skipNBytes(length);
  }

  private static String line(InputStream in) throws IOException {
    StringBuilder line = new StringBuilder();
    for (int next = in.read(); next != '\n'; next = in.read()) {
      if (next < 0) {
        throw new IOException("the server closed the connection");
      }
      line.append(new String(new byte[] {(byte) next}, ISO_8859_1));
    }
    return line.toString().strip();
  }
}
