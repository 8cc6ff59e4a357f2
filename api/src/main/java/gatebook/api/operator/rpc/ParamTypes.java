package gatebook.api.operator.rpc;

import gatebook.api.rpc.MemberType;
import gatebook.api.rpc.MemberType.Array;
import gatebook.api.rpc.MemberType.Either;
import gatebook.api.rpc.MemberType.Flag;
import gatebook.api.rpc.MemberType.OrNull;
import gatebook.api.rpc.MemberType.Text;
import gatebook.api.rpc.MemberType.Time;
import gatebook.api.rpc.MemberType.Unit;
import gatebook.api.rpc.MemberType.Whole;
import gatebook.api.rpc.MemberType.Word;
import gatebook.api.rpc.RequestMember;
import gatebook.command.call.approval.DecideApproval;
import gatebook.events.call.DenialReason;
import gatebook.events.call.Dialect;
import gatebook.events.call.Gate;
import gatebook.events.call.ObservedVerdict;
import gatebook.events.tree.TreeStatus;
import gatebook.query.Views;
import gatebook.query.approvals.ApprovalQueries;
import gatebook.query.call.CallStatus;
import gatebook.query.errors.Counted;
import gatebook.query.errors.ErrorDimension;
import gatebook.query.errors.ErrorQueries;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The types of the params of operator methods, and the params of all lists. */
public final class ParamTypes {

  public static final int TEXT_CHARS_MAX = 1_024;
  private static final int NOTES_MAX = 64;
  private static final int NOTE_CHARS_MAX = 16_384;

  /** Anything but blanks and control characters. */
  private static final Pattern VISIBLE = Pattern.compile("[^\\x00-\\x20]");

  public static final MemberType TEXT =
      new Text(
          VISIBLE,
          0,
          TEXT_CHARS_MAX,
          Unit.CHARACTERS,
          "a string of 1 to " + TEXT_CHARS_MAX + " characters");

  public static final MemberType TEXT_OR_NULL =
      new OrNull(TEXT, "a string of 1 to " + TEXT_CHARS_MAX + " characters, or no value");

  public static final MemberType REASON =
      new Text(
          VISIBLE,
          0,
          DecideApproval.REASON_BYTES_MAX,
          Unit.BYTES,
          "a text of 1 to " + DecideApproval.REASON_BYTES_MAX + " bytes in UTF-8");

  public static final MemberType CALL_ID =
      Text.matching(
          Pattern.compile(
              "^[ \\t\\r\\n]*[0-9A-Fa-f]{8}(-?[0-9A-Fa-f]{4}){3}-?[0-9A-Fa-f]{12}[ \\t\\r\\n]*$"),
          "the id of a call: 32 hex digits, with dashes or without");

  /** A position, which is the only text used as a cursor. */
  public static final MemberType CURSOR =
      Text.matching(Pattern.compile("^[1-9][0-9]{0,17}$"), "the cursor of the previous page");

  public static final MemberType FINGERPRINT =
      Text.matching(
          Pattern.compile(ErrorQueries.FINGERPRINT_TEXT),
          "the fingerprint of a group of audit.errors");

  public static final MemberType TIME = new Time("a time as in 2026-01-02T03:04:05Z");
  public static final MemberType DAY =
      Text.matching(
          Pattern.compile("^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$"),
          "a day as in 2026-01-31");
  public static final MemberType BOOLEAN = new Flag();

  public static final MemberType POSITION = new Whole(0, Long.MAX_VALUE, "a whole number from 0");
  public static final MemberType PAGE = Whole.between(1, ApprovalQueries.PAGE_MAX);
  public static final MemberType CODE =
      new Whole(Integer.MIN_VALUE, Integer.MAX_VALUE, "an integer error code");
  public static final MemberType CODE_OR_NULL =
      new OrNull(CODE, "an integer error code, or no value");
  public static final MemberType ERROR_CODE =
      new Either(
          List.of(CODE_OR_NULL, Word.of(List.of(ErrorQueries.OTHER_CODE))),
          "an integer error code, \"" + ErrorQueries.OTHER_CODE + "\" or no value");

  public static final MemberType GATE = oneOf(Gate.values(), Gate::word);
  public static final MemberType GATE_OR_NULL = new OrNull(GATE, "a gate, or no value");
  public static final MemberType DIALECT = oneOf(Dialect.values(), Dialect::word);
  public static final MemberType DIALECT_OR_NULL = new OrNull(DIALECT, "a dialect, or no value");

  /** The reason of a denial, also of one by a candidate. */
  public static final MemberType REASON_WORD =
      Word.of(
          Stream.concat(
                  Stream.of(DenialReason.values()).map(DenialReason::word),
                  Stream.of(ObservedVerdict.PRINCIPAL_UNKNOWN))
              .toList());

  public static final MemberType STATUS = oneOf(CallStatus.values(), CallStatus::word);
  public static final MemberType TREE_STATUS = oneOf(TreeStatus.values(), TreeStatus::word);
  public static final MemberType VIEW = Word.of(Views.NAMES);

  public static final MemberType DIMENSIONS = someOf(Counted.DENIALS);
  public static final MemberType ERROR_DIMENSIONS = someOf(Counted.ERRORS);

  public static final MemberType NOTE = Text.atMost(NOTE_CHARS_MAX, Unit.CHARACTERS);
  public static final MemberType NOTES =
      new Array(NOTE, 0, NOTES_MAX, false, "an array of at most " + NOTES_MAX + " signed notes");

  static final int LIMIT_DEFAULT = 100;

  public static final RequestMember CURSOR_PARAM =
      RequestMember.optional("cursor", CURSOR, "The cursor of the previous page.");

  private ParamTypes() {}

  /** How many elements a list has. */
  public static RequestMember limit(String elements) {
    return RequestMember.optional("limit", PAGE, "The maximum number of %s.".formatted(elements))
        .byDefault(LIMIT_DEFAULT);
  }

  private static <E> Word oneOf(E[] values, Function<E, String> word) {
    return Word.of(Arrays.stream(values).map(word).toList());
  }

  private static Array someOf(Counted counted) {
    Word words = Word.of(counted.dimensions().stream().map(ErrorDimension::word).toList());
    return new Array(
        words,
        0,
        words.accepted().size(),
        true,
        "an array of some of " + String.join(", ", words.accepted()));
  }
}
