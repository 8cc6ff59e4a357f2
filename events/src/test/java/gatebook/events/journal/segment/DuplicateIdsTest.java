package gatebook.events.journal.segment;

import static org.assertj.core.api.Assertions.assertThat;

import gatebook.events.journal.segment.file.TagHash;
import gatebook.events.journal.storage.JournalSnapshot;
import gatebook.events.journal.storage.RowCursor;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DuplicateIdsTest {
  private static final int EVENTS = 10_000;

  @ParameterizedTest
  @ValueSource(ints = {100, EVENTS, 1 << 20})
  void idsThatOccurMoreThanOnceAreFound(int inMemoryMax) throws IOException {
    List<JournalSnapshot.Id> ids = different();
    ids.add(new JournalSnapshot.Id("id 77", EVENTS + 1));
    ids.add(new JournalSnapshot.Id("id 5", EVENTS + 2));
    ids.add(new JournalSnapshot.Id("id 77", EVENTS + 3));

    assertThat(duplicates(ids, inMemoryMax))
        .containsExactly(
            new JournalSnapshot.Id("id 5", 5),
            new JournalSnapshot.Id("id 5", EVENTS + 2),
            new JournalSnapshot.Id("id 77", 77),
            new JournalSnapshot.Id("id 77", EVENTS + 1),
            new JournalSnapshot.Id("id 77", EVENTS + 3));
  }

  @Test
  void differentIdsAreNotFound() throws IOException {
    List<JournalSnapshot.Id> ids = different();

    assertThat(duplicates(ids, 100)).isEmpty();
  }

  private static List<JournalSnapshot.Id> duplicates(List<JournalSnapshot.Id> ids, int inMemoryMax)
      throws IOException {
    try (DuplicateIds duplicateIds = new DuplicateIds(inMemoryMax)) {
      for (int from = 0; from < ids.size(); from += 70) {
        List<JournalSnapshot.Id> some = ids.subList(from, Math.min(ids.size(), from + 70));
        duplicateIds.add(some.stream().mapToLong(id -> TagHash.hash(id.id())).toArray());
      }
      return DuplicateIds.find(duplicateIds.duplicates(), cursor(ids));
    }
  }

  private static List<JournalSnapshot.Id> different() {
    return new ArrayList<>(
        LongStream.rangeClosed(1, EVENTS)
            .mapToObj(i -> new JournalSnapshot.Id("id " + i, i))
            .toList());
  }

  private static RowCursor<JournalSnapshot.Id> cursor(List<JournalSnapshot.Id> ids) {
    Iterator<JournalSnapshot.Id> iterator = ids.iterator();
    return new RowCursor<>() {
      @Override
      public JournalSnapshot.@Nullable Id next() {
        return iterator.hasNext() ? iterator.next() : null;
      }

      @Override
      public void close() {}
    };
  }
}
