package gatebook.api.rpc;

import gatebook.events.fault.Malformed;
import org.jspecify.annotations.Nullable;

/** What a body turned out to be: exactly one of these, whatever its bytes. */
public sealed interface RpcMessage {

  /** The members of its params; of params that are none, or no object, none. */
  default ObjectMembers members() {
    return switch (this) {
      case Request request -> ObjectMembers.of(request.params());
      case Notification notification -> ObjectMembers.of(notification.params());
      case Unreadable _ -> ObjectMembers.of(null);
    };
  }

  /**
   * A call that wants an answer.
   *
   * @param id the id's token as it was sent: {@code "1"} with its quotes, {@code null} as a word
   * @param params the text of an object or an array as it was sent; absent also when it was null
   */
  record Request(String id, String method, @Nullable String params) implements RpcMessage {}

  /** A call that wants no answer. */
  record Notification(String method, @Nullable String params) implements RpcMessage {}

  /** No call; {@code id} is the token of its id, if that much could be read. */
  record Unreadable(Malformed fault, @Nullable String id) implements RpcMessage {}
}
