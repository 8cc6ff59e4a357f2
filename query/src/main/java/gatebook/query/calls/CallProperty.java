package gatebook.query.calls;

import gatebook.query.call.CallStatus;
import gatebook.query.call.CallView;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The properties of calls by which their blocks are found. A property with a value is a number: two
 * of them rarely have the same one, and then a search only reads more blocks.
 */
enum CallProperty {
  /** Every call has it, with the value {@link #EVERY_CALL}. */
  RECORDED,
  STATUS,
  GATE,
  DIALECT,
  METHOD,
  TARGET,
  PRINCIPAL,
  CODE,
  FAULT,
  /** Of calls that ended without an answer: few of a target's calls do. */
  UNANSWERED_TARGET,
  /** Of calls that ended without an answer. */
  UNANSWERED_PRINCIPAL,
  MINUTE,
  HOUR,
  DAY,
  /** 30 days. */
  MONTH,
  /** 360 days. */
  YEAR;

  static final String EVERY_CALL = "";

  static final Set<CallProperty> OF_CALLS = EnumSet.range(STATUS, UNANSWERED_PRINCIPAL);

  /**
   * The value that a call has now; absent when it has none. An open call has no status here, since
   * nearly every call has one for a moment.
   */
  @Nullable Object of(CallView call) {
    return switch (this) {
      case STATUS -> isOpen(call.status()) ? null : call.status().word();
      case GATE -> call.gate() == null ? null : call.gate().word();
      case DIALECT -> call.dialect() == null ? null : call.dialect().word();
      case METHOD -> call.method();
      case TARGET -> call.target();
      case PRINCIPAL -> call.principal();
      case CODE -> call.code();
      case FAULT -> call.fault();
      case UNANSWERED_TARGET -> unanswered(call.status(), call.target());
      case UNANSWERED_PRINCIPAL -> unanswered(call.status(), call.principal());
      case RECORDED -> EVERY_CALL;
      case MINUTE, HOUR, DAY, MONTH, YEAR -> null;
    };
  }

  /** The status and a text; absent for a call that is open or answered. */
  static @Nullable Object unanswered(CallStatus status, @Nullable String text) {
    return text == null || isOpen(status) || status == CallStatus.ANSWERED
        ? null
        : List.of(status.word(), text);
  }

  static boolean isOpen(CallStatus status) {
    return status == CallStatus.HELD || status == CallStatus.FORWARDED;
  }

  /**
   * The number of this property with a value.
   *
   * @param value a text, a number, or a list of texts, since the hashes of other objects differ
   *     between processes
   */
  int number(Object value) {
    int mixed = 31 * value.hashCode() + name().hashCode();
    mixed = (mixed ^ (mixed >>> 16)) * 0x85EB_CA6B;
    mixed = (mixed ^ (mixed >>> 13)) * 0xC2B2_AE35;
    return mixed ^ (mixed >>> 16);
  }
}
