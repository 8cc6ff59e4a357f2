package gatebook.api.stdio;

import gatebook.events.fault.Malformed;
import org.jspecify.annotations.Nullable;

/** An event of reading frames: a whole or a dropped frame, or a fault. */
@SuppressWarnings("ArrayRecordComponent") // handed on at once and never compared
sealed interface FrameEvent {

  /** The body of a complete frame. */
  record Whole(byte[] body) implements FrameEvent {}

  /**
   * A complete frame whose body was dropped, because there was no memory for it.
   *
   * @param requestId the token of its id; absent when it has none
   */
  record Dropped(@Nullable String requestId) implements FrameEvent {}

  /**
   * Bytes that are no valid frame.
   *
   * @param body the body of a frame whose header alone is at fault, so that its id can be read
   * @param sizeBytes how many bytes were received when the fault was found
   */
  record Refused(Malformed fault, byte @Nullable [] body, long sizeBytes) implements FrameEvent {}
}
