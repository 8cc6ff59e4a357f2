package gatebook.query.terms;

import gatebook.query.projection.View;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;

/**
 * Searches the places of terms in an index. All statements of its connection must be as of one
 * moment: see {@link View#readSnapshot}.
 */
public final class TermSearch implements AutoCloseable {
  private final int termBytes;
  private final List<StoredList> lists;
  private final Map<StoredList, Occurrences> contents = new HashMap<>();

  /** Of each list the chunk that was read last: terms that follow one another are often in one. */
  private final Map<StoredList, Chunk> chunks = new HashMap<>();

  private final PreparedStatement selectContent;
  private final PreparedStatement selectChunk;

  private record Chunk(long number, Occurrences content) {}

  public TermSearch(Connection view, TermIndex index) throws SQLException {
    OccurrenceLists stored = new OccurrenceLists(view, index.name(), index.termBytes());
    this.termBytes = index.termBytes();
    this.lists = stored.all();
    this.selectContent = stored.selectContent();
    this.selectChunk = stored.selectChunk();
  }

  /**
   * The highest places of a term, the highest first.
   *
   * @param highest no place is higher
   * @param limit the most places
   */
  public List<Long> places(byte[] term, long highest, int limit) throws SQLException {
    NavigableSet<Long> places = new TreeSet<>(Collections.reverseOrder());
    for (StoredList list : lists) {
      boolean isFull = places.size() == limit;
      if (list.lowest() <= highest && !(isFull && list.highest() < places.last())) {
        add(places, list, term, highest, limit);
      }
    }
    return List.copyOf(places);
  }

  private void add(NavigableSet<Long> places, StoredList list, byte[] term, long highest, int limit)
      throws SQLException {
    byte[] first = Occurrences.occurrence(term, highest);
    Occurrences content = content(list);
    if (!list.hasChunks()) {
      boolean _ = add(places, content, first, term, limit);
      return;
    }
    int chunk = Math.max(0, content.indexOf(first) - 1);
    boolean goesOn = true;
    while (goesOn && chunk < content.count()) {
      long number = OccurrenceLists.chunk(list.number(), chunk);
      goesOn = add(places, chunk(list, number), first, term, limit);
      chunk++;
    }
  }

  private Occurrences content(StoredList list) throws SQLException {
    Occurrences content = contents.get(list);
    if (content == null) {
      content = read(selectContent, list.number());
      contents.put(list, content);
    }
    return content;
  }

  private Occurrences chunk(StoredList list, long number) throws SQLException {
    Chunk chunk = chunks.get(list);
    if (chunk == null || chunk.number != number) {
      chunk = new Chunk(number, read(selectChunk, number));
      chunks.put(list, chunk);
    }
    return chunk.content;
  }

  /** Adds the places that a part of a list has. Returns whether the next part may have more. */
  private static boolean add(
      NavigableSet<Long> places, Occurrences part, byte[] first, byte[] term, int limit) {
    int index = part.indexOf(first);
    while (index < part.count() && part.isOf(term, index)) {
      long place = part.place(index);
      if (places.size() == limit && place <= places.last()) {
        return false;
      }
      places.add(place);
      if (places.size() > limit) {
        places.pollLast();
      }
      index++;
    }
    return index == part.count();
  }

  private Occurrences read(PreparedStatement select, long number) throws SQLException {
    select.setLong(1, number);
    try (ResultSet row = select.executeQuery()) {
      if (!row.next()) {
        throw new IllegalStateException("no part of the index has number " + number);
      }
      return new Occurrences(termBytes, row.getBytes(1));
    }
  }

  @Override
  public void close() throws SQLException {
    try (selectContent;
        selectChunk) {
      // closes both, also when one fails
    }
  }
}
