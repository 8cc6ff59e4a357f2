package gatebook.events.journal;

import java.io.Serial;

/** The process that keeps the journal does not answer; another may take its place. */
public final class BookOutOfReach extends RuntimeException {
  @Serial private static final long serialVersionUID = 1L;

  public BookOutOfReach(String reason) {
    super(reason);
  }
}
