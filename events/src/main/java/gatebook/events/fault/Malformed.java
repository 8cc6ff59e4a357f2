package gatebook.events.fault;

import com.fasterxml.jackson.annotation.JsonValue;
import org.jspecify.annotations.Nullable;

/** A malformed message, which never became a call. No fault contains the body. */
public sealed interface Malformed extends ClientFault {

  /** The body is not one JSON text in UTF-8; {@code offsetBytes} says where, when known. */
  record ParseError(ParseDefect defect, @Nullable Long offsetBytes) implements Malformed {}

  /** The reason why a body is not one JSON text. */
  enum ParseDefect {
    SYNTAX("syntax"),
    EMPTY("empty"),
    INVALID_UTF8("invalid-utf8"),
    BYTE_ORDER_MARK("byte-order-mark"),
    LONE_SURROGATE("lone-surrogate"),
    TRAILING_BYTES("trailing-bytes"),
    /** The connection was closed before the end. */
    CUT_SHORT("cut-short"),
    /** The length of a chunk of the body cannot be read. */
    BAD_CHUNK("bad-chunk"),
    /** It is not compressed as its header says. */
    BAD_COMPRESSION("bad-compression");

    private final String word;

    ParseDefect(String word) {
      this.word = word;
    }

    /** The name used outside this program; it never changes. */
    @JsonValue
    public String word() {
      return word;
    }
  }

  /** The body ended before, or went on after, the declared length. */
  record LengthMismatch(long declaredBytes, long receivedBytes) implements Malformed {}

  /** A frame without a readable length. */
  record LengthMissing() implements Malformed {}

  /** A line in a header section that is not a header. */
  record HeaderMalformed(int line) implements Malformed {}

  /** A header section beyond the limit. */
  record HeaderTooLarge(long limitBytes) implements Malformed {}

  /** A frame that did not arrive in time; the received part was dropped. */
  record ReadTimeout(long timeoutMillis, long receivedBytes) implements Malformed {}

  /**
   * A body beyond the limit; {@code declaredBytes} is absent when none was declared. {@code
   * endless} when reading stopped before its end.
   */
  record Oversize(long limitBytes, @Nullable Long declaredBytes, @Nullable Boolean endless)
      implements Malformed {

    /** A body that was read to its end. */
    public Oversize(long limitBytes, @Nullable Long declaredBytes) {
      this(limitBytes, declaredBytes, null);
    }
  }

  /** A media type other than JSON's. */
  record UnsupportedContentType(String contentType) implements Malformed {}

  /** An encoding of the body that is not decoded here. */
  record UnsupportedContentEncoding(String contentEncoding) implements Malformed {}

  /** A charset other than UTF-8. */
  record BadCharset(String charset) implements Malformed {}

  /**
   * JSON, but not a JSON-RPC request; {@code words} of an agent that says so, absent when the
   * gateway does.
   */
  record InvalidRequest(EnvelopeDefect defect, @Nullable String words) implements Malformed {
    /** A message that the gateway says is no request. */
    public InvalidRequest(EnvelopeDefect defect) {
      this(defect, null);
    }
  }

  /** The reason why a JSON value is not a JSON-RPC request. */
  enum EnvelopeDefect {
    NOT_AN_OBJECT("not-an-object"),
    VERSION_MISSING("version-missing"),
    VERSION_WRONG("version-wrong"),
    METHOD_MISSING("method-missing"),
    METHOD_NOT_TEXT("method-not-text"),
    PARAMS_MISSING("params-missing"),
    PARAMS_NOT_STRUCTURED("params-not-structured"),
    ID_MISSING("id-missing"),
    /** The agent that got the request says that it is not valid. */
    REFUSED_BY_AGENT("refused-by-agent");

    private final String word;

    EnvelopeDefect(String word) {
      this.word = word;
    }

    /** The name used outside this program; it never changes. */
    @JsonValue
    public String word() {
      return word;
    }
  }

  /** An id that is neither a string, an integer nor null; {@code received} names its type. */
  record InvalidIdType(String received) implements Malformed {}

  /** Several messages in one array. */
  record BatchNotSupported() implements Malformed {}

  /** An object with two members of the same name. */
  record DuplicateKey(@Nullable Long offsetBytes) implements Malformed {}

  /** A message of a session that has ended, never existed, or belongs to another caller. */
  record UnknownSession() implements Malformed {}

  /** JSON nested deeper than the limit. */
  record TooDeep(int depthMax) implements Malformed {}
}
