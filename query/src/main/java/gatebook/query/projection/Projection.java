package gatebook.query.projection;

import gatebook.events.journal.storage.Entry;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/**
 * A projection: computes the tables of one view from the journal's events, with a method for each
 * event that it uses, annotated with {@link ProjectionHandler}.
 *
 * <p>It may depend on nothing but the events so far: the view can be dropped and rebuilt with the
 * same content. Events of different calls may arrive in another order than in the journal, because
 * events that cannot be handled are parked, and with them the later events of their call. Events of
 * the same call always arrive in order. For a view of trees, read tree for call.
 */
public interface Projection {
  /**
   * The name, a plain word in lower case. Operators see it, and the view's schema is named after
   * it.
   */
  String name();

  /**
   * The version. When it differs from the version the view was built with, the view is rebuilt from
   * the first event.
   */
  int version();

  List<ViewTable> tables();

  /** The tables that a rebuild does not copy row by row. */
  default List<SeededTable> seededTables() {
    return List.of();
  }

  /** The tag of the events whose order matters; every table but a seeded one has its column. */
  default GroupTag groupTag() {
    return GroupTag.CALL;
  }

  /** Opens the rows of a page: the handlers of its events change them. */
  PageRows rows(Connection view) throws SQLException;

  /**
   * Deletes the rows of events that were dropped from the journal. The rows of the page are written
   * already. It costs what the deleted rows do, and it leaves what a view has that is built from
   * what is left.
   */
  default void drop(Connection view, DroppedEvents dropped) throws SQLException {
    for (ViewTable viewTable : tables()) {
      dropped.delete(view, viewTable.name());
    }
  }

  /**
   * Whether the view would be wrong without this event. Such an event is parked when no handler
   * knows its name, as when a newer version wrote it.
   */
  default boolean requiresHandler(Entry entry) {
    return false;
  }
}
