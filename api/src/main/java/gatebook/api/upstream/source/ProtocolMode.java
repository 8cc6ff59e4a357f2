package gatebook.api.upstream.source;

import org.jspecify.annotations.Nullable;

/** How one talks with a source. */
sealed interface ProtocolMode {

  /** Nothing was agreed on: a request says what its sender says. */
  record Bare() implements ProtocolMode {}

  /**
   * What a handshake came to.
   *
   * @param version of the protocol that both speak
   * @param session as the source calls it; absent when it has none
   * @param introduction what the source said of itself
   */
  record Agreed(String version, @Nullable String session, String introduction)
      implements ProtocolMode {}

  /**
   * Every request says all there is to know: the caller's own, or else we say it.
   *
   * @param capabilities of a caller who does not say it, as the text of an object
   */
  record Stateless(String capabilities) implements ProtocolMode {

    /** With somebody who can do nothing but ask. */
    Stateless() {
      this("{}");
    }
  }
}
