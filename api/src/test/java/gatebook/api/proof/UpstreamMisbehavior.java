package gatebook.api.proof;

import static java.nio.charset.StandardCharsets.US_ASCII;

import gatebook.api.upstream.source.StubServer;
import gatebook.events.Proof;
import java.io.IOException;
import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.locks.LockSupport;

/**
 * A misbehavior of an upstream: what it does instead of answering a call, and the fault that
 * results.
 */
enum UpstreamMisbehavior {
  HANGS(-32_001, "UpstreamTimeout") {
    @Override
    void apply(StubServer.Peer peer) throws IOException {
      peer.waitForEnd();
    }
  },
  HANGS_UP(-32_002, "UpstreamError") {
    @Override
    void apply(StubServer.Peer peer) {}
  },
  DIES_IN_ITS_ANSWER(-32_002, "UpstreamError") {
    @Override
    void apply(StubServer.Peer peer) throws IOException {
      peer.send(
          HEAD
              + StubServer.JSON
              + """
              Content-Length: 1000\r\n\r\n{"jsonrpc":"2.0",\
              """);
    }
  },
  DIES_IN_ITS_STREAM(-32_002, "UpstreamError") {
    @Override
    void apply(StubServer.Peer peer) throws IOException {
      peer.send(STREAM_HEAD + chunk(EVENT) + "fff\r\ndata: {");
    }
  },
  ENDS_ITS_STREAM_WITHOUT_AN_ANSWER(-32_002, "UpstreamError") {
    @Override
    void apply(StubServer.Peer peer) throws IOException {
      peer.send(STREAM_HEAD + chunk(EVENT) + "0\r\n\r\n");
    }
  },
  NEVER_ENDS_ITS_STREAM(-32_001, "UpstreamTimeout") {
    @Override
    void apply(StubServer.Peer peer) throws IOException {
      peer.send(STREAM_HEAD + chunk(EVENT));
      while (true) { // ends when Gatebook closes the connection
        LockSupport.parkNanos(1_000_000); // slowly: flooding is another misbehavior
        peer.send(chunk(": still here\n\n"));
      }
    }
  },
  SENDS_TOO_MUCH(-32_002, "UpstreamError") {
    @Override
    void apply(StubServer.Peer peer) throws IOException {
      peer.send(HEAD + StubServer.JSON + "Content-Length: %d\r\n\r\n\"".formatted(HUGE_BYTES));
      for (long sent = 0; sent < HUGE_BYTES; sent += PIECE.length) {
        peer.send(PIECE);
      }
    }
  },
  SENDS_TOO_MUCH_IN_ONE_EVENT(-32_002, "UpstreamError") {
    @Override
    void apply(StubServer.Peer peer) throws IOException {
      peer.send(STREAM_HEAD + "%x\r\ndata: \"".formatted(HUGE_BYTES));
      for (long sent = 0; sent < HUGE_BYTES; sent += PIECE.length) {
        peer.send(PIECE);
      }
    }
  },
  SENDS_GARBAGE(-32_002, "UpstreamError") {
    @Override
    void apply(StubServer.Peer peer) throws IOException {
      peer.answer(
          200,
          StubServer.JSON + "Connection: close\r\n",
          """
          {"jsonrpc":"2.0","id":\u0000\u0007}]]><\
          """);
    }
  },
  SPEAKS_NO_HTTP(-32_002, "UpstreamError") {
    @Override
    void apply(StubServer.Peer peer) throws IOException {
      peer.send("220 mail.example.org ESMTP\r\n\u0000\u0001\u0002\r\n\r\n");
    }
  };

  private static final String HEAD = "HTTP/1.1 200 OK\r\n";
  private static final String STREAM_HEAD =
      HEAD
          + "Content-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n"
          + "Connection: close\r\n\r\n";
  private static final String EVENT =
      """
      data: {"jsonrpc":"2.0","method":"notifications/message",\
      "params":{"level":"info","data":"going on"}}\n\n\
      """;
  private static final long HUGE_BYTES = 100L << 20;
  private static final byte[] PIECE = piece();

  private final int code;
  private final String fault;

  UpstreamMisbehavior(int code, String fault) {
    this.code = code;
    this.fault = fault;
  }

  /** Applies the misbehavior to a request that was read; the connection is closed afterwards. */
  abstract void apply(StubServer.Peer peer) throws IOException;

  /** The code of the error response. */
  int code() {
    return code;
  }

  /** The kind of fault in the journal. */
  String fault() {
    return fault;
  }

  /**
   * The timeout of the source: short where only the timeout ends the call, else longer than any
   * machine needs.
   */
  long timeoutMillis() {
    return fault.equals("UpstreamTimeout") ? Proof.rounds(1_500, 300) : 120_000;
  }

  /** The id of the source with this misbehavior. */
  String source() {
    return name().toLowerCase(Locale.ROOT);
  }

  String prefix() {
    return source() + ".";
  }

  /** The only tool of this source, as callers call it. */
  String tool() {
    return prefix() + "call";
  }

  private static String chunk(String text) {
    return "%x\r\n%s\r\n".formatted(text.getBytes(US_ASCII).length, text);
  }

  private static byte[] piece() {
    byte[] piece = new byte[64 << 10];
    Arrays.fill(piece, (byte) 'x');
    return piece;
  }
}
