package gatebook.api.gateway.quota;

import static org.assertj.core.api.Assertions.assertThat;

import gatebook.events.CallReceived;
import gatebook.events.call.Dialect;
import gatebook.events.call.Principal;
import gatebook.events.call.Transport;
import gatebook.events.journal.Append;
import gatebook.events.journal.ConflictCondition;
import gatebook.events.journal.DraftEvent;
import gatebook.events.journal.Journal;
import gatebook.events.journal.JournalAccess;
import gatebook.events.journal.Journals;
import gatebook.events.journal.storage.Entry;
import gatebook.events.vocabulary.EventVocabulary;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.axonframework.messaging.eventstreaming.EventCriteria;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class JournalCountsTest {
  private static final LocalDate DAY = LocalDate.of(2026, 1, 31);
  private static final Instant MIDNIGHT = Instant.parse("2026-01-31T00:00:00Z");

  private final EventVocabulary eventVocabulary = new EventVocabulary();

  /** A journal in another process, of which only events can be asked for. */
  private record Remote(Journal journal) implements JournalAccess {
    @Override
    public long head() {
      return journal.head();
    }

    @Override
    public CompletableFuture<Append> append(
        ConflictCondition conflictCondition, List<DraftEvent> drafts) {
      return journal.append(conflictCondition, drafts);
    }

    @Override
    public List<Entry> find(@Nullable EventCriteria criteria, long after, long upTo, int limit) {
      return journal.find(criteria, after, upTo, limit);
    }
  }

  @Test
  void callsOfTheDayAreCountedByTheirBudgets(@TempDir Path folder) {
    try (Journal journal = Journals.opened(Journals.inSegments(folder))) {
      append(journal, "ada", MIDNIGHT.minusSeconds(9), MIDNIGHT.minusSeconds(9), List.of("a"));
      // received the day before, and recorded in this one
      append(journal, "ada", MIDNIGHT.minusNanos(1), MIDNIGHT, List.of("a"));
      append(journal, "ada", MIDNIGHT, MIDNIGHT.plusSeconds(1), List.of("a", "b"));
      append(journal, "ada", MIDNIGHT.plusSeconds(1), MIDNIGHT.plusSeconds(1), null);
      append(journal, "eve", MIDNIGHT.plusSeconds(2), MIDNIGHT.plusSeconds(2), List.of("a"));
      append(journal, "eve", MIDNIGHT.plusSeconds(3), MIDNIGHT.plusSeconds(3), List.of("a"));

      for (JournalAccess access : List.of(journal, new Remote(journal))) {
        assertThat(new JournalCounts(access).since(DAY))
            .isEqualTo(
                Map.of(
                    DAY.minusDays(1),
                    Map.of(new QuotaKey("a", "ada"), 1L),
                    DAY,
                    Map.of(
                        new QuotaKey("a", "ada"), 1L,
                        new QuotaKey("b", "ada"), 1L,
                        new QuotaKey("a", "eve"), 2L)));
        assertThat(new JournalCounts(access).since(DAY.plusDays(1))).isEmpty();
        for (long second = -10; second < 5; second++) {
          Instant at = MIDNIGHT.plusSeconds(second);
          assertThat(access.positionBefore(at)).isEqualTo(journal.positionBefore(at));
        }
      }
    }
  }

  private void append(
      Journal journal,
      String principal,
      Instant receivedAt,
      Instant at,
      @Nullable List<String> budgets) {
    CallReceived call =
        new CallReceived(
            UUID.randomUUID(),
            "c",
            null,
            Dialect.MCP,
            null,
            Transport.HTTP,
            receivedAt,
            "tools/call",
            "1",
            new Principal(principal, List.of(), Map.of()),
            "s",
            "tool",
            null,
            null,
            null,
            "rules",
            null,
            null,
            budgets);
    assertThat(
            journal
                .append(ConflictCondition.none(), List.of(eventVocabulary.draft(call, at)))
                .join())
        .isInstanceOf(Append.Stored.class);
  }
}
