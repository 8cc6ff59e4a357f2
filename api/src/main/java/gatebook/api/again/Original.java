package gatebook.api.again;

import gatebook.command.keep.Keeper;
import gatebook.command.keep.Seal.Unsealed;
import gatebook.events.CallReceived;
import gatebook.events.call.Digest;
import gatebook.events.call.Kept;
import gatebook.events.call.Sealed;
import org.jspecify.annotations.Nullable;

/** What can be had of the params that a recorded call came with. */
sealed interface Original {

  /** All of them, as they were sent; absent where there were none. */
  record Whole(@Nullable String params) implements Original {}

  /** The part that the target was given; absent where there was none. */
  record Arguments(@Nullable String arguments) implements Original {}

  /** Neither, and why. */
  record Missing(NotReplayable why) implements Original {}

  static Original of(CallReceived call, Keeper keeper) {
    Sealed sealed = call.original();
    if (sealed == null) {
      return kept(call, keeper);
    }
    return switch (keeper.unseal(call.callId(), sealed)) {
      case Unsealed.Opened(var params) -> new Whole(params);
      case Unsealed.Tampered() ->
          missing(
              "tampered",
              "the sealed original was edited, or belongs to another call: see gatebook verify");
      case Unsealed.OtherKey(var key) ->
          kept(call, keeper) instanceof Arguments arguments
              ? arguments
              : missing("other-key", otherKey("the original was sealed", key));
    };
  }

  /** What is readable is the original too, when redaction changed nothing. */
  private static Original kept(CallReceived call, Keeper keeper) {
    Kept kept = call.arguments();
    if (kept == null) {
      return new Arguments(null);
    }
    if (kept.redacted() == null) {
      return missing(
          "too-large",
          "the arguments had %d bytes, and only their beginning is kept: see record.whole_bytes_max"
              .formatted(kept.sizeBytes()));
    }
    String readable = kept.redacted().toString();
    Digest digest = keeper.digest(readable);
    if (digest.equals(kept.digest())) {
      return new Arguments(readable);
    }
    return digest.key().equals(kept.digest().key())
        ? missing(
            "not-kept",
            "the original was not kept, and what is readable of the arguments is not all:"
                + " see record.originals")
        : missing("other-key", otherKey("the arguments were digested", kept.digest().key()));
  }

  private static String otherKey(String what, String key) {
    return "%s with the key %s, which this node does not have".formatted(what, key);
  }

  private static Original missing(String reason, String message) {
    return new Missing(new NotReplayable(reason, message));
  }
}
