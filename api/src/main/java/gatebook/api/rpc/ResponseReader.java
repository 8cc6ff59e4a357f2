package gatebook.api.rpc;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonToken;
import gatebook.events.call.JsonValue;
import gatebook.events.fault.Malformed;
import gatebook.events.fault.Malformed.BatchNotSupported;
import gatebook.events.fault.Malformed.DuplicateKey;
import gatebook.events.fault.Malformed.ParseDefect;
import gatebook.events.fault.Malformed.ParseError;
import gatebook.events.fault.Malformed.TooDeep;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Reads one body as the response to one request; it is as strict as a {@link MessageReader} of
 * sources.
 */
public final class ResponseReader {

  private final int depthMax;

  public ResponseReader(int depthMax) {
    this.depthMax = depthMax;
  }

  /**
   * The body as a response to the request. Bytes that are no UTF-8 are replaced in an error only,
   * so that its message can be read.
   *
   * @param id the token of the request's id
   */
  public RpcResponse read(byte[] body, String id) {
    RawText rawText = RawText.decoded(body);
    if (rawText.defect() == null) {
      return read(rawText, id);
    }
    return isNoUtf8(rawText.defect())
            && read(RawText.of(new String(body, UTF_8)), id) instanceof RpcResponse.RpcError error
        ? error
        : new RpcResponse.Unreadable(words(rawText.defect()));
  }

  private RpcResponse read(RawText rawText, String id) {
    return new Pass(new JsonTokens(rawText, depthMax), id).response();
  }

  private static boolean isNoUtf8(ParseError error) {
    return error.defect() == ParseDefect.INVALID_UTF8;
  }

  private static String words(Malformed defect) {
    return switch (defect) {
      case ParseError(var kind, _) -> "not JSON (%s)".formatted(kind.word());
      case TooDeep(int max) -> "deeper than %d levels".formatted(max);
      case DuplicateKey _ -> "a key is repeated";
      case BatchNotSupported _ -> "an array";
      case Malformed other -> other.kind();
    };
  }

  /** One pass over one text, with the members found so far. */
  private static final class Pass {
    private final JsonTokens jsonTokens;
    private final String wantedId;
    private @Nullable String notAnObject;
    private boolean hasRightVersion;
    private boolean hasRightId;
    private boolean isCall;
    private boolean hasError;
    private RpcResponse.@Nullable Result result;
    private RpcResponse.@Nullable RpcError error;

    Pass(JsonTokens jsonTokens, String wantedId) {
      this.jsonTokens = jsonTokens;
      this.wantedId = wantedId;
    }

    RpcResponse response() {
      try {
        readAll();
      } catch (JsonSyntaxError e) {
        return new RpcResponse.Unreadable(words(e.fault()));
      }
      String defect = defect();
      if (defect != null) {
        return new RpcResponse.Unreadable(defect);
      }
      String other = other();
      return other != null ? new RpcResponse.Other(other, isCall) : resultOrError();
    }

    private RpcResponse resultOrError() {
      if (error != null) {
        return error;
      }
      return Objects.requireNonNull(result, "a response without defect has a result or an error");
    }

    private @Nullable String other() {
      if (isCall) {
        return "a call";
      }
      return hasRightId ? null : "its id is not that of the request";
    }

    private @Nullable String defect() {
      if (notAnObject != null) {
        return notAnObject;
      }
      if (jsonTokens.duplicate() != null) {
        return words(jsonTokens.duplicate());
      }
      if (!hasRightVersion) {
        return "its jsonrpc is not \"2.0\"";
      }
      return isCall || !hasRightId ? null : defectOfResponse();
    }

    private @Nullable String defectOfResponse() {
      if (hasError == (result != null)) {
        return hasError ? "both a result and an error" : "neither a result nor an error";
      }
      return hasError && error == null ? "its error is no object" : null;
    }

    private void readAll() throws JsonSyntaxError {
      switch (jsonTokens.next()) {
        case null -> notAnObject = "empty";
        case START_OBJECT -> readMembers();
        case START_ARRAY -> {
          notAnObject = "an array";
          jsonTokens.skip();
        }
        default -> notAnObject = "no object";
      }
      jsonTokens.end();
    }

    private void readMembers() throws JsonSyntaxError {
      while (jsonTokens.next() == JsonToken.FIELD_NAME) {
        String key = jsonTokens.string();
        JsonToken value = jsonTokens.nextValue();
        switch (key) {
          case "jsonrpc" ->
              hasRightVersion =
                  value == JsonToken.VALUE_STRING && jsonTokens.string().equals("2.0");
          case "id" -> hasRightId = jsonTokens.slice().equals(wantedId);
          case "method" -> isCall = true;
          case "result" -> result = readResult(value);
          case "error" -> {
            hasError = true;
            error = value == JsonToken.START_OBJECT ? readError() : null;
          }
          default -> {
            // other members have no meaning here
          }
        }
        jsonTokens.skip();
      }
    }

    private RpcResponse.Result readResult(JsonToken value) throws JsonSyntaxError {
      long from = jsonTokens.start();
      boolean isError = false;
      if (value == JsonToken.START_OBJECT) {
        while (jsonTokens.next() == JsonToken.FIELD_NAME) {
          boolean isFlag = jsonTokens.string().equals("isError");
          isError |= jsonTokens.nextValue() == JsonToken.VALUE_TRUE && isFlag;
          jsonTokens.skip();
        }
      } else {
        jsonTokens.skip();
      }
      return new RpcResponse.Result(jsonTokens.sliceFrom(from), isError);
    }

    private RpcResponse.RpcError readError() throws JsonSyntaxError {
      Integer code = null;
      String message = null;
      JsonValue data = null;
      while (jsonTokens.next() == JsonToken.FIELD_NAME) {
        String key = jsonTokens.string();
        JsonToken value = jsonTokens.nextValue();
        switch (key) {
          case "code" ->
              code = value == JsonToken.VALUE_NUMBER_INT ? code(jsonTokens.slice()) : null;
          case "message" -> message = value == JsonToken.VALUE_STRING ? jsonTokens.string() : null;
          case "data" -> data = JsonValue.parse(jsonTokens.slice());
          default -> {
            // other members have no meaning here
          }
        }
        jsonTokens.skip();
      }
      return new RpcResponse.RpcError(code, message, data);
    }

    private static @Nullable Integer code(String digits) {
      try {
        return Integer.valueOf(digits);
      } catch (NumberFormatException _) {
        return null;
      }
    }
  }
}
