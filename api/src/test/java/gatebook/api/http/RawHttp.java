package gatebook.api.http;

import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Sends HTTP as raw bytes, so that a test may send what no client library would. */
public final class RawHttp {

  /** Long enough for all that a test does before the response. */
  private static final int TIMEOUT_MILLIS = 600_000;

  /** A response: the status, all header lines in lower case, and the body. */
  public record Answer(int status, List<String> headers, String body) {}

  private RawHttp() {}

  public static Answer get(ListenAddress at, String path) throws IOException {
    return request(at, "GET", path, "Host: localhost:" + at.port());
  }

  public static Answer request(ListenAddress at, String method, String path, String... headers)
      throws IOException {
    return send(
        at,
        "%s %s HTTP/1.1\r\n%s\r\nConnection: close\r\n\r\n"
            .formatted(method, path, String.join("\r\n", headers)));
  }

  public static Answer send(ListenAddress at, String text) throws IOException {
    return send(at, text.getBytes(StandardCharsets.UTF_8));
  }

  public static Answer send(ListenAddress at, byte[] bytes) throws IOException {
    try (Socket socket = new Socket(at.host(), at.port())) {
      socket.setSoTimeout(TIMEOUT_MILLIS);
      socket.getOutputStream().write(bytes);
      return answer(new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8));
    }
  }

  private static Answer answer(String text) {
    int headEnd = text.indexOf("\r\n\r\n");
    List<String> head = text.substring(0, headEnd).lines().toList();
    return new Answer(
        Integer.parseInt(head.getFirst().substring(9, 12)),
        head.stream().skip(1).map(String::toLowerCase).toList(),
        text.substring(headEnd + 4));
  }
}
