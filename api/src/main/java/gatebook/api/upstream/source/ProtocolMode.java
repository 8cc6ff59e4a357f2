package gatebook.api.upstream.source;

import org.jspecify.annotations.Nullable;

/** The protocol mode in which requests are sent to a source. */
sealed interface ProtocolMode {

  /** Nothing was negotiated: requests are sent as the caller sent them. */
  record Bare() implements ProtocolMode {}

  /**
   * The outcome of {@code initialize}.
   *
   * @param version of the protocol that was negotiated
   * @param sessionId as the source calls it; absent when it has none
   * @param initializeResult of the source, unchanged
   */
  record Negotiated(String version, @Nullable String sessionId, String initializeResult)
      implements ProtocolMode {}

  /**
   * Every request carries the version and the capabilities of its sender: those the caller sent, or
   * else those given here.
   *
   * @param capabilities for a caller that declares none, as the text of an object
   */
  record Stateless(String capabilities) implements ProtocolMode {

    /** For a caller without capabilities. */
    Stateless() {
      this("{}");
    }
  }
}
