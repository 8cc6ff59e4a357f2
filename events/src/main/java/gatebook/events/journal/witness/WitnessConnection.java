package gatebook.events.journal.witness;

import java.net.URI;

/** Sends requests to witnesses. Each is sent once, and redirects are not followed. */
public interface WitnessConnection {

  /** The result of a request. */
  sealed interface Response {

    /**
     * A whole answer.
     *
     * @param type the media type; empty where the answer has none
     */
    @SuppressWarnings("ArrayRecordComponent") // read once and never compared
    record Answered(int status, String type, byte[] body) implements Response {}

    /** No answer, or no whole one; the request may have had its effect. */
    record Failed(String why) implements Response {}
  }

  /** Posts a body; blocks, but not longer than a limit. */
  Response post(URI url, byte[] body);

  /** Gets what is at an address; blocks, but not longer than a limit. */
  Response get(URI url);
}
