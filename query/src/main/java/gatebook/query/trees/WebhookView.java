package gatebook.query.trees;

import java.time.Instant;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A view of the webhook of a tree's last execution, with the last attempt at a delivery.
 *
 * @param url without secrets
 * @param last whether the attempt was about the message that tells the end of the execution
 * @param attempt the number of the attempt at one message; 0 before the first one
 * @param status of the receiver's HTTP response; absent when there was none
 * @param reason why the attempt failed; absent unless it did
 * @param at when the attempt ended; absent before the first one
 */
public record WebhookView(
    UUID executionId,
    String url,
    State state,
    boolean last,
    int attempt,
    @Nullable Integer status,
    @Nullable String reason,
    @Nullable Instant at) {

  /** How the last attempt ended. */
  public enum State {
    /** Nothing was sent yet. */
    WAITING,
    DELIVERED,
    /** The message is sent again. */
    FAILED,
    GIVEN_UP;

    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  WebhookView withContent(String newUrl, @Nullable String newReason) {
    return new WebhookView(executionId, newUrl, state, last, attempt, status, newReason, at);
  }

  static WebhookView waiting(UUID executionId, String url) {
    return new WebhookView(executionId, url, State.WAITING, false, 0, null, null, null);
  }
}
