package gatebook.api.stdio;

import gatebook.events.fault.Malformed;
import org.jspecify.annotations.Nullable;

/** What a stretch of the stream turned out to be. */
@SuppressWarnings("ArrayRecordComponent") // handed on at once and never compared
sealed interface FrameEvent {

  /** The body of a frame as long as it said. */
  record Whole(byte[] body) implements FrameEvent {}

  /**
   * No message.
   *
   * @param body that of a frame whose header only is at fault, so that its id may be read
   * @param sizeBytes how much of it there was when that was clear
   */
  record Refused(Malformed fault, byte @Nullable [] body, long sizeBytes) implements FrameEvent {}
}
