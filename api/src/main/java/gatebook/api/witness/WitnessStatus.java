package gatebook.api.witness;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the witnesses of this log cosigned. Times are RFC 3339 in UTC.
 *
 * @param cosigned the newest checkpoint that a quorum cosigned; null before the first one
 * @param witnesses those of the policy
 */
public record WitnessStatus(@Nullable CosignedAt cosigned, List<Asked> witnesses) {
  public WitnessStatus {
    witnesses = List.copyOf(witnesses);
  }

  /**
   * A cosigned checkpoint.
   *
   * @param position of the last event that it covers
   * @param at when it was cosigned
   */
  public record CosignedAt(long position, String at) {}

  /**
   * A witness.
   *
   * @param name in the policy
   * @param key its verifier key
   * @param cosigned the newest checkpoint that it cosigned
   * @param failure why it did not cosign when this node asked it last; null when it did, or another
   *     node asks
   */
  public record Asked(
      String name, String key, @Nullable CosignedAt cosigned, @Nullable String failure) {}
}
