package gatebook.api.gateway.quota;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import gatebook.events.CallReceived;
import gatebook.events.journal.JournalAccess;
import gatebook.events.journal.JournalUnreachable;
import gatebook.events.journal.SlowOperation;
import gatebook.events.journal.storage.Entry;
import gatebook.events.journal.storage.JournalUnreadable;
import gatebook.events.journal.storage.StorageFailure;
import gatebook.events.vocabulary.EventVocabulary;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.Map;

/**
 * Counts the calls of which the journal says that daily budgets counted them. It reads all events
 * of the day, and only those of such calls further than to their names.
 */
public final class JournalCounts implements RecordedCounts {
  private static final int PAGE = 1_000;
  private static final byte[] MEMBER = "\"budgets\":".getBytes(StandardCharsets.UTF_8);

  private final JournalAccess journal;
  private final JsonMapper json = new JsonMapper();
  private final String received =
      new EventVocabulary().typeOf(CallReceived.class).orElseThrow().qualifiedName().fullName();

  public JournalCounts(JournalAccess journal) {
    this.journal = journal;
  }

  @Override
  public Map<LocalDate, Map<QuotaKey, Long>> since(LocalDate day) {
    Map<LocalDate, Map<QuotaKey, Long>> counts = new HashMap<>();
    try (SlowOperation _ =
        SlowOperation.start(() -> "reading the calls of the day for the daily budgets")) {
      long after = journal.positionBefore(day.atStartOfDay(ZoneOffset.UTC).toInstant());
      journal.stream(null, after, journal.head(), PAGE)
          .filter(entry -> entry.name().equals(received) && hasMember(entry.payload()))
          .forEach(entry -> count(entry, counts));
    } catch (JournalUnreachable e) {
      throw new JournalUnreadable(new StorageFailure(String.valueOf(e.getMessage()), e));
    }
    return counts;
  }

  private static boolean hasMember(byte[] payload) {
    for (int start = payload.length - MEMBER.length; start >= 0; start--) {
      if (payload[start] == '"' && isMember(payload, start)) {
        return true;
      }
    }
    return false;
  }

  private static boolean isMember(byte[] payload, int start) {
    for (int i = 0; i < MEMBER.length; i++) {
      if (payload[start + i] != MEMBER[i]) {
        return false;
      }
    }
    return true;
  }

  /** What is read is no content, so it is in the payload as it is stored. */
  private void count(Entry entry, Map<LocalDate, Map<QuotaKey, Long>> counts) {
    JsonNode call = read(entry);
    LocalDate day =
        LocalDate.ofInstant(Instant.parse(call.path("receivedAt").asText()), ZoneOffset.UTC);
    String principal = call.path("principal").path("name").asText();
    for (JsonNode budget : call.path("budgets")) {
      counts
          .computeIfAbsent(day, _ -> new HashMap<>())
          .merge(new QuotaKey(budget.asText(), principal), 1L, Long::sum);
    }
  }

  private JsonNode read(Entry entry) {
    try {
      return json.readTree(entry.payload());
    } catch (IOException e) {
      throw new UncheckedIOException("event " + entry.position() + " is not JSON", e);
    }
  }
}
