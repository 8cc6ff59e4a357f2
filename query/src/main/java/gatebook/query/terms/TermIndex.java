package gatebook.query.terms;

import gatebook.query.projection.DroppedEvents;
import gatebook.query.projection.SeededTable;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * An index that says at which places of the journal a term occurs. Terms and occurrences are only
 * added, until the events of their places are dropped.
 *
 * <p>An index with a row for each occurrence would change one block of the file for each random
 * term, and more of them the larger it is. Here each page adds one sorted list of all its
 * occurrences, and when there are many lists, the latest become one: an occurrence is written a few
 * times, however many there are. A search looks into each list.
 *
 * @param termBytes the length of each term
 * @param positionsPerPlace how many positions of the journal are one place
 */
public record TermIndex(String name, int termBytes, int positionsPerPlace) implements SeededTable {

  /** The place of a position. */
  public long place(long position) {
    return position / positionsPerPlace;
  }

  /** Removes the occurrences at places of which all events were dropped. */
  public void drop(Connection view, DroppedEvents dropped) throws SQLException {
    new OccurrenceLists(view, name, termBytes)
        .remove(
            place(dropped.event().from()),
            place(dropped.event().to()),
            place ->
                dropped.containsAll(
                    place * positionsPerPlace, (place + 1) * positionsPerPlace - 1));
  }

  @Override
  public List<String> statements() {
    return OccurrenceLists.statements(name);
  }

  /** Copies the occurrences up to the place of the position, list by list. */
  @Override
  public Filling filling(Connection view, String oldSchema, long upTo) throws SQLException {
    OccurrenceLists old = new OccurrenceLists(view, oldSchema + "." + name, termBytes);
    OccurrenceLists fresh = new OccurrenceLists(view, name, termBytes);
    Deque<StoredList> left = new ArrayDeque<>(old.all());
    return () -> {
      StoredList oldest = left.pollLast();
      if (oldest != null) {
        Occurrences some = old.occurrences(oldest).upTo(place(upTo));
        if (some.count() > 0) {
          fresh.insert(oldest.number(), some);
        }
      }
      return !left.isEmpty();
    };
  }
}
