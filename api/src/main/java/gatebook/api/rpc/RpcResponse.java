package gatebook.api.rpc;

import gatebook.events.call.JsonValue;
import org.jspecify.annotations.Nullable;

/** What somebody sent who was asked for an answer: exactly one of these, whatever its bytes. */
public sealed interface RpcResponse {

  /**
   * The result of the request.
   *
   * @param json exactly as it was written
   * @param isError whether it is an object that says so of itself
   */
  record Result(String json, boolean isError) implements RpcResponse {}

  /**
   * The error of the request.
   *
   * @param code absent when it is no whole number of 32 bits
   * @param message absent when it is no text
   * @param data any value; absent only when there is no such member
   */
  record RpcError(@Nullable Integer code, @Nullable String message, @Nullable JsonValue data)
      implements RpcResponse {}

  /** A message that is no answer to the request: a call of theirs, or an answer to another. */
  record Other(String what, boolean isCall) implements RpcResponse {}

  /** No answer to the request; {@code defect} says why, without a word of what was sent. */
  record Unreadable(String defect) implements RpcResponse {}
}
