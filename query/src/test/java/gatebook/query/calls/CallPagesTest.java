package gatebook.query.calls;

import static org.assertj.core.api.Assertions.assertThat;

import gatebook.events.Proof;
import gatebook.events.journal.Journal;
import gatebook.query.FollowedJournal;
import gatebook.query.RandomEvents;
import gatebook.query.call.CallView;
import gatebook.query.projection.GroupTag;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Pages of calls with random filters, compared with a search through all calls. */
@Timeout(300)
final class CallPagesTest {
  private static final int APPENDS = Proof.rounds(1_000, 3_000);
  private static final int ROUNDS = Proof.rounds(40, 100);

  @TempDir private Path directory;

  private final long seed = Proof.seed();
  private final SplittableRandom random = new SplittableRandom(seed);
  @AutoClose private FollowedJournal followed;
  private Journal journal;
  private CallQueries queries;

  @BeforeEach
  void open() throws InterruptedException {
    followed = FollowedJournal.in(directory);
    journal = followed.journal();
    queries = followed.follow(CallQueries::follow, it -> it.view().close());
    RandomEvents randomEvents = new RandomEvents(random);
    for (int i = 0; i < APPENDS; i++) {
      followed.append(randomEvents.next());
    }
    followed.awaitHead(List.of(queries.view()));
  }

  @Test
  void pagesHaveExactlyTheMatchingCallsNewestFirst() throws InterruptedException {
    List<CallView> all = pages(CallFilter.ALL);

    assertThat(all).extracting(CallView::callId).containsExactlyElementsOf(newestFirst());
    for (int round = 0; round < ROUNDS; round++) {
      CallView example = all.get(random.nextInt(all.size()));
      CallFilter filter = filterFor(example);
      assertThat(pages(filter))
          .as("seed %d, %s", seed, filter)
          .containsExactlyElementsOf(all.stream().filter(matching(filter)).toList());
    }
  }

  /** The calls in the opposite order of their first events. */
  private List<UUID> newestFirst() {
    return journal.find(null, 0, journal.head(), Integer.MAX_VALUE).stream()
        .flatMap(entry -> GroupTag.CALL.of(entry).stream())
        .distinct()
        .toList()
        .reversed();
  }

  private List<CallView> pages(CallFilter filter) throws InterruptedException {
    List<CallView> calls = new ArrayList<>();
    OptionalLong before = OptionalLong.empty();
    do {
      CallQueries.Page page =
          queries.handle(new ListCalls(filter, before, 1 + random.nextInt(60), 0));
      calls.addAll(page.calls());
      before = page.next();
    } while (before.isPresent());
    return calls;
  }

  private static Instant receivedAt(CallView call) {
    return Instant.parse(Objects.requireNonNull(call.receivedAt()));
  }

  /** A filter that the call matches, with one condition more often than several. */
  private CallFilter filterFor(CallView call) {
    int one = random.nextInt(11);
    boolean several = random.nextInt(3) == 0;
    Predicate<Integer> chosen = i -> i == one || (several && random.nextInt(3) == 0);
    return new CallFilter(
        some(chosen.test(0), call.status()),
        some(chosen.test(1), call.gate()),
        some(chosen.test(2), call.dialect()),
        some(chosen.test(3), call.method()),
        some(chosen.test(4), call.target()),
        some(chosen.test(5), call.principal()),
        some(chosen.test(6), call.code()),
        some(chosen.test(7), call.fault()),
        some(chosen.test(8), call.correlationId()),
        some(chosen.test(9), receivedAt(call)),
        some(chosen.test(10), receivedAt(call).plusNanos(1)));
  }

  private static <T> Optional<T> some(boolean chosen, @Nullable T value) {
    return chosen ? Optional.ofNullable(value) : Optional.empty();
  }

  private static Predicate<CallView> matching(CallFilter filter) {
    return call ->
        has(filter.status(), call.status())
            && has(filter.gate(), call.gate())
            && has(filter.dialect(), call.dialect())
            && has(filter.method(), call.method())
            && has(filter.target(), call.target())
            && has(filter.principal(), call.principal())
            && has(filter.code(), call.code())
            && has(filter.fault(), call.fault())
            && has(filter.correlationId(), call.correlationId())
            && filter.since().filter(receivedAt(call)::isBefore).isEmpty()
            && filter.until().filter(until -> !receivedAt(call).isBefore(until)).isEmpty();
  }

  private static boolean has(Optional<?> wanted, @Nullable Object value) {
    return wanted.isEmpty() || wanted.get().equals(value);
  }
}
