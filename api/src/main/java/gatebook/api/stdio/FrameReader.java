package gatebook.api.stdio;

import gatebook.command.rules.GatewayLimits;
import gatebook.events.fault.Malformed;
import gatebook.events.fault.Malformed.HeaderMalformed;
import gatebook.events.fault.Malformed.HeaderTooLarge;
import gatebook.events.fault.Malformed.LengthMismatch;
import gatebook.events.fault.Malformed.LengthMissing;
import gatebook.events.fault.Malformed.Oversize;
import gatebook.events.fault.Malformed.ReadTimeout;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Cuts a stream into frames, however it is split. It keeps at most one message, tells each
 * disturbance once, and afterwards goes on with the first frame that can be told from the rest.
 */
final class FrameReader {

  private static final byte[] NOTHING = {};

  private enum Phase {
    HEADER,
    BODY,
    /** Passes over a body that is not wanted. */
    DRAINING,
    /** Passes over whatever comes until a header. */
    SEEKING
  }

  private final Supplier<GatewayLimits> currentLimits;
  private final LongSupplier nanoTime;
  private final long heapBytesMax;

  private Phase phase = Phase.HEADER;
  private GatewayLimits gatewayLimits;
  private FrameHeader section;
  private FrameResync frameResync = new FrameResync();
  private boolean faultTold;
  private boolean begun;

  /** Whether the frame's first header was looked for: what stands before it is told already. */
  private boolean sought;

  private long begunNanos;

  private byte[] body = NOTHING;
  private int bodyFilled;
  private @Nullable Malformed fault;
  private long bytesToDrain;
  private long drained;

  /** The length that the frame just before declared; none when something else was before. */
  private @Nullable Long declaredBefore;

  FrameReader(Supplier<GatewayLimits> currentLimits, LongSupplier nanoTime) {
    this(currentLimits, nanoTime, HeapLimit.bodyBytesMax());
  }

  /**
   * Reads within the limits of the rules.
   *
   * @param heapBytesMax how long a body may be at most, whatever the rules allow
   */
  FrameReader(Supplier<GatewayLimits> currentLimits, LongSupplier nanoTime, long heapBytesMax) {
    this.currentLimits = currentLimits;
    this.nanoTime = nanoTime;
    this.heapBytesMax = heapBytesMax;
    this.gatewayLimits = currentLimits.get();
    this.section = new FrameHeader(gatewayLimits.headerBytesMax(), false);
  }

  /** Takes bytes until they are something, or used up: then null. */
  @Nullable FrameEvent next(ByteBuffer bytes) {
    FrameEvent frameEvent = null;
    while (frameEvent == null && bytes.hasRemaining()) {
      frameEvent =
          switch (phase) {
            case HEADER -> header(bytes);
            case BODY -> body(bytes);
            case DRAINING -> drain(bytes);
            case SEEKING -> seek(bytes);
          };
    }
    return frameEvent;
  }

  /** How long the rest of a frame that has begun may take; empty between frames. */
  OptionalLong patienceNanos() {
    return begun
        ? OptionalLong.of(
            TimeUnit.MILLISECONDS.toNanos(gatewayLimits.readMillisMax())
                - (nanoTime.getAsLong() - begunNanos))
        : OptionalLong.empty();
  }

  /** The frame that has begun took too long: what there is of it is dropped. */
  @Nullable FrameEvent timedOut() {
    Malformed late = new ReadTimeout(gatewayLimits.readMillisMax(), receivedBytes());
    return disturbed(late, NOTHING);
  }

  /** Nothing comes any more. */
  @Nullable FrameEvent ended() {
    if (!begun || faultTold) {
      return null;
    }
    return phase == Phase.BODY
        ? refused(new LengthMismatch(body.length, bodyFilled))
        : refused(new HeaderMalformed(section.line()));
  }

  /** How much there is of what is read now. */
  long receivedBytes() {
    return switch (phase) {
      case BODY -> bodyFilled;
      case DRAINING -> drained;
      case HEADER, SEEKING -> section.sizeBytes();
    };
  }

  private @Nullable FrameEvent header(ByteBuffer bytes) {
    if (!begun) {
      begin();
    }
    byte b = bytes.get();
    boolean wasTold = faultTold;
    FrameEvent frameEvent =
        switch (section.take(b)) {
          case GOING_ON -> null;
          case NO_HEADER -> noHeader();
          case TOO_LARGE -> tooLarge();
          case COMPLETE -> afterHeader();
        };
    if (wasTold && begun && phase == Phase.HEADER) {
      frameResync.take(b).filter(this::isNext).ifPresent(header -> begin(header.bytes()));
    }
    return frameEvent;
  }

  /**
   * Whether a header among those of a section that is refused is the next frame's: it stands right
   * behind what no header has in it.
   */
  private boolean isNext(FrameResync.Header header) {
    return !header.isFirstInLine()
        && (!header.isBehindName() || section.sizeBytes() > gatewayLimits.headerBytesMax());
  }

  private void begin() {
    begun = true;
    begunNanos = nanoTime.getAsLong();
    faultTold = false;
    sought = false;
    gatewayLimits = currentLimits.get();
    section = new FrameHeader(gatewayLimits.headerBytesMax(), declaredBefore != null);
    phase = Phase.HEADER;
  }

  private void begin(byte[] firstLine) {
    begin();
    sought = true;
    section = new FrameHeader(gatewayLimits.headerBytesMax(), true);
    for (byte b : firstLine) {
      var _ = section.take(b); // it is a header
    }
  }

  /** Before the first header it is the frame's beginning that is missing, after it a header. */
  private @Nullable FrameEvent noHeader() {
    if (section.faultLine() > 1) {
      return toldInSection(new HeaderMalformed(section.faultLine()));
    }
    return disturbed(beginning(section.sizeBytes()), section.currentLine());
  }

  private @Nullable FrameEvent tooLarge() {
    return toldInSection(new HeaderTooLarge(gatewayLimits.headerBytesMax()));
  }

  /**
   * Goes on to the end of this section, so that its body can be passed over, unless the next frame
   * begins before.
   */
  private @Nullable FrameEvent toldInSection(Malformed newFault) {
    if (!faultTold) {
      seekFrom(section.currentLine());
    }
    return toldOnce(newFault);
  }

  private void seekFrom(byte[] lineSoFar) {
    frameResync = new FrameResync();
    for (byte b : lineSoFar) {
      var _ = frameResync.take(b); // no line has ended in there
    }
  }

  private @Nullable FrameEvent toldOnce(Malformed newFault) {
    boolean before = faultTold;
    faultTold = true;
    return before ? null : refused(newFault);
  }

  private @Nullable FrameEvent afterHeader() {
    OptionalLong length = section.contentLength();
    if (length.isEmpty()) {
      return disturbed(section.endsBare() ? endedBare() : new LengthMissing(), NOTHING);
    }
    Malformed unwanted = unwanted(length.getAsLong());
    if (unwanted == null && !faultTold) {
      return receive((int) length.getAsLong(), stray());
    }
    drain(length.getAsLong());
    return unwanted == null ? null : toldOnce(unwanted);
  }

  private Malformed endedBare() {
    return new HeaderMalformed(section.line());
  }

  private @Nullable Malformed unwanted(long length) {
    if (section.endsBare()) {
      return endedBare();
    }
    if (section.sizeBytes() > gatewayLimits.headerBytesMax()) {
      return new HeaderTooLarge(gatewayLimits.headerBytesMax());
    }
    long most = Math.min(gatewayLimits.bodyBytesMax(), heapBytesMax);
    return length > most ? new Oversize(most, length) : null;
  }

  /** What stands before the first header, and was not told yet. */
  private @Nullable FrameEvent stray() {
    long bytes = section.strayBytes();
    return sought || bytes == 0 ? null : refused(beginning(bytes));
  }

  /** What is wrong with a frame that begins with these. */
  private Malformed beginning(long strayBytes) {
    Long before = declaredBefore;
    return before == null
        ? new HeaderMalformed(1)
        : new LengthMismatch(before, before + strayBytes);
  }

  /** Of an empty body with something before it, only that is told. */
  private @Nullable FrameEvent receive(int length, @Nullable FrameEvent stray) {
    FrameEvent whole = receive(length);
    return stray == null ? whole : stray;
  }

  private @Nullable FrameEvent receive(int length) {
    phase = Phase.BODY;
    body = new byte[length];
    bodyFilled = 0;
    fault = section.contentTypeFault();
    return bodyIfComplete();
  }

  private @Nullable FrameEvent body(ByteBuffer bytes) {
    if (bodyFilled == 0 && section.isLengthBehind() && !isJson(bytes.get(bytes.position()))) {
      faultTold = true; // with what stood before it
      return disturbed(new LengthMissing(), NOTHING);
    }
    int taken = Math.min(bytes.remaining(), body.length - bodyFilled);
    bytes.get(body, bodyFilled, taken);
    bodyFilled += taken;
    return bodyIfComplete();
  }

  /** What stood behind other bytes was no length if no message follows. */
  private static boolean isJson(byte first) {
    return "{[ \t\r\n".indexOf(first) >= 0;
  }

  private @Nullable FrameEvent bodyIfComplete() {
    if (bodyFilled < body.length) {
      return null;
    }
    byte[] whole = body;
    body = NOTHING;
    done((long) whole.length);
    return fault == null
        ? new FrameEvent.Whole(whole)
        : new FrameEvent.Refused(fault, whole, whole.length);
  }

  private void drain(long length) {
    phase = Phase.DRAINING;
    bytesToDrain = length;
    drained = 0;
    frameResync = new FrameResync();
    if (length == 0) {
      done(null);
    }
  }

  /** Whoever was refused may not send the rest: then his next frame begins within. */
  private @Nullable FrameEvent drain(ByteBuffer bytes) {
    while (phase == Phase.DRAINING && bytes.hasRemaining()) {
      drained++;
      Optional<FrameResync.Header> next = frameResync.take(bytes.get());
      if (next.isPresent()) {
        begin(next.get().bytes());
      } else if (drained == bytesToDrain) {
        done(null);
      }
    }
    return null;
  }

  private void done(@Nullable Long declared) {
    begun = false;
    declaredBefore = declared;
    phase = Phase.HEADER;
  }

  private @Nullable FrameEvent seek(ByteBuffer bytes) {
    frameResync.take(bytes.get()).ifPresent(header -> begin(header.bytes()));
    return null;
  }

  /** Tells of it unless this frame's fault is told already, and looks for the next header. */
  private @Nullable FrameEvent disturbed(Malformed newFault, byte[] lineSoFar) {
    FrameEvent frameEvent = toldOnce(newFault);
    done(null);
    body = NOTHING;
    seekFrom(lineSoFar);
    phase = Phase.SEEKING;
    return frameEvent;
  }

  private FrameEvent refused(Malformed newFault) {
    return new FrameEvent.Refused(newFault, null, receivedBytes());
  }
}
