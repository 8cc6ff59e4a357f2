package gatebook.api.operator.redecide;

import gatebook.command.keep.ContentDigests;
import gatebook.events.CallReceived;
import gatebook.events.call.KeptContent;
import gatebook.events.vocabulary.ContentState;
import org.jspecify.annotations.Nullable;

/** The original params of a recorded call, as far as they can be recovered. */
sealed interface OriginalParams {

  /** All params as they were sent; null where there were none. */
  record Whole(@Nullable String params) implements OriginalParams {}

  /** The arguments for the target; null where there were none. */
  record Arguments(@Nullable String arguments) implements OriginalParams {}

  /** Neither is available, and why. */
  record Missing(NotRedecidable why) implements OriginalParams {}

  /**
   * The params of a call, as far as its event has them.
   *
   * @param contentState of the event
   */
  static OriginalParams of(
      CallReceived call, ContentState contentState, ContentDigests contentDigests) {
    return switch (contentState) {
      case ERASED -> missing("erased", "the content of the call was erased");
      case KEY_MISSING, CLOSED ->
          missing(
              "key-missing",
              "the key of the call's content is missing: restore it from a backup of keys");
      case REFUSED ->
          missing(
              "tampered",
              "the content of the call was edited, or belongs to another call: see gatebook"
                  + " verify");
      case PLAIN, OPENED ->
          call.original() == null ? kept(call, contentDigests) : new Whole(call.original());
    };
  }

  /**
   * The readable arguments are the original ones when redaction changed nothing, which their digest
   * shows.
   */
  private static OriginalParams kept(CallReceived call, ContentDigests contentDigests) {
    KeptContent keptContent = call.arguments();
    if (keptContent == null) {
      return new Arguments(null);
    }
    if (keptContent.redacted() == null) {
      return missing(
          "too-large",
          "the arguments had %d bytes, and only their beginning is kept: see record.whole_bytes_max"
              .formatted(keptContent.sizeBytes()));
    }
    String readable = keptContent.redacted().toString();
    return switch (contentDigests.match(keptContent.digest(), readable)) {
      case SAME -> new Arguments(readable);
      case OTHER ->
          missing(
              "not-kept",
              "the original was not kept, and only part of the arguments is readable:"
                  + " see record.originals");
      case UNKNOWN ->
          missing(
              "other-key",
              "the arguments were digested with the key %s, which this node does not have"
                  .formatted(keptContent.digest().key()));
    };
  }

  private static OriginalParams missing(String reason, String message) {
    return new Missing(new NotRedecidable(reason, message));
  }
}
