package gatebook.events.journal.witness;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.groupingBy;

import gatebook.events.journal.checkpoint.VerifierKey;
import gatebook.events.journal.tree.Sha256;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The logs that a witness knows: the keys of each, by its origin, which is their name. */
public record WitnessedLogs(Map<String, List<VerifierKey>> keys) {

  public WitnessedLogs {
    keys = Map.copyOf(keys);
  }

  /** The logs of these keys; a log has several where one replaces another. */
  public static WitnessedLogs of(Collection<VerifierKey> keys) {
    return new WitnessedLogs(
        keys.stream().collect(groupingBy(VerifierKey::name, Collectors.toUnmodifiableList())));
  }

  /** The keys of a log; none when it is not known. */
  List<VerifierKey> keysOf(String origin) {
    return keys.getOrDefault(origin, List.of());
  }

  /** Whether one of the logs has this hash. */
  boolean has(String log) {
    return keys.keySet().stream().anyMatch(origin -> hash(origin).equals(log));
  }

  /** The hash of an origin, by which its checkpoint is asked for. */
  public static String hash(String origin) {
    return HexFormat.of().formatHex(Sha256.of(origin.getBytes(UTF_8)));
  }
}
