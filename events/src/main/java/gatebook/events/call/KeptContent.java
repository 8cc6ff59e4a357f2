package gatebook.events.call;

import org.jspecify.annotations.Nullable;

/**
 * The kept content of arguments or of a result: always the size and the keyed digest of the
 * original, and as much of its redacted form as the rules and its size allow: all of it ({@code
 * redacted}), its {@code beginning}, or nothing.
 */
public record KeptContent(
    long sizeBytes,
    Digest digest,
    @Erasable @Nullable JsonValue redacted,
    @Erasable @Nullable String beginning) {

  public KeptContent {
    if (redacted != null && beginning != null) {
      throw new IllegalArgumentException("kept is either whole or a beginning, not both");
    }
  }
}
