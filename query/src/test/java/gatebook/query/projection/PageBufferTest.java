package gatebook.query.projection;

import static org.assertj.core.api.Assertions.assertThat;

import gatebook.events.journal.ConflictCondition;
import gatebook.events.journal.Journal;
import gatebook.events.journal.Journals;
import gatebook.events.journal.storage.Entry;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
final class PageBufferTest {
  @TempDir private Path directory;

  @Test
  void aBusyNodeGathersForAHundredMilliseconds() {
    assertThat(PageBuffer.moreNanos(19)).isZero();
    assertThat(PageBuffer.moreNanos(20)).isEqualTo(TimeUnit.MILLISECONDS.toNanos(80));
  }

  @Test
  void aPageAfterLargeEventsHasFewer() {
    try (Journal journal = Journals.opened(Journals.inSegments(directory))) {
      append(journal, 8, 500_000);
      append(journal, 8, 10);
      PageBuffer pages = new PageBuffer(journal);

      assertThat(pageAfter(pages, 0)).hasSize(16);
      assertThat(pageAfter(pages, 0)).hasSize(4);
      assertThat(pageAfter(pages, 8)).hasSize(2);
      assertThat(pageAfter(pages, 8)).hasSize(8);

      pages.close();
    }
  }

  private static List<Entry> pageAfter(PageBuffer pages, long position) {
    pages.restart(position);
    assertThat(pages.fill(UnaryOperator.identity())).isTrue();
    return pages.take().orElseThrow();
  }

  private static void append(Journal journal, int count, int chars) {
    journal
        .append(
            ConflictCondition.none(),
            Collections.nCopies(count, "x".repeat(chars)).stream().map(Journals::draft).toList())
        .join();
  }
}
