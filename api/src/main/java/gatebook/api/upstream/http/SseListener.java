package gatebook.api.upstream.http;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Takes the events of a stream, on its connection's thread. */
@FunctionalInterface
public interface SseListener {

  /** It goes on at once. */
  CompletableFuture<Boolean> GO_ON = CompletableFuture.completedFuture(false);

  /** The answer came: nothing after it is wanted. */
  CompletableFuture<Boolean> ANSWERED = CompletableFuture.completedFuture(true);

  /** Of a stream of which no event is wanted. */
  SseListener NONE = _ -> GO_ON;

  /**
   * Whether this is the answer; nothing more is read until that is known, so that whoever hands the
   * event on to somebody slow is not sent more than he takes.
   */
  CompletableFuture<Boolean> take(Event event);

  /**
   * One event.
   *
   * @param id where in the stream it is, for whoever wants to go on from there; absent when the
   *     sender keeps no place
   * @param retryMillis after how long to come back, if the stream is cut; absent when not said
   * @param data its lines joined; may be empty
   */
  @SuppressWarnings("ArrayRecordComponent") // read once and never compared
  record Event(@Nullable String id, @Nullable Long retryMillis, byte[] data) {}
}
