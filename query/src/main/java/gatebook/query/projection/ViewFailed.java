package gatebook.query.projection;

import java.io.Serial;
import java.sql.SQLException;

/** Thrown when the database of the views failed. */
public final class ViewFailed extends RuntimeException {
  @Serial private static final long serialVersionUID = 1L;

  public ViewFailed(SQLException cause) {
    super("the database of the views failed", cause);
  }
}
