package gatebook.api.rpc;

import gatebook.events.fault.Malformed;
import org.jspecify.annotations.Nullable;

/** A message as it was read: any bytes are exactly one of these. */
public sealed interface RpcMessage {

  /** The token of its id; absent when it has none, or none that could be read. */
  @Nullable String id();

  /** The members of its params; none when there are no params, or when they are no object. */
  ObjectMembers members();

  /**
   * A call that wants a response.
   *
   * @param id the id's token as it was sent: {@code "1"} with its quotes, {@code null} as a word
   * @param params the text of an object or an array as it was sent; absent also when it was null
   */
  record Request(String id, String method, @Nullable String params, ObjectMembers members)
      implements RpcMessage {

    /** Reads the members of the params. */
    public Request(String id, String method, @Nullable String params) {
      this(id, method, params, ObjectMembers.of(params));
    }
  }

  /** A call that wants no response. */
  record Notification(String method, @Nullable String params, ObjectMembers members)
      implements RpcMessage {

    /** Reads the members of the params. */
    public Notification(String method, @Nullable String params) {
      this(method, params, ObjectMembers.of(params));
    }

    @Override
    public @Nullable String id() {
      return null;
    }
  }

  /** A body that is no call; {@code id} is the token of its id, if that could be read. */
  record Unreadable(Malformed fault, @Nullable String id) implements RpcMessage {
    @Override
    public ObjectMembers members() {
      return ObjectMembers.of(null);
    }
  }
}
