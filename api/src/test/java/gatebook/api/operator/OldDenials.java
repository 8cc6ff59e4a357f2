package gatebook.api.operator;

import static org.assertj.core.api.Assertions.assertThat;

import gatebook.events.ErrorTranslated;
import gatebook.events.Event;
import gatebook.events.GateDenied;
import gatebook.events.JournalOutage;
import gatebook.events.ReceivedCall;
import gatebook.events.call.Action;
import gatebook.events.call.DenialReason;
import gatebook.events.call.Dialect;
import gatebook.events.call.ErrorResponse;
import gatebook.events.call.Ruling;
import gatebook.events.call.Verdict;
import gatebook.events.fault.Denied;
import gatebook.events.journal.Append;
import gatebook.events.journal.ConflictCondition;
import gatebook.events.journal.Journal;
import gatebook.events.vocabulary.EventVocabulary;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;

/** Denied calls of a day long ago. */
public final class OldDenials {
  private static final Instant AT = Instant.parse("2026-01-02T03:00:00Z");

  private OldDenials() {}

  /** The id of a call, by its number. */
  public static UUID call(int number) {
    return new UUID(0x0192_0000_0000_7000L, 0x8000_0000_0000_0000L + number);
  }

  /** Appends an outage, and so many calls, one a minute. */
  public static void append(Journal journal, EventVocabulary vocabulary, int calls) {
    append(journal, vocabulary, AT, Stream.of(new JournalOutage(AT, AT, "disk full", 1, 0)));
    for (int i = 0; i < calls; i++) {
      append(journal, vocabulary, AT.plusSeconds(60L * i), denied(call(i)));
    }
  }

  private static void append(
      Journal journal, EventVocabulary vocabulary, Instant at, Stream<Event> events) {
    assertThat(
            journal
                .append(
                    ConflictCondition.none(),
                    events.map(event -> vocabulary.draft(event, at)).toList())
                .join())
        .isInstanceOf(Append.Stored.class);
  }

  private static Stream<Event> denied(UUID call) {
    Ruling ruling =
        new Ruling.Governance(
            new Verdict.Deny(DenialReason.RULE, null), Action.DENY, 1, "*_file", 1);
    return Stream.of(
        ReceivedCall.of(call, AT).by("ada").to("files", "delete_file").event(),
        new GateDenied(call, "rules", "delete_file", "ada", List.of(ruling)),
        new ErrorTranslated(
            call,
            "delete_file",
            new Denied.GovernanceRuleDenied("delete_file", "*_file", false),
            new ErrorResponse(Dialect.MCP, -32_003, "no", null, 200),
            0,
            null,
            3));
  }
}
