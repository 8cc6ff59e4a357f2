package gatebook.api.operator.tail;

import org.reactivestreams.Publisher;

/** The answer to a request for the event tail: admitted or refused. */
public sealed interface TailAdmission {

  /**
   * The reader is admitted.
   *
   * @param events server-sent events, for one subscriber; completes when the node stops
   */
  record Following(Publisher<byte[]> events) implements TailAdmission {}

  record Refused(Reason reason, String sentence) implements TailAdmission {}

  /** Why a reader is refused. */
  enum Reason {
    /** The request is invalid. */
    INVALID_REQUEST,
    /** The operator lacks the role. */
    FORBIDDEN,
    /** A retry may succeed. */
    NOT_NOW
  }
}
