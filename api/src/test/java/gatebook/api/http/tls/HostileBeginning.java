package gatebook.api.http.tls;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.SplittableRandom;

/** What a hostile client sends to a port with TLS instead of a handshake. */
public enum HostileBeginning {
  NOTHING(""),
  HALF_A_RECORD("\u0016\u0003\u0001"),
  A_RECORD_THAT_IS_TOO_LONG("\u0016\u0003\u0001\u00ff\u00ff" + "x".repeat(40_000)),
  AN_ALERT("\u0015\u0003\u0001\u0000\u0002\u0002("),
  A_HELLO_THAT_IS_NONE("\u0016\u0003\u0001\u0000\u0005\u0001\u0000\u0000\u0001x"),
  DATA_BEFORE_A_HANDSHAKE("\u0017\u0003\u0003\u0000\u0004data"),
  PLAIN_HTTP("GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n"),
  HTTP2_PREFACE("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
  GARBAGE(garbage());

  private final String text;

  HostileBeginning(String text) {
    this.text = text;
  }

  public byte[] bytes() {
    return text.getBytes(ISO_8859_1);
  }

  private static String garbage() {
    byte[] bytes = new byte[70_000];
    new SplittableRandom(7).nextBytes(bytes);
    return new String(bytes, ISO_8859_1);
  }
}
