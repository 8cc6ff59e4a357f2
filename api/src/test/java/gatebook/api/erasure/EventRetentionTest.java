package gatebook.api.erasure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import gatebook.api.data.RetentionSection.DropLimits;
import gatebook.command.rules.LegalHold;
import gatebook.events.ErasureRefused;
import gatebook.events.EventsDropped;
import gatebook.events.OperatorActed;
import gatebook.events.call.ErasureCause;
import gatebook.events.journal.Append;
import gatebook.events.journal.Journal;
import gatebook.events.journal.Journals;
import gatebook.events.journal.drop.EventDrops;
import gatebook.events.journal.drop.TestDrops;
import gatebook.events.journal.storage.DroppedThrough;
import gatebook.events.journal.storage.JournalSettings;
import gatebook.events.kept.KeptEvents;
import gatebook.events.vocabulary.EventVocabulary;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** The retention of events, on both sides of its limits. */
@Order(1)
@ParameterizedClass
@EnumSource
final class EventRetentionTest {
  /** Where the events are. */
  enum Place {
    SEGMENTS,
    PARTITIONS
  }

  private static final int PARTITION = 15;
  private static final int EVENTS = 40;
  private static final Duration YEAR = Duration.ofDays(365);

  @Parameter private Place place = Place.SEGMENTS;
  @TempDir private Path folder;
  private final EventVocabulary eventVocabulary = new EventVocabulary();
  private final ErasureFigures figures = new ErasureFigures();
  private Journal journal;
  private Optional<List<LegalHold>> legalHolds = Optional.of(List.of());
  private Instant now;

  @BeforeEach
  void open() {
    journal =
        Journals.opened(
            Journals.withCheckpoints(Journals.withSegments(settings(), 5_000), 4, 600_000));
    for (int i = 0; i < EVENTS; i++) {
      OperatorActed acted = new OperatorActed("ops", "audit.calls", null, null, true);
      await()
          .until(() ->
              Journals.append(journal, eventVocabulary.draft(acted, Instant.now()))
                  instanceof Append.Stored);
    }
    awaitReady();
    now = Instant.now().plus(YEAR);
  }

  private JournalSettings settings() {
    return switch (place) {
      case SEGMENTS -> Journals.inSegments(folder);
      case PARTITIONS ->
          Journals.settings(folder, Journals.freshSchema().withPartitions(PARTITION));
    };
  }

  @AfterEach
  void close() {
    journal.close();
  }

  private EventDrops drops() {
    return TestDrops.keepingEachTenth(journal);
  }

  /** Segments are dropped when they are compressed, and partitions when they are signed. */
  private void awaitReady() {
    await().until(() -> drops().oldest().isPresent());
  }

  private void sweep(Optional<DropLimits> limits) {
    new EventRetention(
            journal,
            eventVocabulary,
            limits,
            new KeptEvents(() -> now),
            () -> legalHolds,
            figures,
            () -> now)
        .sweep();
  }

  private void sweep(int days) {
    sweep(
        Optional.of(
            new DropLimits(OptionalInt.of(days), OptionalLong.empty(), Duration.ofDays(180))));
  }

  private List<ErasureRefused> refusals() {
    return journal.find(null, 0, journal.head(), 1_000).stream()
        .flatMap(it -> eventVocabulary.readIfPossible(it, ErasureRefused.class).stream())
        .toList();
  }

  private long countDropped() {
    return journal.find(null, 0, journal.head(), 1_000).stream()
        .filter(it -> eventVocabulary.readIfPossible(it, EventsDropped.class).isPresent())
        .count();
  }

  @Test
  void eventsGoWhenTheyAreOlderThanTheyAreKept() {
    sweep(Optional.empty());
    sweep(366);
    assertThat(journal.droppedThrough()).isEmpty();

    sweep(364);

    assertThat(journal.droppedThrough()).isPresent();
    assertThat(countDropped()).isPositive();
    assertThat(journal.head()).isEqualTo(EVENTS + countDropped());
  }

  @Test
  void eventsGoWhileTheFilesHaveTooManyBytes() {
    long bytes = drops().bytes();
    sweep(bytes(bytes + 1_000_000, Duration.ZERO));
    sweep(bytes(1, YEAR.plusDays(1)));
    assertThat(journal.droppedThrough()).isEmpty();

    sweep(bytes(bytes - 1, YEAR.minusDays(1)));

    assertThat(journal.droppedThrough().map(DroppedThrough::position))
        .get()
        .satisfies(it -> assertThat(it).isLessThan(EVENTS));
  }

  private static Optional<DropLimits> bytes(long most, Duration floor) {
    return Optional.of(new DropLimits(OptionalInt.empty(), OptionalLong.of(most), floor));
  }

  @Test
  void aLegalHoldKeepsTheEventsOfItsDays() {
    LocalDate day = LocalDate.ofInstant(now.minus(YEAR), ZoneOffset.UTC);
    hold(day.minusDays(9), day.plusDays(1));
    sweep(200);
    sweep(200); // the refusal is recorded once a day

    assertThat(journal.droppedThrough()).isEmpty();
    assertThat(refusals())
        .singleElement()
        .satisfies(
            refused -> assertThat(refused.cause()).isEqualTo(ErasureCause.DROP),
            refused -> assertThat(refused.holds()).containsExactly("case 7"));
    assertThat(figures.countRefused(ErasureCause.DROP)).isEqualTo(1);

    hold(day.plusDays(2), day.plusDays(9));
    sweep(200);
    assertThat(journal.droppedThrough()).isPresent();
  }

  private void hold(LocalDate since, LocalDate until) {
    legalHolds = Optional.of(List.of(new LegalHold("case 7", null, "joe", since, until)));
  }

  @Test
  void nothingGoesWhileTheLegalHoldsAreNotKnown() {
    legalHolds = Optional.empty();
    sweep(200);

    assertThat(journal.droppedThrough()).isEmpty();
  }
}
