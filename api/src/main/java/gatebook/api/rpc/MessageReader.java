package gatebook.api.rpc;

import com.fasterxml.jackson.core.JsonToken;
import gatebook.events.fault.Malformed;
import gatebook.events.fault.Malformed.BatchNotSupported;
import gatebook.events.fault.Malformed.EnvelopeDefect;
import gatebook.events.fault.Malformed.InvalidIdType;
import gatebook.events.fault.Malformed.InvalidRequest;
import gatebook.events.fault.Malformed.ParseDefect;
import gatebook.events.fault.Malformed.ParseError;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Reads one body as one message. It never throws, and after a defect it reads on as long as it can,
 * so that an id further on is still found.
 *
 * <p>Of several defects the one that ends the reading is reported: no JSON, or too deep. Otherwise
 * the first of these: a batch or another value that is no object, a duplicate key, the id, the
 * version, the method, the params.
 */
public final class MessageReader {

  /** The default limit of nesting, the message itself included. */
  public static final int DEPTH_MAX = 256;

  private final int depthMax;
  private final boolean strict;

  /** For messages of callers. */
  public MessageReader(int depthMax) {
    this(depthMax, true);
  }

  private MessageReader(int depthMax, boolean strict) {
    this.depthMax = depthMax;
    this.strict = strict;
  }

  /**
   * For messages of sources. Escaped lone surrogates stay in them, as in the answers that a {@link
   * ResponseReader} reads.
   */
  public static MessageReader ofSource(int depthMax) {
    return new MessageReader(depthMax, false);
  }

  public RpcMessage read(byte[] body) {
    RawText rawText = RawText.decoded(body);
    RpcMessage rpcMessage = new Pass(tokens(rawText)).message();
    return rawText.defect() == null
        ? rpcMessage
        : new RpcMessage.Unreadable(rawText.defect(), rpcMessage.id());
  }

  private JsonTokens tokens(RawText rawText) {
    return strict ? JsonTokens.strict(rawText, depthMax) : new JsonTokens(rawText, depthMax);
  }

  /** One pass over one text, with the members and defects found so far. */
  private static final class Pass {
    private final JsonTokens jsonTokens;
    private @Nullable Malformed notAnObject;
    private @Nullable InvalidIdType wrongId;
    private @Nullable EnvelopeDefect versionDefect = EnvelopeDefect.VERSION_MISSING;
    private @Nullable EnvelopeDefect methodDefect = EnvelopeDefect.METHOD_MISSING;
    private @Nullable EnvelopeDefect paramsDefect;
    private int ids;
    private @Nullable String id;
    private @Nullable String method;
    private @Nullable String params;
    private ObjectMembers members = ObjectMembers.of(null);

    Pass(JsonTokens jsonTokens) {
      this.jsonTokens = jsonTokens;
    }

    RpcMessage message() {
      try {
        readAll();
      } catch (JsonSyntaxError e) {
        return new RpcMessage.Unreadable(e.fault(), readableId());
      }
      Malformed defect = defect();
      return defect == null ? call() : new RpcMessage.Unreadable(defect, readableId());
    }

    private RpcMessage call() {
      String name = Objects.requireNonNull(method, "a call without defect has a method");
      return id == null
          ? new RpcMessage.Notification(name, params, members)
          : new RpcMessage.Request(id, name, params, members);
    }

    private @Nullable Malformed defect() {
      if (notAnObject != null) {
        return notAnObject;
      }
      if (jsonTokens.duplicate() != null) {
        return jsonTokens.duplicate();
      }
      return wrongId != null ? wrongId : envelopeDefect();
    }

    private @Nullable Malformed envelopeDefect() {
      EnvelopeDefect first =
          versionDefect != null
              ? versionDefect
              : methodDefect != null ? methodDefect : paramsDefect;
      return first == null ? null : new InvalidRequest(first);
    }

    /** Absent when there are two ids: neither is certain to be the right one. */
    private @Nullable String readableId() {
      return ids == 1 ? id : null;
    }

    private void readAll() throws JsonSyntaxError {
      switch (jsonTokens.next()) {
        case null -> throw new JsonSyntaxError(new ParseError(ParseDefect.EMPTY, 0L));
        case START_OBJECT -> readMembers();
        case START_ARRAY -> {
          notAnObject = new BatchNotSupported();
          jsonTokens.skip();
        }
        default -> notAnObject = new InvalidRequest(EnvelopeDefect.NOT_AN_OBJECT);
      }
      jsonTokens.end();
    }

    private void readMembers() throws JsonSyntaxError {
      while (jsonTokens.next() == JsonToken.FIELD_NAME) {
        String key = jsonTokens.string();
        JsonToken value = jsonTokens.nextValue();
        switch (key) {
          case "id" -> readId(value);
          case "jsonrpc" -> readVersion(value);
          case "method" -> readMethod(value);
          case "params" -> readParams(value);
          default -> jsonTokens.skip();
        }
      }
    }

    private void readId(JsonToken value) throws JsonSyntaxError {
      wrongId = wrongId(value);
      String token = jsonTokens.slice();
      id = wrongId == null && jsonTokens.isComplete() ? token : null;
      ids++;
    }

    private static @Nullable InvalidIdType wrongId(JsonToken value) {
      return switch (value) {
        case VALUE_NUMBER_FLOAT -> new InvalidIdType("fraction");
        case VALUE_TRUE, VALUE_FALSE -> new InvalidIdType("boolean");
        case START_OBJECT -> new InvalidIdType("object");
        case START_ARRAY -> new InvalidIdType("array");
        default -> null;
      };
    }

    private void readVersion(JsonToken value) throws JsonSyntaxError {
      boolean right = value == JsonToken.VALUE_STRING && jsonTokens.string().equals("2.0");
      versionDefect = right ? null : EnvelopeDefect.VERSION_WRONG;
      jsonTokens.skip();
    }

    private void readMethod(JsonToken value) throws JsonSyntaxError {
      boolean isText = value == JsonToken.VALUE_STRING;
      method = isText ? jsonTokens.string() : null;
      methodDefect = isText ? null : EnvelopeDefect.METHOD_NOT_TEXT;
      jsonTokens.skip();
    }

    private void readParams(JsonToken value) throws JsonSyntaxError {
      boolean structured = value.isStructStart();
      paramsDefect =
          structured || value == JsonToken.VALUE_NULL ? null : EnvelopeDefect.PARAMS_NOT_STRUCTURED;
      long from = jsonTokens.start();
      if (value == JsonToken.START_OBJECT) {
        members = ObjectMembers.read(jsonTokens, from);
        params = members.object();
      } else {
        jsonTokens.skip();
        params = structured ? jsonTokens.sliceFrom(from) : null;
      }
    }
  }
}
