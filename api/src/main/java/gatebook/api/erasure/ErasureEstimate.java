package gatebook.api.erasure;

import gatebook.events.journal.Journal;
import gatebook.events.keys.store.KeySelection;
import gatebook.events.keys.store.StoredKey;
import gatebook.events.vocabulary.EventVocabulary;
import gatebook.query.Views;
import gatebook.query.call.CallView;
import gatebook.query.calls.CallFilter;
import gatebook.query.calls.CallQueries;
import gatebook.query.calls.ListCalls;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Counts what an erasure would reach, and what it cannot reach. */
public final class ErasureEstimate {
  private static final int PAGE = 1_000;

  /** Beyond this calls are not counted any further. */
  static final int CALLS_MAX = 100_000;

  private final ContentErasure contentErasure;
  private final Views views;
  private final PlainContent plainContent;

  public ErasureEstimate(
      ContentErasure contentErasure,
      Journal journal,
      EventVocabulary eventVocabulary,
      Views views) {
    this.contentErasure = contentErasure;
    this.views = views;
    this.plainContent = new PlainContent(journal, eventVocabulary);
  }

  /**
   * What an erasure would reach.
   *
   * @param calls of the principal in these days
   * @param more whether there are more calls than were counted
   * @param holds the names of the legal holds that forbid it; empty when no rules are in force
   */
  public record Estimate(
      long keys, long days, long calls, boolean more, Optional<List<String>> holds) {}

  public Estimate of(String principal, @Nullable LocalDate since, @Nullable LocalDate until)
      throws InterruptedException {
    List<StoredKey> keys = contentErasure.keys(new KeySelection(principal, since, until));
    CallFilter filter = filter(principal, since, until);
    long calls = 0;
    OptionalLong before = OptionalLong.empty();
    do {
      CallQueries.Page page =
          views.queries().send(new ListCalls(filter, before, PAGE, 0), CallQueries.Page.class);
      List<CallView> found = page.calls();
      calls += found.size();
      before = page.next();
    } while (before.isPresent() && calls < CALLS_MAX);
    return new Estimate(
        keys.size(),
        keys.stream().map(key -> key.owner().day()).distinct().count(),
        calls,
        before.isPresent(),
        contentErasure.holds(keys));
  }

  /** How many events from before content was sealed are not reached. */
  public long notReached(String principal, @Nullable LocalDate since, @Nullable LocalDate until) {
    return plainContent.count(new KeySelection(principal, since, until));
  }

  private static CallFilter filter(
      String principal, @Nullable LocalDate since, @Nullable LocalDate until) {
    CallFilter all = CallFilter.ALL;
    return new CallFilter(
        all.status(),
        all.gate(),
        all.dialect(),
        all.method(),
        all.target(),
        Optional.of(principal),
        all.code(),
        all.fault(),
        all.correlationId(),
        Optional.ofNullable(since).map(ErasureEstimate::start),
        Optional.ofNullable(until).map(day -> start(day.plusDays(1))));
  }

  private static Instant start(LocalDate day) {
    return day.atStartOfDay(ZoneOffset.UTC).toInstant();
  }
}
