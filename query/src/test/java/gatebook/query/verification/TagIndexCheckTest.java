package gatebook.query.verification;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import gatebook.events.journal.storage.Entry;
import gatebook.events.journal.storage.JournalSnapshot.IndexedTag;
import gatebook.events.journal.storage.RowCursor;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class TagIndexCheckTest {
  @Test
  void linesOverSeveralEventsListEachOfThem() {
    assertThat(
            check(
                List.of(tagged(1, "a"), tagged(2, "a", "b"), tagged(3, "b"), tagged(4, "a")),
                line("a", 1, 2),
                line("b", 2, 3),
                line("a", 4, 4)))
        .isEmpty();
  }

  @Test
  void aLineThatExtendsPastItsEventsIsReported() {
    assertThat(
            check(
                List.of(tagged(1, "a"), tagged(2, "b"), tagged(3, "b")),
                line("a", 1, 3),
                line("b", 2, 3)))
        .containsExactly(onlyInIndex(2, "a"), onlyInIndex(3, "a"));
  }

  @Test
  void aLineThatEndsBeforeItsEventsIsReported() {
    assertThat(check(List.of(tagged(1, "a"), tagged(2, "a")), line("a", 1, 1)))
        .containsExactly(notInIndex(2, "a"));
  }

  @Test
  void indexedEventsWithoutRowsAreReportedOncePerGap() {
    assertThat(
            check(
                List.of(tagged(1, "a"), tagged(4, "a"), tagged(5)),
                line("a", 1, 9),
                line("b", 3, 3)))
        .containsExactly(
            onlyInIndex(2, "a"), onlyInIndex(3, "b"), onlyInIndex(5, "a"), onlyInIndex(6, "a"));
  }

  @Test
  void anEmptyLineIsReported() {
    assertThat(check(List.of(tagged(1)), line("a", 1, 0), line("b", 7, 3)))
        .containsExactly(onlyInIndex(1, "a"), onlyInIndex(7, "b"));
  }

  @Test
  void aLineAboveTheMaximumIsReported() {
    Entry[] entries = new Entry[IndexedTag.EVENTS_MAX + 1];
    for (int i = 0; i < entries.length; i++) {
      entries[i] = tagged(i + 1, "a");
    }
    long most = IndexedTag.EVENTS_MAX;

    assertThat(check(List.of(entries), line("a", 1, most), line("a", most + 1, most + 1)))
        .isEmpty();
    assertThat(check(List.of(entries), line("a", 1, most + 1)))
        .containsExactlyInAnyOrder(onlyInIndex(most + 1, "a"), notInIndex(most + 1, "a"));
  }

  private static List<VerificationFinding> check(List<Entry> entries, IndexedTag... lines) {
    FindingCollector findingCollector =
        new FindingCollector(VerificationLimits.DEFAULT.findingsMax(), List.of());
    TagIndexCheck check = new TagIndexCheck(cursor(List.of(lines).iterator()), findingCollector);
    entries.forEach(check::checkRow);
    check.end();
    return findingCollector.found(List.of()).stream()
        .map(VerificationReport.Found::finding)
        .toList();
  }

  private static RowCursor<IndexedTag> cursor(Iterator<IndexedTag> lines) {
    return new RowCursor<>() {
      @Override
      public @Nullable IndexedTag next() {
        return lines.hasNext() ? lines.next() : null;
      }

      @Override
      public void close() {}
    };
  }

  private static Entry tagged(long position, String... tags) {
    byte[] nothing = "{}".getBytes(UTF_8);
    return new Entry(
        position,
        "id",
        "name",
        "1",
        "at",
        "node",
        String.join("\n", tags),
        nothing,
        nothing,
        nothing);
  }

  private static IndexedTag line(String tag, long first, long last) {
    return new IndexedTag(tag, first, last);
  }

  private static VerificationFinding onlyInIndex(long position, String tag) {
    return new VerificationFinding.IndexMismatch(position, tag, true);
  }

  private static VerificationFinding notInIndex(long position, String tag) {
    return new VerificationFinding.IndexMismatch(position, tag, false);
  }
}
