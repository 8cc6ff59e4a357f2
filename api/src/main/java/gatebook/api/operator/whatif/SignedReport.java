package gatebook.api.operator.whatif;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import gatebook.events.journal.checkpoint.OpenedNote;
import gatebook.events.journal.checkpoint.SignedNote;
import gatebook.events.journal.checkpoint.VerifierKey;
import java.io.UncheckedIOException;
import java.util.Collection;

/**
 * A signed report: a note whose text is a line that says what it is, and a line of canonical JSON,
 * its members sorted by name. No log has the name of the first line, so that nobody takes the
 * report for a checkpoint.
 */
public final class SignedReport {
  private static final String FIRST_LINE = "gatebook report of a what-if\n";

  private static final JsonMapper JSON =
      JsonMapper.builder()
          .enable(MapperFeature.SORT_PROPERTIES_ALPHABETICALLY)
          .enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS)
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
          .build();

  private SignedReport() {}

  /** The result of checking a signed report. */
  public sealed interface Checked {
    record Valid(WhatIfReport report, VerifierKey key) implements Checked {}

    /** The sentence says why. */
    record Invalid(String sentence) implements Checked {}
  }

  /** The text that is signed. */
  static String text(WhatIfReport report) {
    try {
      return FIRST_LINE + JSON.writeValueAsString(report) + "\n";
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Checks a signed report without any journal: only these keys are trusted. */
  public static Checked check(byte[] note, Collection<VerifierKey> known) {
    return switch (SignedNote.open(note, known, note.length)) {
      case OpenedNote.Valid<String>(var text, var key) -> check(text, key);
      case OpenedNote.UnknownKey<String>(var signers) ->
          new Checked.Invalid(
              "it is signed by %s, and not by the key that is trusted"
                  .formatted(String.join(", ", signers)));
      case OpenedNote.WrongSignature<String>(var by) ->
          new Checked.Invalid("the signature of %s is wrong: the report was changed".formatted(by));
      case OpenedNote.NotInForce<String> _ ->
          new Checked.Invalid("it is signed by a key that was replaced before");
      case OpenedNote.Malformed<String>(int line, var why) ->
          new Checked.Invalid("line %d: %s".formatted(line, why));
    };
  }

  private static Checked check(String text, VerifierKey key) {
    if (!text.startsWith(FIRST_LINE)) {
      return new Checked.Invalid("it is signed, and no report of a what-if");
    }
    try {
      WhatIfReport report = JSON.readValue(text.substring(FIRST_LINE.length()), WhatIfReport.class);
      if (!WhatIfReport.FORMAT.equals(report.format())) {
        return new Checked.Invalid(
            "it is signed, and no report of the format %s".formatted(WhatIfReport.FORMAT));
      }
      return text(report).equals(text)
          ? new Checked.Valid(report, key)
          : new Checked.Invalid("it is signed, and has members that this version does not know");
    } catch (JsonProcessingException | RuntimeException e) {
      return new Checked.Invalid("it is signed, and no report of a what-if");
    }
  }
}
