package gatebook.query.errors;

import gatebook.events.MessagesRefused;
import gatebook.events.call.Dialect;
import gatebook.events.call.ErrorResponse;
import gatebook.events.call.Gate;
import gatebook.events.fault.DefinedErrors;
import gatebook.events.fault.Fault;
import gatebook.query.counts.CountTable;
import java.util.HexFormat;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The key of a group of errors: what its error responses have in common.
 *
 * @param code a number that the dialect's vocabularies define, or {@link DefinedErrors#OTHER_CODE};
 *     absent for older floods, which were not counted by code
 */
record ErrorKey(
    Dialect dialect,
    @Nullable String code,
    String fault,
    @Nullable String gate,
    @Nullable String target) {

  /**
   * The version of the grouping. It is part of the fingerprint, so that fingerprints of different
   * versions are never equal.
   */
  private static final String VERSION = "1";

  /** The form of a fingerprint as operators see it, as a regular expression. */
  static final String FINGERPRINT_TEXT = "^" + VERSION + "-[0-9a-f]{16}$";

  /** The key of an error response and the fault that it translates. */
  static ErrorKey of(ErrorResponse errorResponse, Fault fault, @Nullable String target) {
    return new ErrorKey(
        errorResponse.dialect(),
        DefinedErrors.groupCode(errorResponse.dialect(), errorResponse.code()),
        fault.kind(),
        fault.gate().map(Gate::word).orElse(null),
        target);
  }

  /** The key of messages that were only counted, and of the same ones that were recorded. */
  static ErrorKey of(MessagesRefused.Count count) {
    Integer code = count.code();
    return new ErrorKey(
        count.dialect(),
        code == null ? null : DefinedErrors.groupCode(count.dialect(), code),
        count.fault(),
        null,
        null);
  }

  /** The code as operators see it: a number, or {@link DefinedErrors#OTHER_CODE}. */
  static Object shownCode(String code) {
    return code.equals(DefinedErrors.OTHER_CODE) ? code : Integer.valueOf(code);
  }

  /** A hash of the key; collisions are improbable enough to be ignored. */
  long fingerprint() {
    return CountTable.key(
        String.join(
            "\0",
            VERSION,
            dialect.word(),
            Objects.toString(code, ""),
            fault,
            Objects.toString(gate, ""),
            target == null ? "" : "=" + target));
  }

  /** The fingerprint as operators see it. */
  static String fingerprintText(long fingerprint) {
    return VERSION + "-" + HexFormat.of().toHexDigits(fingerprint);
  }

  /** The fingerprint that operators see as a text of the form {@link #FINGERPRINT_TEXT}. */
  static long fingerprintNumber(String text) {
    return HexFormat.fromHexDigitsToLong(text, VERSION.length() + 1, text.length());
  }
}
