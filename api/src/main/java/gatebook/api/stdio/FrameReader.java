package gatebook.api.stdio;

import gatebook.api.memory.InFlightMemory;
import gatebook.api.memory.MemoryReservation;
import gatebook.command.rules.GatewayLimits;
import gatebook.command.rules.Limit;
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
 * Reads frames from a stream, however it is split into chunks. It keeps at most one message,
 * reports each fault once, and resumes with the first frame that it recognises after the fault.
 */
final class FrameReader {
  private static final byte[] NOTHING = {};
  private static final String JSON_BEGINNINGS = "{[ \t\r\n";

  private enum Phase {
    HEADER,
    BODY,
    /** Skips the body of a frame for which there is no memory, and looks for its id. */
    DROPPING,
    /** Skips the body of a refused frame. */
    DRAINING,
    /** Skips all bytes until a header. */
    SEEKING
  }

  private final Supplier<GatewayLimits> currentLimits;
  private final LongSupplier nanoTime;
  private final long heapBytesMax;

  private Phase phase = Phase.HEADER;
  private GatewayLimits gatewayLimits;
  private FrameHeader section;
  private FrameResync frameResync = new FrameResync();
  private boolean faultReported;
  private boolean begun;

  /** Whether the first header was searched for: the bytes before it are reported already. */
  private boolean headerSearched;

  private long begunNanos;

  private byte[] body = NOTHING;
  private int bodyFilled;
  private @Nullable Malformed fault;
  private final MemoryReservation memory;
  private DroppedBody dropped = new DroppedBody(0);
  private long bytesToDrain;
  private long drained;

  /** The length that the frame right before declared; null when there was none. */
  private @Nullable Long declaredBefore;

  FrameReader(Supplier<GatewayLimits> currentLimits, LongSupplier nanoTime) {
    this(
        currentLimits,
        nanoTime,
        InFlightMemory.OF_PROCESS.messageBytesMax(),
        InFlightMemory.OF_PROCESS.open());
  }

  /**
   * Creates a reader within the limits of the rules.
   *
   * @param heapBytesMax the largest body, even if the rules allow a larger one
   * @param memory of the frame that was read last
   */
  FrameReader(
      Supplier<GatewayLimits> currentLimits,
      LongSupplier nanoTime,
      long heapBytesMax,
      MemoryReservation memory) {
    this.memory = memory;
    this.currentLimits = currentLimits;
    this.nanoTime = nanoTime;
    this.heapBytesMax = heapBytesMax;
    this.gatewayLimits = currentLimits.get();
    this.section = new FrameHeader(headerBytesMax(), false);
  }

  /** Reads bytes up to the next event; null when they are used up before. */
  @Nullable FrameEvent next(ByteBuffer bytes) {
    FrameEvent frameEvent = null;
    while (frameEvent == null && bytes.hasRemaining()) {
      frameEvent =
          switch (phase) {
            case HEADER -> header(bytes);
            case BODY -> body(bytes);
            case DROPPING -> drop(bytes);
            case DRAINING -> drain(bytes);
            case SEEKING -> seek(bytes);
          };
    }
    return frameEvent;
  }

  /** The time left for the rest of the current frame; empty between frames. */
  OptionalLong nanosLeft() {
    return begun
        ? OptionalLong.of(
            TimeUnit.MILLISECONDS.toNanos(gatewayLimits.get(Limit.READ_MILLIS_MAX))
                - (nanoTime.getAsLong() - begunNanos))
        : OptionalLong.empty();
  }

  /** Drops the current frame, which took too long. */
  @Nullable FrameEvent timedOut() {
    return resync(
        new ReadTimeout(gatewayLimits.get(Limit.READ_MILLIS_MAX), receivedBytes()), NOTHING);
  }

  /** Reports an incomplete frame at the end of the stream. */
  @Nullable FrameEvent ended() {
    if (!begun || faultReported) {
      return null;
    }
    return phase == Phase.BODY
        ? refused(new LengthMismatch(body.length, bodyFilled))
        : refused(new HeaderMalformed(section.line()));
  }

  /** How many bytes of the current section or body were received. */
  long receivedBytes() {
    return switch (phase) {
      case BODY -> bodyFilled;
      case DROPPING -> dropped.receivedBytes();
      case DRAINING -> drained;
      case HEADER, SEEKING -> section.sizeBytes();
    };
  }

  private @Nullable FrameEvent header(ByteBuffer bytes) {
    if (!begun) {
      begin();
    }
    byte b = bytes.get();
    boolean wasReported = faultReported;
    FrameHeader before = section;
    FrameEvent frameEvent =
        switch (section.take(b)) {
          case GOING_ON -> null;
          case NO_HEADER -> noHeader();
          case CUT_SHORT -> cutShort();
          case TOO_LARGE -> tooLarge();
          case COMPLETE -> afterHeader();
        };
    if (wasReported && begun && phase == Phase.HEADER && section == before) {
      frameResync.take(b).filter(this::isNext).ifPresent(header -> begin(header.bytes()));
    }
    return frameEvent;
  }

  /**
   * Whether a header within a refused section belongs to the next frame: it comes right after bytes
   * that no header contains.
   */
  private boolean isNext(FrameResync.Header header) {
    return !header.isFirstInLine()
        && (!header.followsNameCharacter() || section.sizeBytes() > headerBytesMax());
  }

  private void begin() {
    begun = true;
    begunNanos = nanoTime.getAsLong();
    faultReported = false;
    headerSearched = false;
    gatewayLimits = currentLimits.get();
    section = new FrameHeader(headerBytesMax(), declaredBefore != null);
    phase = Phase.HEADER;
  }

  private void begin(byte[] firstLine) {
    begin();
    headerSearched = true;
    section = new FrameHeader(headerBytesMax(), true);
    for (byte b : firstLine) {
      var _ = section.take(b); // known to be a header
    }
  }

  /** In the first line the beginning of the frame is missing, in a later one a header is wrong. */
  private @Nullable FrameEvent noHeader() {
    if (section.faultLine() > 1) {
      return refuseInSection(new HeaderMalformed(section.faultLine()));
    }
    return resync(beginning(section.sizeBytes()), section.currentLine());
  }

  /** The sender gave up on a header, and its next frame follows. */
  private @Nullable FrameEvent cutShort() {
    byte[] nextFrame = section.nextFrame();
    FrameEvent frameEvent =
        refuseOnce(
            section.line() > 1
                ? new HeaderMalformed(section.line())
                : beginning(section.sizeBytes() - nextFrame.length));
    begin(nextFrame);
    return frameEvent;
  }

  private @Nullable FrameEvent tooLarge() {
    return refuseInSection(new HeaderTooLarge(headerBytesMax()));
  }

  /**
   * Reports a fault and reads on to the end of the section, so that its body can be skipped, unless
   * the next frame begins before.
   */
  private @Nullable FrameEvent refuseInSection(Malformed newFault) {
    if (!faultReported) {
      seekFrom(section.currentLine());
    }
    return refuseOnce(newFault);
  }

  private void seekFrom(byte[] lineSoFar) {
    frameResync = new FrameResync();
    for (byte b : lineSoFar) {
      var _ = frameResync.take(b); // contains no line end
    }
  }

  private @Nullable FrameEvent refuseOnce(Malformed newFault) {
    boolean before = faultReported;
    faultReported = true;
    return before ? null : refused(newFault);
  }

  private @Nullable FrameEvent afterHeader() {
    OptionalLong length = section.contentLength();
    if (length.isEmpty()) {
      return resync(
          section.endsWithBareLf() ? new HeaderMalformed(section.line()) : new LengthMissing(),
          NOTHING);
    }
    Malformed bodyRefusal = bodyRefusal(length.getAsLong());
    if (bodyRefusal == null && !faultReported) {
      return receive((int) length.getAsLong(), stray());
    }
    if (bodyRefusal == null && isTooLargeByStrayBytes()) {
      FrameEvent stray = tooLarge();
      faultReported = false; // the frame itself has none
      return receive((int) length.getAsLong(), stray);
    }
    drain(length.getAsLong());
    return bodyRefusal == null ? null : refuseOnce(bodyRefusal);
  }

  private @Nullable Malformed bodyRefusal(long length) {
    if (section.endsWithBareLf()) {
      return new HeaderMalformed(section.line());
    }
    if (section.sizeBytes() > headerBytesMax() && !isTooLargeByStrayBytes()) {
      return new HeaderTooLarge(headerBytesMax());
    }
    long most = Math.min(gatewayLimits.get(Limit.BODY_BYTES_MAX), heapBytesMax);
    return length > most ? new Oversize(most, length) : null;
  }

  private int headerBytesMax() {
    return gatewayLimits.getInt(Limit.HEADER_BYTES_MAX);
  }

  /** Whether only the bytes before the length of a well-formed frame exceed the limit. */
  private boolean isTooLargeByStrayBytes() {
    int most = headerBytesMax();
    return section.isLengthTrailing()
        && section.faultLine() == 0
        && section.sizeBytes() > most
        && section.sizeBytes() - section.strayBytes() <= most;
  }

  /** Refuses the bytes before the first header, unless they are reported already. */
  private @Nullable FrameEvent stray() {
    long bytes = section.strayBytes();
    return headerSearched || bytes == 0 ? null : refused(beginning(bytes));
  }

  /** The fault of stray bytes before a frame. */
  private Malformed beginning(long strayBytes) {
    Long before = declaredBefore;
    return before == null
        ? new HeaderMalformed(1)
        : new LengthMismatch(before, before + strayBytes);
  }

  /** When stray bytes precede an empty body, only they are reported. */
  private @Nullable FrameEvent receive(int length, @Nullable FrameEvent stray) {
    FrameEvent whole = receive(length);
    return stray == null ? whole : stray;
  }

  private @Nullable FrameEvent receive(int length) {
    if (!memory.resize(length)) {
      phase = Phase.DROPPING;
      dropped = new DroppedBody(length);
      return null;
    }
    phase = Phase.BODY;
    body = new byte[length];
    bodyFilled = 0;
    fault = section.contentTypeFault();
    return bodyIfComplete();
  }

  private @Nullable FrameEvent body(ByteBuffer bytes) {
    if (bodyFilled == 0
        && section.isLengthTrailing()
        && JSON_BEGINNINGS.indexOf(bytes.get(bytes.position())) < 0) {
      faultReported = true; // together with the stray bytes
      return resync(new LengthMissing(), NOTHING);
    }
    int taken = Math.min(bytes.remaining(), body.length - bodyFilled);
    bytes.get(body, bodyFilled, taken);
    bodyFilled += taken;
    return bodyIfComplete();
  }

  private @Nullable FrameEvent bodyIfComplete() {
    if (bodyFilled < body.length) {
      return null;
    }
    byte[] whole = body;
    body = NOTHING;
    finish((long) whole.length);
    return fault == null
        ? new FrameEvent.Whole(whole)
        : new FrameEvent.Refused(fault, whole, whole.length);
  }

  private @Nullable FrameEvent drop(ByteBuffer bytes) {
    if (!dropped.take(bytes)) {
      return null;
    }
    finish(dropped.receivedBytes());
    return new FrameEvent.Dropped(dropped.requestId());
  }

  /** The frame that was read last is answered. */
  void release() {
    var _ = memory.resize(0);
  }

  private void drain(long length) {
    phase = Phase.DRAINING;
    bytesToDrain = length;
    drained = 0;
    frameResync = new FrameResync();
    if (length == 0) {
      finish(null);
    }
  }

  /** A refused client may not send the rest of the body: then its next frame begins within. */
  private @Nullable FrameEvent drain(ByteBuffer bytes) {
    while (phase == Phase.DRAINING && bytes.hasRemaining()) {
      drained++;
      Optional<FrameResync.Header> next = frameResync.take(bytes.get());
      if (next.isPresent()) {
        begin(next.get().bytes());
      } else if (drained == bytesToDrain) {
        finish(null);
      }
    }
    return null;
  }

  private void finish(@Nullable Long declared) {
    begun = false;
    declaredBefore = declared;
    phase = Phase.HEADER;
  }

  private @Nullable FrameEvent seek(ByteBuffer bytes) {
    frameResync.take(bytes.get()).ifPresent(header -> begin(header.bytes()));
    return null;
  }

  /** Reports a fault, unless this frame has one already, and searches the next header. */
  private @Nullable FrameEvent resync(Malformed newFault, byte[] lineSoFar) {
    FrameEvent frameEvent = refuseOnce(newFault);
    finish(null);
    body = NOTHING;
    seekFrom(lineSoFar);
    phase = Phase.SEEKING;
    return frameEvent;
  }

  private FrameEvent refused(Malformed newFault) {
    return new FrameEvent.Refused(newFault, null, receivedBytes());
  }
}
