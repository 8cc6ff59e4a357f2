package gatebook.api.upstream.http;

import io.netty.handler.codec.http.HttpHeaders;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Listener for one exchange and the server-sent events of its stream, called on the connection's
 * thread.
 */
@FunctionalInterface
public interface SseListener {

  /** Continues at once. */
  CompletableFuture<Boolean> GO_ON = CompletableFuture.completedFuture(false);

  /** The event answered the request: nothing after it is needed. */
  CompletableFuture<Boolean> ANSWERED = CompletableFuture.completedFuture(true);

  /** Ignores all events. */
  SseListener NONE = _ -> GO_ON;

  /**
   * Takes an event and completes with whether it answers the request. Nothing more is read until
   * then, so that a slow consumer is not sent more than it takes.
   */
  CompletableFuture<Boolean> take(Event event);

  /** Called with the headers of the response, before any of its body. */
  default void onHead(HttpHeaders headers) {}

  /** Called before the request is written; false prevents that. */
  default boolean beforeWrite() {
    return true;
  }

  /** Whether the server asked its client something, so that the stream waits for a person. */
  default boolean hasAsked() {
    return false;
  }

  /**
   * One event.
   *
   * @param id the event id with which the stream can be resumed; absent when the server sends none
   * @param retryMillis when to reconnect after the stream is cut; absent when not sent
   * @param data the data lines joined; may be empty
   */
  @SuppressWarnings("ArrayRecordComponent") // read once and never compared
  record Event(@Nullable String id, @Nullable Long retryMillis, byte[] data) {}
}
