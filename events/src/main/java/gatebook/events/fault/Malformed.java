package gatebook.events.fault;

import com.fasterxml.jackson.annotation.JsonValue;
import org.jspecify.annotations.Nullable;

/** A message that never became a call. Its body is in none of these. */
public sealed interface Malformed extends ClientFault {

  /** The body is not one JSON text in UTF-8; {@code offsetBytes} says where, when known. */
  record ParseError(ParseDefect defect, @Nullable Long offsetBytes) implements Malformed {}

  /** What kept a body from being one JSON text. */
  enum ParseDefect {
    SYNTAX("syntax"),
    EMPTY("empty"),
    INVALID_UTF8("invalid-utf8"),
    BYTE_ORDER_MARK("byte-order-mark"),
    LONE_SURROGATE("lone-surrogate"),
    TRAILING_BYTES("trailing-bytes"),
    /** Whoever sent it hung up before its end. */
    CUT_SHORT("cut-short"),
    /** It is not compressed as its header says. */
    BAD_COMPRESSION("bad-compression");

    private final String word;

    ParseDefect(String word) {
      this.word = word;
    }

    /** The name outside this program; it never changes. */
    @JsonValue
    public String word() {
      return word;
    }
  }

  /** The body ended before, or went on after, the declared length. */
  record LengthMismatch(long declaredBytes, long receivedBytes) implements Malformed {}

  /** A frame without a readable length. */
  record LengthMissing() implements Malformed {}

  /** A header line that is none. */
  record HeaderMalformed(int line) implements Malformed {}

  /** A header section beyond the limit. */
  record HeaderTooLarge(long limitBytes) implements Malformed {}

  /** A frame that did not arrive in time; what came of it was dropped. */
  record ReadTimeout(long timeoutMillis, long receivedBytes) implements Malformed {}

  /**
   * A body beyond the limit; {@code declaredBytes} is absent when none was declared. When it is
   * {@code endless}, so much came that its end was not waited for.
   */
  record Oversize(long limitBytes, @Nullable Long declaredBytes, @Nullable Boolean endless)
      implements Malformed {

    /** One that came to its end. */
    public Oversize(long limitBytes, @Nullable Long declaredBytes) {
      this(limitBytes, declaredBytes, null);
    }
  }

  /** A media type other than JSON's. */
  record UnsupportedContentType(String contentType) implements Malformed {}

  /** An encoding of the body that is not undone here. */
  record UnsupportedContentEncoding(String contentEncoding) implements Malformed {}

  /** A charset other than UTF-8. */
  record BadCharset(String charset) implements Malformed {}

  /** JSON, but no JSON-RPC request. */
  record InvalidRequest(EnvelopeDefect defect) implements Malformed {}

  /** What kept a JSON value from being a JSON-RPC request. */
  enum EnvelopeDefect {
    NOT_AN_OBJECT("not-an-object"),
    VERSION_MISSING("version-missing"),
    VERSION_WRONG("version-wrong"),
    METHOD_MISSING("method-missing"),
    METHOD_NOT_TEXT("method-not-text"),
    PARAMS_MISSING("params-missing"),
    PARAMS_NOT_STRUCTURED("params-not-structured"),
    ID_MISSING("id-missing");

    private final String word;

    EnvelopeDefect(String word) {
      this.word = word;
    }

    /** The name outside this program; it never changes. */
    @JsonValue
    public String word() {
      return word;
    }
  }

  /** An id that is neither text, whole number nor null; {@code received} names what it is. */
  record InvalidIdType(String received) implements Malformed {}

  /** Several messages in one array. */
  record BatchNotSupported() implements Malformed {}

  /** One object with two members of one name. */
  record DuplicateKey(@Nullable Long offsetBytes) implements Malformed {}

  /** A message of a conversation that has ended, or never was, or is another caller's. */
  record UnknownSession() implements Malformed {}

  /** JSON nested deeper than the limit. */
  record TooDeep(int depthMax) implements Malformed {}
}
