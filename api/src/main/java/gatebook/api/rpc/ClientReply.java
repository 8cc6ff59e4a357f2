package gatebook.api.rpc;

import java.util.Optional;

/**
 * A client's reply to a request of the server: a result or an error, as it was written.
 *
 * @param id the token of the request's id
 */
public record ClientReply(String id, boolean isError, String content) {

  /**
   * The reply in a body that {@link MessageReader} found to have no method; empty if it is none.
   */
  public static Optional<ClientReply> of(byte[] body, int depthMax) {
    RawText rawText = RawText.decoded(body);
    if (rawText.defect() != null) {
      return Optional.empty();
    }
    try {
      JsonTokens jsonTokens = JsonTokens.strict(rawText, depthMax);
      jsonTokens.nextValue();
      String object = jsonTokens.slice();
      jsonTokens.end();
      return jsonTokens.duplicate() == null && object.startsWith("{")
          ? of(ObjectMembers.of(object))
          : Optional.empty();
    } catch (JsonSyntaxError _) {
      return Optional.empty();
    }
  }

  private static Optional<ClientReply> of(ObjectMembers objectMembers) {
    Optional<String> result = objectMembers.json("result");
    Optional<String> error = objectMembers.json("error").filter(json -> json.startsWith("{"));
    boolean isOne =
        objectMembers.text("jsonrpc").filter("2.0"::equals).isPresent()
            && objectMembers.json("method").isEmpty()
            && result.isPresent() != error.isPresent();
    return isOne
        ? objectMembers
            .json("id")
            .map(id -> new ClientReply(id, error.isPresent(), result.or(() -> error).orElseThrow()))
        : Optional.empty();
  }

  /** The same reply to a request of another id. */
  public byte[] withId(String otherId) {
    return MessageWriter.reply(otherId, isError ? "error" : "result", content);
  }
}
