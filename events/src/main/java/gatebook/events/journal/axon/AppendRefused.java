package gatebook.events.journal.axon;

import gatebook.events.journal.Append;
import gatebook.events.keys.KeysUnavailable;
import java.io.Serial;
import java.util.Objects;
import java.util.Optional;

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

  /**
   * Why a failed command recorded nothing; empty when it failed for another reason. Without a key
   * for its content an event cannot be recorded.
   */
  public static Optional<Append.Refused> refusal(Throwable failure) {
    return switch (failure) {
      case AppendRefused refused -> Optional.of(refused.refusal);
      case KeysUnavailable keys ->
          Optional.of(new Append.Unavailable(Objects.requireNonNull(keys.getMessage())));
      default -> Optional.empty();
    };
  }
}
