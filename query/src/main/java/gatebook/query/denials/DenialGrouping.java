package gatebook.query.denials;

import java.sql.SQLException;
import java.util.List;

/** The denials of one query, in groups with equal values in its dimensions. */
interface DenialGrouping {
  /** The number of denials in all groups. */
  long total() throws SQLException;

  /** The largest groups, and at most so many. */
  List<DenialGroup> largest(int limit) throws SQLException;
}
