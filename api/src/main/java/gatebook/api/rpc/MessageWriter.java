package gatebook.api.rpc;

import static gatebook.api.rpc.JsonStrings.quoted;
import static java.nio.charset.StandardCharsets.UTF_8;

import gatebook.events.call.ErrorResponse;
import gatebook.events.call.JsonValue;
import org.jspecify.annotations.Nullable;

/**
 * Writes the bytes of JSON-RPC messages; nothing else does. Ids, params and results are copied as
 * they are.
 */
public final class MessageWriter {

  private static final String VERSION = "{\"jsonrpc\":\"2.0\"";

  private MessageWriter() {}

  /**
   * A response with a result.
   *
   * @param id the token of the request's id
   * @param result the text of any JSON value
   */
  public static byte[] result(String id, String result) {
    return reply(id, "result", result);
  }

  /**
   * A response with an error.
   *
   * @param id the token of the request's id, absent when it could not be read
   */
  public static byte[] error(
      @Nullable String id, int code, String message, @Nullable JsonValue data) {
    String withData = data == null ? "" : ",\"data\":" + data;
    return reply(
        id, "error", "{\"code\":" + code + ",\"message\":" + quoted(message) + withData + "}");
  }

  /**
   * A response with an error.
   *
   * @param id the token of the request's id, absent when it could not be read
   */
  public static byte[] error(@Nullable String id, ErrorResponse errorResponse) {
    return error(id, errorResponse.code(), errorResponse.message(), errorResponse.data());
  }

  /** A response whose member {@code result} or {@code error} is the text of any JSON value. */
  static byte[] reply(@Nullable String id, String member, String content) {
    return bytes(VERSION + ",\"id\":" + id + ",\"" + member + "\":" + content + "}");
  }

  /**
   * A request.
   *
   * @param id the token of its id
   * @param params the text of any JSON value, absent when there are none
   */
  public static byte[] request(String id, String method, @Nullable String params) {
    return call(",\"id\":" + id, method, params);
  }

  /** As {@link #request}, without an id. */
  public static byte[] notification(String method, @Nullable String params) {
    return call("", method, params);
  }

  private static byte[] call(String id, String method, @Nullable String params) {
    String withParams = params == null ? "" : ",\"params\":" + params;
    return bytes(VERSION + id + ",\"method\":" + quoted(method) + withParams + "}");
  }

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }
}
