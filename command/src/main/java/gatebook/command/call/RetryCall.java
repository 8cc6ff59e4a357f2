package gatebook.command.call;

import gatebook.command.rules.Source;
import java.util.List;
import java.util.UUID;

/**
 * Retries a call: sends it upstream once more.
 *
 * @param attempt counted from 1
 * @param afterFailure why the previous attempt failed
 */
public record RetryCall(UUID callId, Source source, int attempt, String afterFailure) {

  public static Decision<Boolean> decide(RetryCall retry) {
    return new Decision<>(
        List.of(
            ForwardRecord.attempt(retry.callId, retry.source, retry.attempt, retry.afterFailure)),
        true);
  }
}
