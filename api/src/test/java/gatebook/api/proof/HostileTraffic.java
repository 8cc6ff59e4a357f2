package gatebook.api.proof;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import gatebook.api.upstream.source.StubServer;
import gatebook.events.call.Bytes;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * Generates hostile traffic: malformed requests and responses, each derived from a random number.
 */
final class HostileTraffic {

  private static final List<String> PATHS =
      List.of("/mcp", "/mcp", "/rpc", "/flow", "/a2a", "/mcp?x=%ZZ", "/no/such", "/mcp/../x");

  private static final List<String> MESSAGES =
      List.of(
          "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"echo\",\"arguments\":{\"a\":[1,2.5,null,\"é\"]}}}",
          "{\"jsonrpc\":\"2.0\",\"id\":\"seven\",\"method\":\"tools/list\",\"params\":{\"_meta\":{\"progressToken\":3}}}",
          "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-06-18\",\"capabilities\":{},\"clientInfo\":{\"name\":\"x\",\"version\":\"1\"}}}",
          "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"resources/read\",\"params\":{\"uri\":\"file:///a?b=c\"}}",
          "{\"jsonrpc\":\"2.0\",\"id\":4,\"method\":\"tasks/get\",\"params\":{\"taskId\":\"gb_0\"}}",
          "{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"setLogLevel\",\"params\":{\"level\":\"info\"}}",
          "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":1,\"reason\":\"x\"}}");

  private static final List<String> INSERTIONS =
      List.of(
          "\u0000",
          "\ufeff",
          "1e999",
          "\"\\ud800\"",
          "[".repeat(300),
          "}}",
          "null",
          "-0",
          "9".repeat(400),
          "\"".repeat(3),
          "\r\n\r\n",
          "\\u0000",
          "{\"id\":",
          "%s%n",
          "'");

  private static final List<String> HEADERS =
      List.of(
          "Content-Encoding: gzip",
          "Content-Encoding: br",
          "Content-Type: application/xml",
          "Content-Type: application/json; charset=utf-7",
          "Transfer-Encoding: chunked",
          "Content-Length: 3",
          "Content-Length: -1",
          "Host: elsewhere.example",
          "Origin: https://elsewhere.example",
          "Authorization: Bearer nobodys",
          "Accept: text/plain",
          "Expect: 100-continue",
          "Mcp-Session-Id: none",
          "MCP-Protocol-Version: 1999-01-01",
          "MCP-Protocol-Version: 2026-07-28",
          "X-Correlation-Id: ../../x y",
          "traceparent: 00-zz",
          "X-Long: " + "x".repeat(9_000),
          "no header at all",
          ": empty",
          "X-\u0001: y");

  /** A frame of a stack trace, which upstream errors contain and nobody may see. */
  static final String STACK_FRAME = "a.B.c(D.java:7)";

  private static final int INTERNAL_ERROR = -32_603;
  private static final int BODY_BYTES_MAX = 10 << 20;

  private HostileTraffic() {}

  /**
   * The bytes sent on one connection.
   *
   * @param closesEarly whether the caller closes the connection after sending
   * @param expectsResponse whether a response is certain
   */
  record RawRequest(Bytes bytes, boolean closesEarly, boolean expectsResponse) {
    RawRequest(byte[] bytes, boolean closesEarly, boolean expectsResponse) {
      this(Bytes.of(bytes), closesEarly, expectsResponse);
    }
  }

  /**
   * A random request; {@code id} is its correlation id, which no mutation turns into another one's.
   */
  static RawRequest request(SplittableRandom random, String id, String authority) {
    byte[] body = body(random);
    String path = random.nextInt(4) == 0 ? any(PATHS, random) : "/mcp";
    boolean strange = random.nextInt(3) == 0;
    byte[] head = head(path, id, authority, body.length, strange ? any(HEADERS, random) : null);
    boolean broken = random.nextInt(5) == 0;
    byte[] all = joined(broken ? changed(head, random) : head, body);
    return random.nextInt(8) == 0
        ? new RawRequest(Arrays.copyOf(all, random.nextInt(all.length)), true, false)
        : new RawRequest(all, false, !strange && !broken);
  }

  private static byte[] body(SplittableRandom random) {
    if (random.nextInt(32) == 0) {
      return padded(random);
    }
    return switch (random.nextInt(8)) {
      case 0 -> bytes(random, random.nextInt(2_000));
      case 1 -> new byte[0];
      case 2 -> any(MESSAGES, random).getBytes(UTF_8);
      case 3, 4 -> toolCall("mad_x").getBytes(UTF_8);
      default -> changed(any(MESSAGES, random).getBytes(UTF_8), random);
    };
  }

  /** A message of any size up to the limit, and a little above it. */
  private static byte[] padded(SplittableRandom random) {
    int size = (int) Math.exp(random.nextDouble(Math.log(BODY_BYTES_MAX + 100.0)));
    String text = random.nextBoolean() ? "x" : "\u4e2d";
    String tool = random.nextBoolean() ? "echo" : "mad_x";
    return """
    {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"%s","arguments":{"a":"%s"}}}\
    """
        .formatted(tool, text.repeat(size / text.getBytes(UTF_8).length))
        .getBytes(UTF_8);
  }

  /** A call of a tool. */
  static String toolCall(String tool) {
    return "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"%s\"}}"
        .formatted(tool);
  }

  static byte[] head(String path, String id, String authority, int length, @Nullable String more) {
    return """
    POST %s HTTP/1.1\r
    Host: %s\r
    Connection: close\r
    Content-Type: application/json\r
    X-Correlation-Id: %s\r
    Content-Length: %d\r
    %s\r
    """
        .formatted(path, authority, id, length, more == null ? "" : more + "\r\n")
        .getBytes(ISO_8859_1);
  }

  /** A random answer of the upstream, seldom to a handshake; the connection is closed after it. */
  static void answer(SplittableRandom random, StubServer.Peer peer) throws IOException {
    String id = (random.nextInt(16) == 0 ? peer.requestOrHandshake() : peer.request()).id();
    String good =
        "{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"ok\"}]}}"
            .formatted(id);
    String error =
        "{\"jsonrpc\":\"2.0\",\"id\":%s,\"error\":{\"code\":%d,\"message\":\"at %s\",\"data\":[\"/etc/x\"]}}"
            .formatted(id, foreignCode(random), STACK_FRAME);
    switch (random.nextInt(12)) {
      case 0 -> peer.send(bytes(random, random.nextInt(3_000)));
      case 1 -> peer.send(http(200, StubServer.JSON, bytes(random, random.nextInt(3_000))));
      case 2 -> peer.send(http(200, StubServer.JSON, changed(good.getBytes(UTF_8), random)));
      case 3 -> peer.send(http(200, StubServer.JSON, changed(error.getBytes(UTF_8), random)));
      case 4 -> peer.send(http(random.nextInt(100, 600), StubServer.JSON, error.getBytes(UTF_8)));
      case 5 -> {
        byte[] all = http(200, StubServer.JSON, good.getBytes(UTF_8));
        peer.send(Arrays.copyOf(all, random.nextInt(all.length)));
      }
      case 6 ->
          peer.send(http(200, StubServer.JSON + "Content-Encoding: gzip\r\n", bytes(random, 100)));
      case 7 -> {
        byte[] packed = gzip((random.nextBoolean() ? good : error).getBytes(UTF_8));
        byte[] cut = Arrays.copyOf(packed, packed.length - random.nextInt(packed.length / 2));
        peer.send(http(200, StubServer.JSON + "Content-Encoding: gzip\r\n", cut));
      }
      case 8 -> {
        peer.send("HTTP/1.1 200 X\r\n" + StubServer.JSON + "Transfer-Encoding: chunked\r\n\r\n");
        peer.send("%x\r\n%s\r\n".formatted(good.length() - 1, good.substring(1)));
        peer.send(changed("5\r\nhello\r\n0\r\n\r\n".getBytes(UTF_8), random));
      }
      case 9 -> peer.send(http(200, StubServer.JSON, error.getBytes(UTF_8)));
      case 10 ->
          peer.send(
              http(
                  200,
                  "Content-Type: text/event-stream\r\n",
                  changed(("data: " + good + "\n\n").getBytes(UTF_8), random)));
      default -> {}
    }
  }

  /** Any code but that of our own internal errors, which none of these may cause. */
  private static int foreignCode(SplittableRandom random) {
    int code = random.nextInt(-33_000, 33_000);
    return code == INTERNAL_ERROR ? code - 1 : code;
  }

  private static byte[] gzip(byte[] plain) throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
      out.write(plain);
    }
    return packed.toByteArray();
  }

  private static byte[] http(int status, String headers, byte[] body) {
    String head =
        "HTTP/1.1 %d X\r\n%sContent-Length: %d\r\n\r\n".formatted(status, headers, body.length);
    return joined(head.getBytes(ISO_8859_1), body);
  }

  /** Mutates one to four places. */
  private static byte[] changed(byte[] from, SplittableRandom random) {
    byte[] to = from;
    for (int edits = random.nextInt(1, 5); edits > 0; edits--) {
      int at = random.nextInt(to.length + 1);
      int end = Math.min(to.length, at + random.nextInt(1, 12));
      byte[] put =
          switch (random.nextInt(4)) {
            case 0 -> new byte[0];
            case 1 -> bytes(random, end - at);
            case 2 -> any(INSERTIONS, random).getBytes(UTF_8);
            default -> joined(Arrays.copyOfRange(to, at, end), Arrays.copyOfRange(to, at, end));
          };
      to = joined(joined(Arrays.copyOf(to, at), put), Arrays.copyOfRange(to, end, to.length));
    }
    return to;
  }

  private static byte[] joined(byte[] one, byte[] other) {
    ByteArrayOutputStream both = new ByteArrayOutputStream();
    both.writeBytes(one);
    both.writeBytes(other);
    return both.toByteArray();
  }

  private static byte[] bytes(SplittableRandom random, int count) {
    byte[] bytes = new byte[count];
    random.nextBytes(bytes);
    return bytes;
  }

  private static String any(List<String> of, SplittableRandom random) {
    return of.get(random.nextInt(of.size()));
  }
}
