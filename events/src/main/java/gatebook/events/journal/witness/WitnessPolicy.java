package gatebook.events.journal.witness;

import gatebook.events.journal.checkpoint.VerifierKey;
import java.net.URI;
import java.util.List;
import java.util.Set;

/**
 * A C2SP trust policy (tlog-policy) of a log: its witnesses, and which of them must cosign a
 * checkpoint until it counts as cosigned.
 *
 * @param text of the policy
 * @param logs the keys in it; none where the log is known otherwise
 */
public record WitnessPolicy(
    String text, List<VerifierKey> logs, List<KnownWitness> witnesses, Quorum quorum) {

  public WitnessPolicy {
    logs = List.copyOf(logs);
    witnesses = List.copyOf(witnesses);
  }

  /** The policy for others: of one log, without addresses, comments and other logs. */
  public String published(VerifierKey log) {
    StringBuilder lines = new StringBuilder("log ").append(log.text()).append('\n');
    for (String line : text.split("\n", -1)) {
      List<String> words = WitnessPolicyReader.words(line);
      switch (words.isEmpty() ? "" : words.getFirst()) {
        case "witness" -> lines.append(String.join(" ", words.subList(0, 3))).append('\n');
        case "group", "quorum" -> lines.append(String.join(" ", words)).append('\n');
        default -> {} // comments, and logs
      }
    }
    return lines.toString();
  }

  /**
   * A witness that is asked.
   *
   * @param name in the policy
   * @param url the prefix of its paths
   */
  public record KnownWitness(String name, VerifierKey key, URI url) {}

  /** Who must cosign. */
  public sealed interface Quorum {

    /** Whether the holders of these keys are enough. */
    default boolean isMet(Set<VerifierKey> cosigned) {
      return switch (this) {
        case None() -> true;
        case One(VerifierKey key) -> cosigned.contains(key);
        case Group(int least, List<Quorum> members) ->
            members.stream().filter(it -> it.isMet(cosigned)).count() >= least;
      };
    }

    /** Nobody. */
    record None() implements Quorum {}

    /** This witness. */
    record One(VerifierKey key) implements Quorum {}

    /** At least so many of these. */
    record Group(int least, List<Quorum> members) implements Quorum {
      public Group {
        members = List.copyOf(members);
      }
    }
  }
}
