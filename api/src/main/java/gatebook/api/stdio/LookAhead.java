package gatebook.api.stdio;

import gatebook.api.daemon.BuiltInMethods;
import gatebook.api.rpc.MessageReader;
import gatebook.api.rpc.RpcMessage;
import gatebook.command.rules.GatewayLimits;
import gatebook.command.rules.Limit;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Looks at the frames behind the one that is being answered, and finds the messages that must not
 * wait for it. It keeps short bodies only, and sees nothing behind a frame that is not whole.
 */
final class LookAhead {

  /** The messages that it looks for are shorter. */
  private static final int BODY_BYTES_MAX = 4_096;

  private final GatewayLimits gatewayLimits;
  private FrameHeader header;
  private byte @Nullable [] body;
  private int filled;
  private long bytesToSkip;
  private boolean isLost;

  /** A message that must not wait. */
  record Urgent(RpcMessage message, long sizeBytes) {}

  LookAhead(GatewayLimits gatewayLimits) {
    this.gatewayLimits = gatewayLimits;
    this.header = new FrameHeader(gatewayLimits.getInt(Limit.HEADER_BYTES_MAX), false);
  }

  /** The urgent messages that these bytes complete. */
  List<Urgent> take(ByteBuffer bytes) {
    List<Urgent> found = new ArrayList<>();
    while (bytes.hasRemaining() && !isLost) {
      if (bytesToSkip > 0) {
        skip(bytes);
      } else if (body != null) {
        fill(body, bytes, found);
      } else {
        takeHeader(bytes.get());
      }
    }
    return found;
  }

  private void skip(ByteBuffer bytes) {
    int skipped = (int) Math.min(bytesToSkip, bytes.remaining());
    bytes.position(bytes.position() + skipped);
    bytesToSkip -= skipped;
  }

  private void fill(byte[] into, ByteBuffer bytes, List<Urgent> found) {
    int taken = Math.min(bytes.remaining(), into.length - filled);
    bytes.get(into, filled, taken);
    filled += taken;
    if (filled == into.length) {
      body = null;
      RpcMessage message = new MessageReader(gatewayLimits.getInt(Limit.DEPTH_MAX)).read(into);
      if (BuiltInMethods.stops(message) || BuiltInMethods.cancelled(message).isPresent()) {
        found.add(new Urgent(message, into.length));
      }
    }
  }

  private void takeHeader(byte b) {
    FrameHeader.Progress progress = header.take(b);
    if (progress == FrameHeader.Progress.GOING_ON) {
      return;
    }
    OptionalLong length = header.contentLength();
    isLost =
        progress != FrameHeader.Progress.COMPLETE
            || length.isEmpty()
            || header.contentTypeFault() != null
            || length.getAsLong() > gatewayLimits.get(Limit.BODY_BYTES_MAX);
    if (!isLost) {
      header = new FrameHeader(gatewayLimits.getInt(Limit.HEADER_BYTES_MAX), false);
      if (length.getAsLong() > BODY_BYTES_MAX) {
        bytesToSkip = length.getAsLong();
      } else {
        body = new byte[(int) length.getAsLong()];
        filled = 0;
      }
    }
  }
}
