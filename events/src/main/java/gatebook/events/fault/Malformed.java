package gatebook.events.fault;

import static gatebook.events.fault.PublicFault.invalidRequest;

import com.fasterxml.jackson.annotation.JsonValue;
import gatebook.events.call.Erasable;
import gatebook.events.call.Word;
import org.jspecify.annotations.Nullable;

/** A malformed message, which never became a call. No fault contains the body. */
public sealed interface Malformed extends ClientFault {

  /** The body is not one JSON text in UTF-8; {@code offsetBytes} says where, when known. */
  record ParseError(
      @LogField("reason") ParseDefect defect, @LogField("offset") @Nullable Long offsetBytes)
      implements Malformed {
    @Override
    public PublicFault shown() {
      return notParsed(defect.word())
          .details(offsetBytes == null ? defect.word() : defect.word() + " at byte " + offsetBytes);
    }
  }

  /** The reason why a body is not one JSON text. */
  enum ParseDefect implements Word {
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

    @Override
    @JsonValue
    public String word() {
      return word;
    }
  }

  /** The body ended before, or went on after, the declared length. */
  record LengthMismatch(
      @LogField("declared_bytes") long declaredBytes,
      @LogField("received_bytes") long receivedBytes)
      implements Malformed {
    @Override
    public PublicFault shown() {
      return notParsed("length-mismatch")
          .details("%d bytes declared, %d received".formatted(declaredBytes, receivedBytes));
    }
  }

  /** A frame without a readable length. */
  @LogField("reason")
  record LengthMissing() implements Malformed {
    @Override
    public PublicFault shown() {
      return notParsed("length-missing")
          .details("send the body's length in bytes as Content-Length");
    }
  }

  /** A line in a header section that is not a header. */
  record HeaderMalformed(@LogField("header_line") int line) implements Malformed {
    @Override
    public PublicFault shown() {
      return notParsed("header-malformed").details("header line " + line);
    }
  }

  /** A header section beyond the limit. */
  record HeaderTooLarge(@LogField("limit_bytes") long limitBytes) implements Malformed {
    @Override
    public PublicFault shown() {
      return invalidRequest("header-too-large").details("at most %d bytes".formatted(limitBytes));
    }
  }

  /** A frame that did not arrive in time; the received part was dropped. */
  record ReadTimeout(
      @LogField("timeout_millis") long timeoutMillis,
      @LogField("received_bytes") long receivedBytes)
      implements Malformed {
    @Override
    public PublicFault shown() {
      return notParsed("read-timeout")
          .details("not complete after " + PublicFault.seconds(timeoutMillis));
    }
  }

  /**
   * A body beyond the limit; {@code declaredBytes} is absent when none was declared. {@code
   * endless} when reading stopped before its end.
   */
  record Oversize(
      @LogField("limit_bytes") long limitBytes,
      @LogField("declared_bytes") @Nullable Long declaredBytes,
      @Nullable Boolean endless)
      implements Malformed {

    /** A body that was read to its end. */
    public Oversize(long limitBytes, @Nullable Long declaredBytes) {
      this(limitBytes, declaredBytes, null);
    }

    @Override
    public PublicFault shown() {
      return invalidRequest("oversize").details("at most %d bytes".formatted(limitBytes));
    }
  }

  /** A media type other than JSON's. */
  record UnsupportedContentType(@Erasable @LogField("content_type") String contentType)
      implements Malformed {
    @Override
    public PublicFault shown() {
      return invalidRequest("unsupported-content-type").details("send application/json");
    }
  }

  /** An encoding of the body that is not decoded here. */
  record UnsupportedContentEncoding(@Erasable @LogField("content_encoding") String contentEncoding)
      implements Malformed {
    @Override
    public PublicFault shown() {
      return invalidRequest("unsupported-content-encoding")
          .details("send gzip, deflate or no encoding");
    }
  }

  /** A charset other than UTF-8. */
  record BadCharset(@Erasable @LogField("charset") String charset) implements Malformed {
    @Override
    public PublicFault shown() {
      return invalidRequest("bad-charset").details("send utf-8");
    }
  }

  /**
   * JSON, but not a JSON-RPC request; {@code words} of an agent that says so, absent when the
   * gateway does.
   */
  record InvalidRequest(
      @LogField("reason") EnvelopeDefect defect, @Erasable @NotLogged @Nullable String words)
      implements Malformed {
    /** A message that the gateway says is no request. */
    public InvalidRequest(EnvelopeDefect defect) {
      this(defect, null);
    }

    @Override
    public PublicFault shown() {
      return invalidRequest(defect.word())
          .details(words == null ? defect.word().replace('-', ' ') : words);
    }
  }

  /** The reason why a JSON value is not a JSON-RPC request. */
  enum EnvelopeDefect implements Word {
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

    @Override
    @JsonValue
    public String word() {
      return word;
    }
  }

  /** An id that is neither a string, an integer nor null; {@code received} names its type. */
  record InvalidIdType(@Erasable @LogField("received") String received) implements Malformed {
    @Override
    public PublicFault shown() {
      return invalidRequest("invalid-id-type").details("an id is text, a whole number or null");
    }
  }

  /** Several messages in one array. */
  @LogField("reason")
  record BatchNotSupported() implements Malformed {
    @Override
    public PublicFault shown() {
      return invalidRequest("batch-not-supported")
          .details("Batch requests not supported: send one message at a time");
    }
  }

  /** An object with two members of the same name. */
  @LogField("reason")
  record DuplicateKey(@LogField("offset") @Nullable Long offsetBytes) implements Malformed {
    @Override
    public PublicFault shown() {
      return invalidRequest("duplicate-key")
          .details(offsetBytes == null ? null : "at byte " + offsetBytes);
    }
  }

  /** A message of a session that has ended, never existed, or belongs to another caller. */
  @LogField("reason")
  record UnknownSession() implements Malformed {
    @Override
    public PublicFault shown() {
      return invalidRequest("unknown-session").details("initialize again: the session has ended");
    }
  }

  /** JSON nested deeper than the limit. */
  record TooDeep(@LogField("depth_max") int depthMax) implements Malformed {
    @Override
    public PublicFault shown() {
      return invalidRequest("too-deep").details("at most %d levels".formatted(depthMax));
    }
  }

  private static PublicFault notParsed(String reason) {
    return PublicFault.of("Parse error").because(reason);
  }
}
