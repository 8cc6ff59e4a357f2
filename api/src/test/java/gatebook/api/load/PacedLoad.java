package gatebook.api.load;

import static java.nio.charset.StandardCharsets.UTF_8;

import gatebook.events.bench.Times;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.URI;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntFunction;

/**
 * A load of so many requests a second, on connections that stay open. It costs little itself, since
 * it shares the machine with what is measured.
 *
 * @param requests each request by its number, from 0
 */
public record PacedLoad(URI url, IntFunction<Request> requests, int perSecond, int seconds) {
  private static final int CONNECTIONS = 32;
  private static final int HEAD_BYTES_MAX = 16_384;
  private static final byte[] LENGTH = "content-length:".getBytes(UTF_8);

  /**
   * A request.
   *
   * @param headers besides those that each has, a line each
   */
  public record Request(String headers, String body) {}

  /**
   * What came of the load. A latency is from the time at which a request was due to its response,
   * so a response that is late makes those behind it late.
   */
  public record Outcome(double perSecond, Times times) {}

  /** A load of equal requests. */
  public static PacedLoad of(URI url, String body, int perSecond, int seconds) {
    Request request = new Request("", body);
    return new PacedLoad(url, _ -> request, perSecond, seconds);
  }

  public Outcome run() throws InterruptedException, IOException {
    long begun = System.nanoTime();
    int each = perSecond * seconds / CONNECTIONS;
    List<Callable<long[]>> connections = new ArrayList<>();
    for (int number = 0; number < CONNECTIONS; number++) {
      int first = number;
      connections.add(() -> send(begun, first, each));
    }
    List<long[]> nanos = new ArrayList<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (Future<long[]> ended : threads.invokeAll(connections)) {
        nanos.add(ended.get());
      }
    } catch (ExecutionException e) {
      throw new IOException("the load failed", e.getCause());
    }
    double rate = each * CONNECTIONS / ((System.nanoTime() - begun) / 1e9);
    return new Outcome(rate, Times.of(nanos.stream().flatMapToLong(Arrays::stream).toArray()));
  }

  private long[] send(long begun, int first, int count) throws IOException {
    long[] nanos = new long[count];
    byte[] head = new byte[HEAD_BYTES_MAX];
    try (Socket socket = new Socket(url.getHost(), url.getPort())) {
      socket.setTcpNoDelay(true);
      InputStream in = new BufferedInputStream(socket.getInputStream());
      for (int i = 0; i < count; i++) {
        int number = first + i * CONNECTIONS;
        byte[] request = bytes(requests.apply(number));
        long due = begun + 1_000_000_000L * number / perSecond;
        LockSupport.parkNanos(due - System.nanoTime());
        socket.getOutputStream().write(request);
        in.skipNBytes(contentLength(head, readHead(in, head)));
        nanos[i] = System.nanoTime() - due;
      }
    }
    return nanos;
  }

  private byte[] bytes(Request request) {
    byte[] body = request.body().getBytes(UTF_8);
    String head =
        """
        POST %s HTTP/1.1
        Host: %s
        Content-Type: application/json
        %sContent-Length: %d

        """
            .formatted(url.getPath(), url.getAuthority(), request.headers(), body.length)
            .replace("\n", "\r\n");
    byte[] bytes = Arrays.copyOf(head.getBytes(UTF_8), head.length() + body.length);
    System.arraycopy(body, 0, bytes, head.length(), body.length);
    return bytes;
  }

  /** Reads the head of a response, and returns how many bytes it has. */
  private static int readHead(InputStream in, byte[] head) throws IOException {
    int length = 0;
    while (length < 4
        || head[length - 1] != '\n'
        || head[length - 2] != '\r'
        || head[length - 3] != '\n') {
      int next = in.read();
      if (next < 0) {
        throw new IOException("the server closed the connection");
      }
      head[length++] = (byte) next;
    }
    return length;
  }

  private static int contentLength(byte[] head, int headLength) throws IOException {
    for (int at = 0; at < headLength - LENGTH.length; at++) {
      int matched = 0;
      while (matched < LENGTH.length && (head[at + matched] | 0x20) == (LENGTH[matched] | 0x20)) {
        matched++;
      }
      if (matched == LENGTH.length) {
        return number(head, at + matched);
      }
    }
    throw new IOException("a response has no length: " + new String(head, 0, headLength, UTF_8));
  }

  private static int number(byte[] head, int from) {
    int number = 0;
    for (int at = from; head[at] != '\r'; at++) {
      if (head[at] != ' ') {
        number = 10 * number + head[at] - '0';
      }
    }
    return number;
  }
}
