package gatebook.api.operator.redecide;

import gatebook.command.keep.PayloadCipher.Unsealed;
import gatebook.command.keep.PayloadRecorder;
import gatebook.events.CallReceived;
import gatebook.events.call.Digest;
import gatebook.events.call.KeptContent;
import gatebook.events.call.SealedContent;
import org.jspecify.annotations.Nullable;

/** The original params of a recorded call, as far as they can be recovered. */
sealed interface OriginalParams {

  /** All params as they were sent; null where there were none. */
  record Whole(@Nullable String params) implements OriginalParams {}

  /** The arguments for the target; null where there were none. */
  record Arguments(@Nullable String arguments) implements OriginalParams {}

  /** Neither is available, and why. */
  record Missing(NotRedecidable why) implements OriginalParams {}

  static OriginalParams of(CallReceived call, PayloadRecorder payloadRecorder) {
    SealedContent sealedContent = call.original();
    if (sealedContent == null) {
      return kept(call, payloadRecorder);
    }
    return switch (payloadRecorder.unseal(call.callId(), sealedContent)) {
      case Unsealed.Opened(var params) -> new Whole(params);
      case Unsealed.Tampered() ->
          missing(
              "tampered",
              "the sealed original was edited, or belongs to another call: see gatebook verify");
      case Unsealed.OtherKey(var key) ->
          kept(call, payloadRecorder) instanceof Arguments arguments
              ? arguments
              : missing("other-key", otherKey("the original was sealed", key));
    };
  }

  /**
   * The readable arguments are the original ones when redaction changed nothing, which their digest
   * shows.
   */
  private static OriginalParams kept(CallReceived call, PayloadRecorder payloadRecorder) {
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
    Digest digest = payloadRecorder.digest(readable);
    if (digest.equals(keptContent.digest())) {
      return new Arguments(readable);
    }
    return digest.key().equals(keptContent.digest().key())
        ? missing(
            "not-kept",
            "the original was not kept, and only part of the arguments is readable:"
                + " see record.originals")
        : missing("other-key", otherKey("the arguments were digested", keptContent.digest().key()));
  }

  private static String otherKey(String what, String key) {
    return "%s with the key %s, which this node does not have".formatted(what, key);
  }

  private static OriginalParams missing(String reason, String message) {
    return new Missing(new NotRedecidable(reason, message));
  }
}
