package gatebook.api.stdio;

import static java.nio.charset.StandardCharsets.US_ASCII;

import gatebook.api.border.Limited;
import gatebook.api.rpc.Message;
import gatebook.api.rpc.MessageReader;
import gatebook.command.rules.Limits;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** What must hold for any bytes; a fuzzer looks for bytes for which it does not. */
public final class FrameFuzz {

  private static final int BODY_BYTES_MAX = 1 << 10;
  private static final int HEADER_BYTES_MAX = 1 << 8;
  private static final int DEPTH_MAX = 16;
  private static final String PROBE_BODY = "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"probe\"}";
  private static final byte[] PROBE =
      "Content-Length: %d\r\n\r\n%s".formatted(PROBE_BODY.length(), PROBE_BODY).getBytes(US_ASCII);

  private static final Limits LIMITS =
      Limited.by(
          Map.of(
              "bodyBytesMax",
              BODY_BYTES_MAX,
              "depthMax",
              DEPTH_MAX,
              "headerBytesMax",
              HEADER_BYTES_MAX));

  private FrameFuzz() {}

  /** The name by which the fuzzer finds it; the first byte says how the rest is split. */
  public static void fuzzerTestOneInput(byte[] input) {
    if (input.length == 0) {
      return;
    }
    byte[] bytes = Arrays.copyOfRange(input, 1, input.length);
    FrameReader whole = reader();
    List<String> arrivals = arrivals(whole, bytes, bytes.length);
    List<String> split = arrivals(reader(), bytes, Math.max(1, input[0] & 0x3F));
    expect(arrivals.equals(split), "splitting changes nothing");
    expect(arrivals.size() <= bytes.length, "no byte is told of twice");
    expectInStep(whole);
  }

  /** Whatever came before, a frame that begins now is read, once there is no other to wait for. */
  private static void expectInStep(FrameReader reader) {
    if (reader.patienceNanos().isPresent()) {
      Arrival _ = reader.timedOut();
    }
    expect(
        arrivals(reader, PROBE, PROBE.length).equals(List.of("request 7")),
        "a frame after anything is read");
    expect(reader.ended() == null, "and nothing is left");
  }

  private static List<String> arrivals(FrameReader reader, byte[] bytes, int size) {
    List<String> arrivals = new ArrayList<>();
    for (int from = 0; from < bytes.length; from += size) {
      ByteBuffer part = ByteBuffer.wrap(bytes, from, Math.min(size, bytes.length - from));
      while (part.hasRemaining()) {
        int before = part.remaining();
        Arrival arrival = reader.next(part);
        expect(part.remaining() < before, "it goes on");
        if (arrival != null) {
          arrivals.add(brief(arrival));
        }
      }
    }
    return arrivals;
  }

  private static String brief(Arrival arrival) {
    return switch (arrival) {
      case Arrival.Whole(var body) -> {
        expect(body.length <= BODY_BYTES_MAX, "nothing too large is kept");
        yield brief(new MessageReader(DEPTH_MAX).read(body));
      }
      case Arrival.Refused(var fault, _, _) -> fault.toString();
    };
  }

  private static String brief(Message message) {
    return switch (message) {
      case Message.Request request -> "request " + request.id();
      case Message.Notification _ -> "notification";
      case Message.Unreadable unreadable -> unreadable.fault().kind();
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
