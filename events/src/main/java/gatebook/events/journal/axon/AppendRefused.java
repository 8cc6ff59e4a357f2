package gatebook.events.journal.axon;

import gatebook.events.journal.Append;
import java.io.Serial;

/**
 * An append that the journal refused, as an exception: a future of Axon knows only success and
 * exceptions.
 */
public final class AppendRefused extends RuntimeException {
  @Serial private static final long serialVersionUID = 1L;

  private final transient Append.Refused refusal;

  public AppendRefused(Append.Refused refusal) {
    super(refusal.reason(), null, false, false);
    this.refusal = refusal;
  }

  public Append.Refused refusal() {
    return refusal;
  }
}
