package gatebook.events.journal;

import java.util.List;

/** The names of the events that change what a verification takes for right. */
public final class TrustEvents {
  /** An operator accepted rows that are not what was signed. */
  public static final String MISMATCH_ACCEPTED = "gatebook.MismatchAccepted";

  /** The log goes on under another origin. */
  public static final String ORIGIN_BEGUN = "gatebook.OriginBegun";

  /** Another key signs checkpoints from now on. */
  public static final String CHECKPOINT_KEY_ROTATED = "gatebook.CheckpointKeyRotated";

  /** All of them. */
  public static final List<String> NAMES =
      List.of(MISMATCH_ACCEPTED, ORIGIN_BEGUN, CHECKPOINT_KEY_ROTATED);

  private TrustEvents() {}
}
