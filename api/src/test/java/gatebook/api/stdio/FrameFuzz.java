package gatebook.api.stdio;

import static java.nio.charset.StandardCharsets.US_ASCII;

import gatebook.api.rpc.MessageReader;
import gatebook.api.rpc.RpcMessage;
import gatebook.command.rules.GatewayLimits;
import gatebook.command.rules.Limit;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The fuzz target of the frame reader: properties that hold for any bytes. */
public final class FrameFuzz {

  private static final int BODY_BYTES_MAX = 1 << 10;
  private static final int HEADER_BYTES_MAX = 1 << 8;
  private static final int DEPTH_MAX = 16;
  private static final String PROBE_BODY =
      """
      {"jsonrpc":"2.0","id":7,"method":"probe"}\
      """;
  private static final byte[] PROBE =
      "Content-Length: %d\r\n\r\n%s".formatted(PROBE_BODY.length(), PROBE_BODY).getBytes(US_ASCII);

  private static final GatewayLimits LIMITS =
      GatewayLimits.DEFAULT
          .with(Limit.BODY_BYTES_MAX, BODY_BYTES_MAX)
          .with(Limit.DEPTH_MAX, DEPTH_MAX)
          .with(Limit.HEADER_BYTES_MAX, HEADER_BYTES_MAX);

  private FrameFuzz() {}

  /** The fuzzer calls it by this name; the first byte determines how the rest is split. */
  public static void fuzzerTestOneInput(byte[] input) {
    if (input.length == 0) {
      return;
    }
    byte[] bytes = Arrays.copyOfRange(input, 1, input.length);
    FrameReader whole = reader();
    FrameReader inParts = reader();
    List<String> events = events(whole, bytes, bytes.length);
    List<String> split = events(inParts, bytes, Math.max(1, input[0] & 0x3F));
    expect(events.equals(split), "splitting changes nothing");
    expect(events.size() <= bytes.length, "no byte is reported twice");
    expectInStep(whole);
    whole.release(); // the memory for frames is that of the process
    inParts.release();
  }

  /** After any bytes, a new frame is read as soon as the reader waits for no other. */
  private static void expectInStep(FrameReader reader) {
    if (reader.nanosLeft().isPresent()) {
      FrameEvent _ = reader.timedOut();
    }
    expect(
        events(reader, PROBE, PROBE.length).equals(List.of("request 7")),
        "a frame after anything is read");
    expect(reader.ended() == null, "and nothing is left");
  }

  private static List<String> events(FrameReader reader, byte[] bytes, int size) {
    List<String> events = new ArrayList<>();
    for (int from = 0; from < bytes.length; from += size) {
      ByteBuffer part = ByteBuffer.wrap(bytes, from, Math.min(size, bytes.length - from));
      while (part.hasRemaining()) {
        int before = part.remaining();
        FrameEvent frameEvent = reader.next(part);
        expect(part.remaining() < before, "it goes on");
        if (frameEvent != null) {
          events.add(brief(frameEvent));
        }
      }
    }
    return events;
  }

  private static String brief(FrameEvent frameEvent) {
    return switch (frameEvent) {
      case FrameEvent.Whole(var body) -> {
        expect(body.length <= BODY_BYTES_MAX, "nothing too large is kept");
        yield brief(new MessageReader(DEPTH_MAX).read(body));
      }
      case FrameEvent.Refused(var fault, _, _) -> fault.toString();
      case FrameEvent.Dropped dropped -> dropped.toString();
    };
  }

  private static String brief(RpcMessage rpcMessage) {
    return switch (rpcMessage) {
      case RpcMessage.Request request -> "request " + request.id();
      case RpcMessage.Notification _ -> "notification";
      case RpcMessage.Unreadable unreadable -> unreadable.fault().kind();
    };
  }

  private static FrameReader reader() {
    return new FrameReader(() -> LIMITS, () -> 0);
  }

  private static void expect(boolean holds, String what) {
    if (!holds) {
      throw new AssertionError(what);
    }
  }
}
