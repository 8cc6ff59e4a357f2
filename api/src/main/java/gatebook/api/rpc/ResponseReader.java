package gatebook.api.rpc;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonToken;
import gatebook.events.call.Json;
import gatebook.events.fault.Malformed;
import gatebook.events.fault.Malformed.BatchNotSupported;
import gatebook.events.fault.Malformed.DuplicateKey;
import gatebook.events.fault.Malformed.ParseDefect;
import gatebook.events.fault.Malformed.ParseError;
import gatebook.events.fault.Malformed.TooDeep;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Reads one body as the answer to one request; it is as strict as {@link MessageReader}. */
public final class ResponseReader {

  private final int depthMax;

  public ResponseReader(int depthMax) {
    this.depthMax = depthMax;
  }

  /**
   * What the body is to whoever sent the request. In an error, and nowhere else, bytes that are no
   * UTF-8 are replaced: an error is there to be read.
   *
   * @param id the token of the request's id
   */
  public Received read(byte[] body, String id) {
    Decoded decoded = Decoded.of(body);
    if (decoded.defect() == null) {
      return read(decoded.text(), id);
    }
    return isNoUtf8(decoded.defect()) && read(mended(body), id) instanceof Received.RpcError error
        ? error
        : new Received.Unreadable(words(decoded.defect()));
  }

  private Received read(Text text, String id) {
    return new Pass(new Tokens(text, depthMax), id).received();
  }

  private static boolean isNoUtf8(ParseError error) {
    return error.defect() == ParseDefect.INVALID_UTF8;
  }

  private static Text mended(byte[] body) {
    char[] chars = new String(body, UTF_8).toCharArray();
    return new Text(chars, chars.length);
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

  /** One pass over one text, and what it has found so far. */
  private static final class Pass {
    private final Tokens tokens;
    private final String wantedId;
    private @Nullable String notAnObject;
    private boolean rightVersion;
    private boolean rightId;
    private boolean call;
    private boolean hasError;
    private Received.@Nullable Result result;
    private Received.@Nullable RpcError error;

    Pass(Tokens tokens, String wantedId) {
      this.tokens = tokens;
      this.wantedId = wantedId;
    }

    Received received() {
      try {
        readAll();
      } catch (NotJson e) {
        return new Received.Unreadable(words(e.fault()));
      }
      String defect = defect();
      if (defect != null) {
        return new Received.Unreadable(defect);
      }
      String other = other();
      return other != null ? new Received.Other(other, call) : answer();
    }

    private Received answer() {
      if (error != null) {
        return error;
      }
      return Objects.requireNonNull(result, "what has no defect has one of both");
    }

    private @Nullable String other() {
      if (call) {
        return "a call";
      }
      return rightId ? null : "its id is not that of the request";
    }

    private @Nullable String defect() {
      if (notAnObject != null) {
        return notAnObject;
      }
      if (tokens.duplicate() != null) {
        return words(tokens.duplicate());
      }
      if (!rightVersion) {
        return "its jsonrpc is not \"2.0\"";
      }
      return call || !rightId ? null : defectOfAnswer();
    }

    private @Nullable String defectOfAnswer() {
      if (hasError == (result != null)) {
        return hasError ? "both a result and an error" : "neither a result nor an error";
      }
      return hasError && error == null ? "its error is no object" : null;
    }

    private void readAll() throws NotJson {
      switch (tokens.next()) {
        case null -> notAnObject = "empty";
        case START_OBJECT -> readMembers();
        case START_ARRAY -> {
          notAnObject = "an array";
          tokens.skip();
        }
        default -> notAnObject = "no object";
      }
      tokens.end();
    }

    private void readMembers() throws NotJson {
      while (tokens.next() == JsonToken.FIELD_NAME) {
        String key = tokens.string();
        JsonToken value = tokens.nextValue();
        switch (key) {
          case "jsonrpc" ->
              rightVersion = value == JsonToken.VALUE_STRING && tokens.string().equals("2.0");
          case "id" -> rightId = tokens.slice().equals(wantedId);
          case "method" -> call = true;
          case "result" -> result = readResult(value);
          case "error" -> {
            hasError = true;
            error = value == JsonToken.START_OBJECT ? readError() : null;
          }
          default -> {
            // members that say nothing to us
          }
        }
        tokens.skip();
      }
    }

    private Received.Result readResult(JsonToken value) throws NotJson {
      long from = tokens.start();
      boolean isError = false;
      if (value == JsonToken.START_OBJECT) {
        while (tokens.next() == JsonToken.FIELD_NAME) {
          boolean saysSo = tokens.string().equals("isError");
          isError |= tokens.nextValue() == JsonToken.VALUE_TRUE && saysSo;
          tokens.skip();
        }
      } else {
        tokens.skip();
      }
      return new Received.Result(tokens.sliceFrom(from), isError);
    }

    private Received.RpcError readError() throws NotJson {
      Integer code = null;
      String message = null;
      Json data = null;
      while (tokens.next() == JsonToken.FIELD_NAME) {
        String key = tokens.string();
        JsonToken value = tokens.nextValue();
        switch (key) {
          case "code" -> code = value == JsonToken.VALUE_NUMBER_INT ? code(tokens.slice()) : null;
          case "message" -> message = value == JsonToken.VALUE_STRING ? tokens.string() : null;
          case "data" -> data = Json.parse(tokens.slice());
          default -> {
            // members that say nothing to us
          }
        }
        tokens.skip();
      }
      return new Received.RpcError(code, message, data);
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
