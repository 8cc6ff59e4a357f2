package gatebook.query.errors;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import gatebook.events.GateDenied;
import gatebook.events.Proof;
import gatebook.events.call.Action;
import gatebook.events.call.DenialReason;
import gatebook.events.call.Ruling;
import gatebook.events.call.Verdict;
import gatebook.events.journal.DraftEvent;
import gatebook.events.keys.MemoryContentKeys;
import gatebook.query.FollowedJournal;
import gatebook.query.RandomEvents;
import gatebook.query.counts.CountTable;
import gatebook.query.counts.StoredCounts;
import gatebook.query.errors.ErrorQueries.ErrorCounts;
import gatebook.query.errors.ErrorQueries.ErrorPage;
import gatebook.query.projection.ColumnFilter;
import gatebook.query.projection.EventReader;
import gatebook.query.projection.View;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Denials and errors are counted and listed exactly, whatever the journal has. */
@Timeout(300)
final class ErrorCountsTest {
  private static final int APPENDS = Proof.rounds(600, 2_000);
  private static final int QUESTIONS = Proof.rounds(80, 250);

  @TempDir private Path directory;

  private final long seed = Proof.seed();
  private final SplittableRandom random = new SplittableRandom(seed);
  private final RandomEvents randomEvents =
      random.nextInt(4) > 0 ? RandomEvents.crowded(random) : new RandomEvents(random);
  private final List<Instant> times = new ArrayList<>();
  @AutoClose private FollowedJournal followed;

  @BeforeEach
  void open() {
    followed = FollowedJournal.in(directory);
  }

  private void append(List<DraftEvent> drafts) {
    times.add(Instant.parse(drafts.getLast().at()));
    followed.append(drafts);
  }

  @ParameterizedTest
  @EnumSource
  void answersAreThoseOfTheEventsOneByOne(Counted counted) throws Exception {
    ErrorQueries queries = followed.follow(ErrorQueries::follow, it -> it.view().close());
    int rebuilt = random.nextInt(APPENDS);
    for (int i = 0; i < APPENDS; i++) {
      append(randomEvents.next());
      if (i == rebuilt) {
        queries.view().startRebuild(random.nextLong(queries.view().position() + 1));
      }
    }
    await().until(() -> queries.view().status().replay() == null);
    queries.view().awaitWithoutLimit(followed.journal().head());
    NaiveErrors naive = NaiveErrors.of(followed.journal());

    for (int i = 0; i < QUESTIONS; i++) {
      CountErrors question =
          new CountErrors(
              filter(naive, counted),
              counted.dimensions().stream().filter(_ -> random.nextInt(4) == 0).toList(),
              time(),
              1 + random.nextInt(30),
              0);
      ErrorCounts counts = queries.handle(question);
      assertThat(counts)
          .as("seed %d, %s", seed, question)
          .isEqualTo(naive.count(question, counts.reached()));
      assertThat(listed(queries, question.filter()))
          .as("seed %d, %s", seed, question)
          .isEqualTo(naive.list(question.filter()));
    }
  }

  /** Each member is nearly always anything, and else that of some denial or error. */
  private ErrorFilter filter(NaiveErrors naive, Counted counted) {
    List<NaiveErrors.Item> items = naive.of(counted);
    Map<String, String> values = new HashMap<>(items.get(random.nextInt(items.size())).values());
    Map<String, ColumnFilter> members = new HashMap<>();
    for (String member : counted.members()) {
      if (random.nextInt(8) == 0) {
        members.put(
            member,
            Optional.ofNullable(values.get(member))
                .<ColumnFilter>map(ColumnFilter.Exactly::new)
                .orElse(ColumnFilter.NOTHING));
      }
    }
    return new ErrorFilter(
        counted,
        random.nextBoolean() ? Optional.empty() : Optional.of(time()),
        random.nextBoolean() ? Optional.empty() : Optional.of(time()),
        members);
  }

  private Instant time() {
    return RandomEvents.timeNear(times.get(random.nextInt(times.size())), random);
  }

  private List<ListedError> listed(ErrorQueries queries, ErrorFilter filter) throws Exception {
    List<ListedError> listed = new ArrayList<>();
    OptionalLong after = OptionalLong.empty();
    long total;
    do {
      ErrorPage page = queries.handle(new ListErrors(filter, after, 1 + random.nextInt(200), 0));
      page.errors().forEach(it -> listed.add(own(filter.counted(), it)));
      total = page.total();
      after = page.next();
    } while (after.isPresent());
    assertThat(listed.stream().mapToLong(ListedError::times).sum())
        .as("seed %d, %s", seed, filter)
        .isEqualTo(total);
    return listed;
  }

  /** A denial without what it has of its error, or an error without what it has of its denial. */
  private static ListedError own(Counted counted, ListedError listed) {
    boolean isError = counted == Counted.ERRORS;
    return new ListedError(
        listed.callId(),
        listed.at(),
        listed.times(),
        isError ? listed.fingerprint() : null,
        listed.dialect(),
        listed.code(),
        isError ? listed.fault() : null,
        listed.gate(),
        listed.target(),
        isError ? listed.agent() : null,
        isError ? listed.skill() : null,
        isError ? null : listed.principal(),
        isError ? null : listed.reason(),
        listed.bothVerdicts());
  }

  @Test
  void anEventThatIsParkedAndDiscardedIsNotCounted() throws Exception {
    ErrorQueries queries = followed.follow(ErrorQueries::follow, it -> it.view().close());
    DraftEvent good =
        MemoryContentKeys.vocabulary()
            .draft(
                new GateDenied(
                    new UUID(7, 7),
                    "rules",
                    null,
                    "ada",
                    List.of(
                        new Ruling.Governance(
                            new Verdict.Deny(DenialReason.RULE, null), Action.DENY, 1, "*", 1))),
                Instant.parse("2026-01-02T03:04:05Z"));
    DraftEvent unreadable =
        DraftEvent.of(
            UUID.randomUUID().toString(),
            good.name(),
            good.version(),
            Instant.parse(good.at()).plus(Duration.ofMinutes(1)),
            good.tags(),
            new byte[] {'{'},
            good.metadata());
    List<DraftEvent> page = new ArrayList<>(events(200));
    page.add(unreadable);
    page.addAll(randomEvents.next());
    append(page);
    queries.view().awaitHead(0);
    assertThat(queries.view().parked(10)).hasSize(1);
    assertKept(queries.view());

    assertThat(queries.view().discard(queries.view().parked(10).getFirst().position())).isTrue();

    assertKept(queries.view());
  }

  /** Errors of agents fail at first: they need the events of their call. */
  @Test
  void eventsThatWereParkedAreCountedOnce() throws Exception {
    AtomicBoolean fails = new AtomicBoolean(true);
    ErrorsProjection projection =
        new ErrorsProjection(_ -> {
          if (fails.get()) {
            throw new IllegalStateException("not yet");
          }
          return List.of();
        });
    try (View view =
        View.follow(followed.views(), followed.journal(), projection, new EventReader())) {
      append(events(400));
      view.awaitHead(0);
      assertThat(view.parked(1_000)).hasSizeGreaterThan(5);
      assertKept(view);

      fails.set(false);
      view.parked(1_000).forEach(parked -> view.retry(parked.position()));

      assertThat(view.parked(1_000)).isEmpty();
      assertKept(view);
    }
  }

  private List<DraftEvent> events(int appends) {
    List<DraftEvent> events = new ArrayList<>();
    for (int i = 0; i < appends; i++) {
      events.addAll(randomEvents.next());
    }
    return events;
  }

  private void assertKept(View view) {
    for (CountTable table : Counted.countTables()) {
      List<String> stored = view.read(it -> StoredCounts.of(it, table));
      List<String> derived = view.read(it -> StoredCounts.derived(it, table));
      assertThat(stored).as("seed %d", seed).isNotEmpty().isEqualTo(derived);
    }
  }
}
