package gatebook.api.rpc;

import gatebook.events.call.JsonValue;
import org.jspecify.annotations.Nullable;

/** A response to a request as it was read: any bytes are exactly one of these. */
public sealed interface RpcResponse {

  /**
   * The result of the request.
   *
   * @param json exactly as it was written
   * @param isError whether it is an object whose {@code isError} is true
   */
  record Result(String json, boolean isError) implements RpcResponse {}

  /**
   * The error of the request.
   *
   * @param code absent when it is no whole number of 32 bits
   * @param message absent when it is no string
   * @param data any value; absent only when there is no such member
   */
  record RpcError(@Nullable Integer code, @Nullable String message, @Nullable JsonValue data)
      implements RpcResponse {}

  /** A message that is no response to the request: a call, or the response to another request. */
  record Other(String what, boolean isCall) implements RpcResponse {}

  /** Bytes that are no response; {@code defect} says why, and quotes nothing of what was sent. */
  record Unreadable(String defect) implements RpcResponse {}
}
