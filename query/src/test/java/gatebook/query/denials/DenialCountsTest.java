package gatebook.query.denials;

import static org.assertj.core.api.Assertions.assertThat;

import gatebook.events.GateDenied;
import gatebook.events.Proof;
import gatebook.events.call.Action;
import gatebook.events.call.DenialReason;
import gatebook.events.call.Gate;
import gatebook.events.call.Ruling;
import gatebook.events.call.Verdict;
import gatebook.events.journal.DraftEvent;
import gatebook.events.journal.Journal;
import gatebook.events.vocabulary.EventVocabulary;
import gatebook.query.FollowedJournal;
import gatebook.query.RandomEvents;
import gatebook.query.counts.StoredCounts;
import gatebook.query.denials.DenialQueries.Counts;
import gatebook.query.projection.ColumnFilter;
import gatebook.query.projection.View;
import gatebook.query.projection.View.Reached;
import gatebook.query.trend.RecordedTime;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.UUID;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The counts that the view keeps give the same answers as the rows of the denials. */
@Timeout(300)
final class DenialCountsTest {
  private static final int APPENDS = Proof.rounds(500, 1_500);
  private static final int QUESTIONS = Proof.rounds(80, 250);
  private static final List<DenialDimension> COUNTED =
      List.of(
          DenialDimension.GATE,
          DenialDimension.REASON,
          DenialDimension.CODE,
          DenialDimension.MINUTE,
          DenialDimension.HOUR,
          DenialDimension.DAY);

  @TempDir private Path directory;

  private final long seed = Proof.seed();
  private final SplittableRandom random = new SplittableRandom(seed);
  private final List<Instant> times = new ArrayList<>();
  @AutoClose private FollowedJournal followed;
  private Journal journal;
  private DenialQueries queries;

  @BeforeEach
  void open() {
    followed = FollowedJournal.in(directory);
    journal = followed.journal();
    queries = followed.follow(DenialQueries::follow, it -> it.view().close());
  }

  @Test
  void countsAnswerAsRowsDo() throws Exception {
    RandomEvents randomEvents = RandomEvents.crowded(random);
    for (int i = 0; i < APPENDS; i++) {
      append(randomEvents.next());
      if (i % 100 == 0) {
        append(List.of(untoldDenial(i)));
      }
    }
    queries.view().awaitHead(0);

    for (int i = 0; i < QUESTIONS; i++) {
      CountDenials question =
          new CountDenials(filter(), by(), time(), 1 + random.nextInt(30), journal.head());
      Counts counts = queries.handle(question);
      assertThat(counts)
          .as("seed %d, %s", seed, question)
          .isEqualTo(ofRows(question, counts.reached()));
      assertThat(
              queries
                  .handle(new ListDenials(question.filter(), OptionalLong.empty(), 1, 0))
                  .total())
          .as("seed %d, %s", seed, question)
          .isEqualTo(counts.total());
    }
  }

  private Counts ofRows(CountDenials question, Reached reached) {
    return queries
        .view()
        .read(
            view -> DenialCounter.ofRows(view, question, new RecordedTime(journal)).count(reached));
  }

  private void append(List<DraftEvent> drafts) {
    times.add(Instant.parse(drafts.getLast().at()));
    followed.append(drafts);
  }

  /** A denial whose caller was not told yet. */
  private DraftEvent untoldDenial(int number) {
    return new EventVocabulary()
        .draft(
            new GateDenied(
                new UUID(7, number),
                "rules",
                null,
                "ada",
                List.of(
                    new Ruling.Governance(
                        new Verdict.Deny(DenialReason.RULE, null), Action.DENY, 1, "*", 1))),
            times.getLast());
  }

  private List<DenialDimension> by() {
    return COUNTED.stream().filter(_ -> random.nextInt(3) == 0).toList();
  }

  private ListDenials.Filter filter() {
    return new ListDenials.Filter(
        random.nextBoolean() ? Optional.empty() : Optional.of(time()),
        random.nextBoolean() ? Optional.empty() : Optional.of(time()),
        any(ColumnFilter.NOTHING, new ColumnFilter.Exactly(Gate.GOVERNANCE.word())),
        ColumnFilter.ANYTHING,
        ColumnFilter.ANYTHING,
        any(ColumnFilter.NOTHING, new ColumnFilter.Exactly(DenialReason.RULE.word())),
        any(ColumnFilter.NOTHING, new ColumnFilter.Exactly("mcp")),
        any(ColumnFilter.NOTHING, new ColumnFilter.Exactly(-32_014)));
  }

  /** Nearly always anything. */
  private ColumnFilter any(ColumnFilter rare, ColumnFilter other) {
    return switch (random.nextInt(12)) {
      case 0 -> rare;
      case 1, 2 -> other;
      default -> ColumnFilter.ANYTHING;
    };
  }

  private Instant time() {
    return RandomEvents.timeNear(times.get(random.nextInt(times.size())), random);
  }

  @Test
  void anEventThatIsParkedAndDiscardedIsNotCounted() throws Exception {
    Instant at = Instant.parse("2026-01-02T03:04:05Z");
    times.add(at);
    DraftEvent good = untoldDenial(1);
    DraftEvent unreadable =
        DraftEvent.of(
            UUID.randomUUID().toString(),
            good.name(),
            good.version(),
            at.plus(Duration.ofMinutes(1)),
            untoldDenial(2).tags(),
            new byte[] {'{'},
            good.metadata());
    RandomEvents randomEvents = RandomEvents.crowded(random);
    List<DraftEvent> page = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      page.addAll(randomEvents.next());
    }
    page.add(unreadable);
    page.addAll(randomEvents.next());
    append(page);
    queries.view().awaitHead(0);
    assertThat(queries.view().parked(10)).hasSize(1);
    assertKept();

    assertThat(queries.view().discard(queries.view().parked(10).getFirst().position())).isTrue();

    assertKept();
  }

  private void assertKept() {
    View view = queries.view();
    List<String> stored = view.read(it -> StoredCounts.of(it, DenialRows.COUNTS));
    List<String> derived = view.read(it -> StoredCounts.derived(it, DenialRows.COUNTS));
    assertThat(stored).as("seed %d", seed).isNotEmpty().isEqualTo(derived);
  }
}
