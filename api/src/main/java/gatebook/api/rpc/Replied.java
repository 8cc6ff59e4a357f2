package gatebook.api.rpc;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Optional;

/**
 * What a caller answers to a question: a result or an error, as it was written.
 *
 * @param id the token of the question's id
 */
public record Replied(String id, boolean isError, String content) {

  /** What a body is that {@link MessageReader} took for JSON without a method; none otherwise. */
  public static Optional<Replied> of(byte[] body, int depthMax) {
    Decoded decoded = Decoded.of(body);
    if (decoded.defect() != null) {
      return Optional.empty();
    }
    try {
      Tokens tokens = Tokens.strict(decoded.text(), depthMax);
      tokens.nextValue();
      String object = tokens.slice();
      tokens.end();
      return tokens.duplicate() == null && object.startsWith("{")
          ? of(Members.of(object))
          : Optional.empty();
    } catch (NotJson _) {
      return Optional.empty();
    }
  }

  private static Optional<Replied> of(Members members) {
    Optional<String> result = members.json("result");
    Optional<String> error = members.json("error").filter(json -> json.startsWith("{"));
    boolean isOne =
        members.text("jsonrpc").filter("2.0"::equals).isPresent()
            && members.json("method").isEmpty()
            && result.isPresent() != error.isPresent();
    return isOne
        ? members
            .json("id")
            .map(id -> new Replied(id, error.isPresent(), result.or(() -> error).orElseThrow()))
        : Optional.empty();
  }

  /** The same as the answer to a question of another id. */
  public byte[] as(String otherId) {
    return "{\"jsonrpc\":\"2.0\",\"id\":%s,\"%s\":%s}"
        .formatted(otherId, isError ? "error" : "result", content)
        .getBytes(UTF_8);
  }
}
