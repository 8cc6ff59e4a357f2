package gatebook.events.journal.drop;

import static gatebook.events.journal.Journals.append;
import static gatebook.events.journal.Journals.draft;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import gatebook.events.journal.Journal;
import gatebook.events.journal.JournalState;
import gatebook.events.journal.Journals;
import gatebook.events.journal.archive.DirectoryTarget;
import gatebook.events.journal.archive.FailingTarget;
import gatebook.events.journal.segment.SegmentCompression;
import gatebook.events.journal.segment.SegmentLocation;
import gatebook.events.journal.segment.archive.SegmentDrop;
import gatebook.events.journal.segment.archive.SegmentRetention;
import gatebook.events.journal.storage.DroppableEvents.OldestRange;
import gatebook.events.journal.storage.DroppedThrough;
import gatebook.events.journal.storage.Entry;
import gatebook.events.journal.storage.JournalSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.axonframework.messaging.eventstreaming.EventCriteria;
import org.axonframework.messaging.eventstreaming.Tag;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class DroppedEventsTest {
  private static final int EVENTS = 60;

  @TempDir Path directory;
  private JournalSettings settings;
  private Path segments;
  private final AtomicBoolean begun = new AtomicBoolean();

  @BeforeEach
  void choose() {
    settings =
        Journals.withCheckpoints(
            Journals.withSegments(Journals.inSegments(directory), 5_000), 4, 600_000);
    segments = directory.resolve("journal");
  }

  private void fill(Journal journal) {
    for (int i = 0; i < EVENTS; i++) {
      append(journal, draft("{\"n\":%d}".formatted(i), new Tag("call", "c" + i / 3)));
    }
    await().until(() -> TestDrops.keepingEachTenth(journal).oldest().isPresent());
  }

  private RecordedDrop drop(Journal journal) {
    return TestDrops.dropOldest(TestDrops.keepingEachTenth(journal));
  }

  private static List<String> leaves(Journal journal, long upTo) {
    return journal.leaves(0, upTo).stream().map(HexFormat.of()::formatHex).toList();
  }

  private static List<Long> positions(Journal journal, String call) {
    return journal
        .find(EventCriteria.havingTags(new Tag("call", call)), 0, journal.head(), 9)
        .stream()
        .map(Entry::position)
        .toList();
  }

  private long count(String ending) {
    try (Stream<Path> files = Files.list(segments)) {
      return files.filter(it -> it.toString().endsWith(ending)).count();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @ParameterizedTest
  @EnumSource
  void keptEventsAndAllLeavesStayWhereTheyWere(SegmentCompression compression) {
    settings = Journals.withCompression(settings, compression);
    List<String> leaves;
    List<Entry> before;
    RecordedDrop first;
    RecordedDrop second;
    try (Journal journal = Journals.opened(settings)) {
      fill(journal);
      leaves = leaves(journal, EVENTS);
      before = journal.read(0, EVENTS);
      assertThat(journal.droppedThrough()).isEmpty();
      first = drop(journal);
      second = drop(journal);
      while (second.to() < 12) {
        second = drop(journal);
      }
      expectDropped(journal, second, before, leaves);
      await().until(() -> compression == SegmentCompression.NONE || count(".segment") == 1);
    }

    assertThat(first.from()).isEqualTo(1);
    assertThat(second.from()).isGreaterThan(first.to());
    try (Journal journal = Journals.opened(settings)) {
      assertThat(journal.state()).isEqualTo(new JournalState.Writable());
      expectDropped(journal, second, before, leaves);
      assertThat(append(journal, draft("next"))).isNotNull();
    }
  }

  private static void expectDropped(
      Journal journal, RecordedDrop newest, List<Entry> before, List<String> leaves) {
    long to = newest.to();
    assertThat(journal.droppedThrough())
        .contains(new DroppedThrough(to, Instant.parse(before.get((int) to - 1).at())));
    assertThat(journal.find(null, 0, EVENTS, EVENTS).stream().map(Entry::position).toList())
        .isEqualTo(
            LongStream.rangeClosed(1, EVENTS)
                .filter(it -> it > to || it % 10 == 0)
                .boxed()
                .toList());
    assertThat(journal.find(null, 9, 10, 1).getFirst().id()).isEqualTo(before.get(9).id());
    assertThat(positions(journal, "c0")).isEmpty();
    assertThat(positions(journal, "c3")).containsExactly(10L);
    assertThat(leaves(journal, EVENTS)).isEqualTo(leaves);
    assertThat(journal.leaves(3, 5).stream().map(HexFormat.of()::formatHex).toList())
        .isEqualTo(leaves.subList(3, 5));
  }

  @Test
  void whatAnEventBeganIsFinishedAfterAStart() {
    try (Journal journal = Journals.opened(settings)) {
      fill(journal);
      OldestRange range = TestDrops.keepingEachTenth(journal).oldest().orElseThrow();
      append(journal, TestDrops.statement(range, new DropPlan(PositionSet.NONE, List.of())));
      assertThat(journal.droppedThrough()).isEmpty();
    }

    try (Journal journal = Journals.opened(settings)) {
      await().until(() -> TestDrops.keepingEachTenth(journal).oldest().isPresent());
      assertThat(TestDrops.keepingEachTenth(journal).finishBegun())
          .get()
          .isInstanceOf(EventDrops.Outcome.Dropped.class);
      assertThat(TestDrops.keepingEachTenth(journal).finishBegun()).isEmpty();
      assertThat(journal.droppedThrough()).isPresent();
    }
  }

  @Test
  void droppedEventsLeaveTheArchive() throws IOException {
    Path archive = directory.resolve("archive");
    settings = moving(() -> DirectoryTarget.open(archive));
    List<String> leaves = new ArrayList<>();
    try (Journal journal = Journals.opened(settings)) {
      fill(journal);
      leaves.addAll(leaves(journal, EVENTS));
      await().until(() -> count(".segment") == 1 && count(".segment.z") == 0);
      RecordedDrop dropped = drop(journal);
      assertThat(archive.resolve("segments/0000000000000000001.segment.z")).exists();
      assertThat(TestDrops.keepingEachTenth(journal).removeArchived()).isEmpty();
      assertThat(journal.isArchived(1)).isFalse();
      assertThat(journal.isArchived(dropped.to() + 1)).isTrue();
      assertThat(leaves(journal, EVENTS)).isEqualTo(leaves);
    }

    try (Stream<Path> objects = Files.list(archive.resolve("segments"))) {
      assertThat(objects.map(it -> it.getFileName().toString()))
          .isNotEmpty()
          .noneMatch(it -> it.startsWith("0000000000000000001"));
    }
  }

  /** The settings of a journal whose segments go to an archive as soon as they can. */
  private JournalSettings moving(SegmentRetention.Archive archive) {
    return Journals.at(
        ((SegmentLocation) settings.location())
            .with(
                new SegmentRetention(
                    Optional.of(Duration.ZERO),
                    OptionalLong.empty(),
                    Duration.ZERO,
                    Optional.of(archive),
                    Duration.ofMillis(20))),
        settings);
  }

  @Test
  void segmentIsNotDroppedWhileItGoesToTheArchive() throws Exception {
    Path archive = directory.resolve("archive");
    settings = Journals.withCompression(settings, SegmentCompression.NONE);
    CompletableFuture<Journal> filled = new CompletableFuture<>();
    CompletableFuture<RecordedDrop> dropped = new CompletableFuture<>();
    settings =
        moving(() ->
            FailingTarget.beforePut(
                DirectoryTarget.open(archive), () -> beginDrop(filled.join(), dropped)));
    List<String> leaves;
    try (Journal journal = Journals.opened(settings)) {
      fill(journal);
      leaves = leaves(journal, EVENTS);
      filled.complete(journal);

      RecordedDrop drop = dropped.get(30, TimeUnit.SECONDS);
      assertThat(TestDrops.keepingEachTenth(journal).removeArchived()).isEmpty();
      assertThat(journal.droppedThrough()).get().returns(drop.to(), DroppedThrough::position);
      assertThat(leaves(journal, EVENTS)).isEqualTo(leaves);
    }
    try (Journal journal = Journals.opened(settings)) {
      assertThat(journal.state()).isEqualTo(new JournalState.Writable());
      assertThat(leaves(journal, EVENTS)).isEqualTo(leaves);
    }
  }

  /** Returns when the oldest segment was dropped, or its dropping waits for the move. */
  private void beginDrop(Journal journal, CompletableFuture<RecordedDrop> dropped) {
    if (begun.getAndSet(true)) {
      return;
    }
    Thread thread = Thread.ofPlatform().daemon().start(() -> dropped.complete(drop(journal)));
    await().until(() -> dropped.isDone() || isWaitingIn(thread, SegmentDrop.class));
  }

  private static boolean isWaitingIn(Thread thread, Class<?> type) {
    return thread.getState() == Thread.State.WAITING
        && Stream.of(thread.getStackTrace())
            .anyMatch(frame -> frame.getClassName().equals(type.getName()));
  }
}
