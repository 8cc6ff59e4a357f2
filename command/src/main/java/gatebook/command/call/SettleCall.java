package gatebook.command.call;

import gatebook.events.CallAnswered;
import gatebook.events.call.StreamSummary;
import gatebook.events.fault.Fault;
import gatebook.events.keys.ContentOwner;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Settles a call: decides how it ended.
 *
 * @param principal the name of the one that called
 * @param attempts how often it was sent upstream; none when the gateway answers it
 * @param upstreamMillis how long upstream took, absent when it was not asked
 * @param rulesHash of the rules that decide how much of a result is kept
 */
public record SettleCall(
    UUID callId,
    String principal,
    String correlationId,
    DialectVersion dialectVersion,
    Instant receivedAt,
    @Nullable String target,
    Ending ending,
    int attempts,
    @Nullable Long upstreamMillis,
    String rulesHash)
    implements ContentCommand {

  /** The same command with another ending. */
  public SettleCall withEnding(Ending other) {
    return new SettleCall(
        callId,
        principal,
        correlationId,
        dialectVersion,
        receivedAt,
        target,
        other,
        attempts,
        upstreamMillis,
        rulesHash);
  }

  /** The ending of a call. */
  public sealed interface Ending {
    /**
     * A result.
     *
     * @param missing the sources whose part is missing, in a result of several
     * @param stream that the result is the last item of; absent when there was none
     */
    record Result(
        CallAnswered.Outcome outcome,
        String text,
        List<String> missing,
        @Nullable StreamSummary stream)
        implements Ending {
      public Result {
        missing = List.copyOf(missing);
      }

      /** A result without missing parts and without a stream. */
      public Result(CallAnswered.Outcome outcome, String text) {
        this(outcome, text, List.of(), null);
      }
    }

    /**
     * An error.
     *
     * @param firstCallId the call that ended with it, when this one only asks how that one ended
     */
    record Failure(Fault fault, @Nullable UUID firstCallId) implements Ending {
      public Failure(Fault fault) {
        this(fault, null);
      }
    }
  }

  @Override
  public ContentOwner contentOwner() {
    return ContentOwner.ofCall(principal, callId);
  }
}
