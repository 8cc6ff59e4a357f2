package gatebook.api.operator;

import org.reactivestreams.Publisher;

/** What asking to follow the journal ends in. */
public sealed interface TailAdmission {

  /**
   * Whoever asked is let in.
   *
   * @param events server-sent events, for one subscriber; it completes when the node stops
   */
  record Following(Publisher<byte[]> events) implements TailAdmission {}

  record Refused(Why why, String sentence) implements TailAdmission {}

  /** Why somebody is not let in. */
  enum Why {
    /** He asked for what there is not. */
    WRONG,
    /** Not as who he is. */
    FORBIDDEN,
    /** Asking again may help. */
    NOT_NOW
  }
}
