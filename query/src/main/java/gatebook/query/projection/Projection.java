package gatebook.query.projection;

import gatebook.events.journal.Entry;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/**
 * What one question remembers of the journal's events.
 *
 * <p>It may depend on nothing but the events before: the view can be dropped and made again with
 * the same content. Events of different calls may come in another order than that of the journal,
 * since those of a call that cannot be handled are put aside; those of one call never do.
 */
public interface Projection {
  /** A plain word in lower case; operators see it, and the view's tables lie under it. */
  String name();

  /** Another one than the view was made with, and the view is made again from the first event. */
  int version();

  List<ViewTable> tables();

  /** Changes the tables as these events, which are the next in the journal, demand. */
  void project(Connection view, List<Entry> events) throws SQLException;
}
