package gatebook.command.redecide;

import gatebook.command.redecide.Resolution.Effect;
import gatebook.events.call.Word;

/** How other rules change what becomes of a recorded call. */
public enum CallChange implements Word {
  UNCHANGED("unchanged"),
  NEWLY_DENIED("newly-denied"),
  NEWLY_ALLOWED("newly-allowed"),
  /** A person would be asked, whose answer nobody knows. */
  NEWLY_ASKED("newly-asked"),
  /** A person allowed it, and nobody would be asked. */
  NO_LONGER_ASKED("no-longer-asked"),
  /** Refused as before, by another gate, for another reason or in other words. */
  REFUSED_OTHERWISE("refused-otherwise"),
  /** Allowed as before, and another source would get it. */
  REROUTED("rerouted");

  private final String word;

  CallChange(String word) {
    this.word = word;
  }

  @Override
  public String word() {
    return word;
  }

  /**
   * The change between two resolutions of one call.
   *
   * @param isToldTheSame whether its caller would get the same error response; counts only where
   *     both refuse it
   */
  public static CallChange between(Resolution before, Resolution after, boolean isToldTheSame) {
    return switch (after.effect()) {
      case NOT_KNOWN -> NEWLY_ASKED;
      case REFUSED ->
          before.effect() == Effect.REFUSED ? refused(before, after, isToldTheSame) : NEWLY_DENIED;
      case ALLOWED, ALLOWED_BY_PERSON, ANSWERED_HERE -> allowed(before, after);
      case OPEN -> before.effect() == Effect.OPEN ? UNCHANGED : NEWLY_ASKED;
    };
  }

  private static CallChange refused(Resolution before, Resolution after, boolean isToldTheSame) {
    return isToldTheSame
            && before.outcome().agreesWith(after.outcome())
            && before.answer() == after.answer()
        ? UNCHANGED
        : REFUSED_OTHERWISE;
  }

  private static CallChange allowed(Resolution before, Resolution after) {
    return switch (before.effect()) {
      case REFUSED, OPEN, NOT_KNOWN -> NEWLY_ALLOWED;
      case ALLOWED_BY_PERSON ->
          after.effect() == Effect.ALLOWED_BY_PERSON ? UNCHANGED : NO_LONGER_ASKED;
      case ALLOWED, ANSWERED_HERE ->
          before.outcome().equals(after.outcome()) ? UNCHANGED : REROUTED;
    };
  }
}
