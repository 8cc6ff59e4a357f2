package gatebook.api.stdio;

import gatebook.command.rules.Limits;
import gatebook.events.fault.Malformed;
import gatebook.events.fault.Malformed.HeaderMalformed;
import gatebook.events.fault.Malformed.HeaderTooLarge;
import gatebook.events.fault.Malformed.LengthMismatch;
import gatebook.events.fault.Malformed.LengthMissing;
import gatebook.events.fault.Malformed.Oversize;
import gatebook.events.fault.Malformed.ReadTimeout;
import java.nio.ByteBuffer;
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

  private final Supplier<Limits> currentLimits;
  private final LongSupplier nanoTime;

  private Phase phase = Phase.HEADER;
  private Limits limits;
  private HeaderSection section;
  private Seeker seeker = new Seeker();
  private boolean faultTold;
  private boolean begun;
  private long begunNanos;

  private byte[] body = NOTHING;
  private int bodyFilled;
  private @Nullable Malformed fault;
  private long leftToDrain;

  /** The length that the frame just before declared; none when something else was before. */
  private @Nullable Long declaredBefore;

  FrameReader(Supplier<Limits> currentLimits, LongSupplier nanoTime) {
    this.currentLimits = currentLimits;
    this.nanoTime = nanoTime;
    this.limits = currentLimits.get();
    this.section = new HeaderSection(limits.headerBytesMax());
  }

  /** Takes bytes until they are something, or used up: then null. */
  @Nullable Arrival next(ByteBuffer bytes) {
    Arrival arrival = null;
    while (arrival == null && bytes.hasRemaining()) {
      arrival =
          switch (phase) {
            case HEADER -> header(bytes);
            case BODY -> body(bytes);
            case DRAINING -> drain(bytes);
            case SEEKING -> seek(bytes);
          };
    }
    return arrival;
  }

  /** How long the rest of a frame that has begun may take; empty between frames. */
  OptionalLong patienceNanos() {
    return begun
        ? OptionalLong.of(
            TimeUnit.MILLISECONDS.toNanos(limits.readMillisMax())
                - (nanoTime.getAsLong() - begunNanos))
        : OptionalLong.empty();
  }

  /** The frame that has begun took too long: what there is of it is dropped. */
  @Nullable Arrival timedOut() {
    Malformed late = new ReadTimeout(limits.readMillisMax(), receivedBytes());
    return disturbed(late, NOTHING);
  }

  /** Nothing comes any more. */
  @Nullable Arrival ended() {
    if (!begun || faultTold) {
      return null;
    }
    return phase == Phase.BODY
        ? refused(new LengthMismatch(body.length, bodyFilled))
        : refused(new HeaderMalformed(section.line()));
  }

  private long receivedBytes() {
    return phase == Phase.BODY ? bodyFilled : section.sizeBytes();
  }

  private @Nullable Arrival header(ByteBuffer bytes) {
    if (!begun) {
      begin();
    }
    return switch (section.take(bytes.get())) {
      case GOING_ON -> null;
      case NO_HEADER -> noHeader();
      case TOO_LARGE -> toldOnce(new HeaderTooLarge(limits.headerBytesMax()));
      case COMPLETE -> afterHeader();
    };
  }

  private void begin() {
    begun = true;
    begunNanos = nanoTime.getAsLong();
    faultTold = false;
    limits = currentLimits.get();
    section = new HeaderSection(limits.headerBytesMax());
    phase = Phase.HEADER;
  }

  private void begin(byte[] firstLine) {
    begin();
    for (byte b : firstLine) {
      var _ = section.take(b); // it is a header
    }
  }

  /** Before the first header it is the frame's beginning that is missing, after it a header. */
  private @Nullable Arrival noHeader() {
    if (section.faultLine() > 1) {
      return toldOnce(new HeaderMalformed(section.faultLine()));
    }
    Malformed beginning =
        declaredBefore == null
            ? new HeaderMalformed(1)
            : new LengthMismatch(declaredBefore, declaredBefore + section.sizeBytes());
    return disturbed(beginning, section.currentLine());
  }

  /** Goes on to the end of this section, so that its body can be passed over. */
  private @Nullable Arrival toldOnce(Malformed newFault) {
    boolean before = faultTold;
    faultTold = true;
    return before ? null : refused(newFault);
  }

  private @Nullable Arrival afterHeader() {
    OptionalLong length = section.contentLength();
    if (length.isEmpty()) {
      return disturbed(new LengthMissing(), NOTHING);
    }
    Malformed unwanted = unwanted(length.getAsLong());
    if (unwanted == null && !faultTold) {
      return receive((int) length.getAsLong());
    }
    drain(length.getAsLong());
    return unwanted == null ? null : toldOnce(unwanted);
  }

  private @Nullable Malformed unwanted(long length) {
    if (section.sizeBytes() > limits.headerBytesMax()) {
      return new HeaderTooLarge(limits.headerBytesMax());
    }
    return length > limits.bodyBytesMax() ? new Oversize(limits.bodyBytesMax(), length) : null;
  }

  private @Nullable Arrival receive(int length) {
    phase = Phase.BODY;
    body = new byte[length];
    bodyFilled = 0;
    fault = section.contentTypeFault();
    return bodyIfComplete();
  }

  private @Nullable Arrival body(ByteBuffer bytes) {
    int taken = Math.min(bytes.remaining(), body.length - bodyFilled);
    bytes.get(body, bodyFilled, taken);
    bodyFilled += taken;
    return bodyIfComplete();
  }

  private @Nullable Arrival bodyIfComplete() {
    if (bodyFilled < body.length) {
      return null;
    }
    byte[] whole = body;
    body = NOTHING;
    done((long) whole.length);
    return fault == null
        ? new Arrival.Whole(whole)
        : new Arrival.Refused(fault, whole, whole.length);
  }

  private void drain(long length) {
    phase = Phase.DRAINING;
    leftToDrain = length;
    if (length == 0) {
      done(null);
    }
  }

  private @Nullable Arrival drain(ByteBuffer bytes) {
    int passed = (int) Math.min(bytes.remaining(), leftToDrain);
    bytes.position(bytes.position() + passed);
    leftToDrain -= passed;
    if (leftToDrain == 0) {
      done(null);
    }
    return null;
  }

  private void done(@Nullable Long declared) {
    begun = false;
    declaredBefore = declared;
    phase = Phase.HEADER;
  }

  private @Nullable Arrival seek(ByteBuffer bytes) {
    seeker.take(bytes.get()).ifPresent(this::begin);
    return null;
  }

  /** Tells of it unless this frame's fault is told already, and looks for the next header. */
  private @Nullable Arrival disturbed(Malformed newFault, byte[] lineSoFar) {
    Arrival arrival = toldOnce(newFault);
    done(null);
    body = NOTHING;
    seeker = new Seeker();
    for (byte b : lineSoFar) {
      var _ = seeker.take(b); // no line has ended in there
    }
    phase = Phase.SEEKING;
    return arrival;
  }

  private Arrival refused(Malformed newFault) {
    return new Arrival.Refused(newFault, null, receivedBytes());
  }
}
