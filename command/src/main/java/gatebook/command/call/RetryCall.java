package gatebook.command.call;

import gatebook.command.rules.Rules;
import gatebook.events.keys.ContentOwner;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Retries a call: sends it upstream once more.
 *
 * @param source its id
 * @param rulesHash of the rules that have the source
 * @param target of the call; absent when that is not known
 * @param attempt counted from 1
 * @param afterFailure why the previous attempt failed
 */
public record RetryCall(
    UUID callId,
    String principal,
    String source,
    String rulesHash,
    @Nullable String target,
    int attempt,
    String afterFailure)
    implements ContentCommand {

  public static Decision<Boolean> decide(RetryCall retry, Rules rules) {
    return new Decision<>(
        List.of(
            ForwardRecord.attempt(
                retry.callId,
                rules.source(retry.source),
                retry.target,
                retry.attempt,
                retry.afterFailure)),
        true);
  }

  @Override
  public ContentOwner contentOwner() {
    return ContentOwner.ofCall(principal, callId);
  }
}
