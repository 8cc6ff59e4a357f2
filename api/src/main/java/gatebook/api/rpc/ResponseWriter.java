package gatebook.api.rpc;

import static gatebook.api.rpc.JsonStrings.quoted;
import static java.nio.charset.StandardCharsets.UTF_8;

import gatebook.events.call.JsonValue;
import org.jspecify.annotations.Nullable;

/** Writes the bytes of a response. Ids and results are copied as they are. */
public final class ResponseWriter {

  private ResponseWriter() {}

  /**
   * A response with a result.
   *
   * @param id the token of the request's id
   * @param result the text of any JSON value
   */
  public static byte[] result(String id, String result) {
    return bytes("{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"result\":" + result + "}");
  }

  /**
   * A response with an error.
   *
   * @param id the token of the request's id, absent when it could not be read
   */
  public static byte[] error(
      @Nullable String id, int code, String message, @Nullable JsonValue data) {
    return bytes(
        "{\"jsonrpc\":\"2.0\",\"id\":"
            + id
            + ",\"error\":{\"code\":"
            + code
            + ",\"message\":"
            + quoted(message)
            + (data == null ? "" : ",\"data\":" + data)
            + "}}");
  }

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }
}
