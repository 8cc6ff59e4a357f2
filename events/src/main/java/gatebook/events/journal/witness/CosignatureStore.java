package gatebook.events.journal.witness;

import static java.nio.charset.StandardCharsets.UTF_8;

import gatebook.events.journal.checkpoint.CosignedCheckpoint;
import gatebook.events.journal.checkpoint.OpenedNote;
import gatebook.events.journal.checkpoint.VerifierKey;
import gatebook.events.journal.tree.Sha256;
import gatebook.events.journal.witness.WitnessPolicy.KnownWitness;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The newest checkpoint that each witness cosigned of this log, and the newest one with the
 * cosignatures of a quorum. Nodes that share a journal share them.
 */
public final class CosignatureStore implements AutoCloseable {
  /** The name under which the newest checkpoint is kept that a quorum cosigned. */
  public static final String QUORUM = "quorum";

  private static final String ROUND = "round";

  private final CosignedCheckpoints notes;

  /**
   * A checkpoint that a quorum cosigned.
   *
   * @param policy that has the quorum
   * @param note with the signatures of the log and of the witnesses
   * @param seconds since 1970, when the quorum was complete
   */
  public record Quorate(
      WitnessPolicy policy, CosignedCheckpoint checkpoint, String note, long seconds) {}

  public CosignatureStore(CosignedCheckpoints notes) {
    this.notes = notes;
  }

  /** The newest checkpoint that a witness cosigned; empty when there is none that it signed. */
  public Optional<CosignedCheckpoint> read(VerifierKey witness) throws IOException {
    return notes.read(name(witness)).flatMap(note -> open(note, witness));
  }

  private static String name(VerifierKey witness) {
    return HexFormat.of().formatHex(Sha256.of(witness.text().getBytes(UTF_8)));
  }

  private static Optional<CosignedCheckpoint> open(String note, VerifierKey witness) {
    return CosignedCheckpoint.open(note.getBytes(UTF_8), witness)
            instanceof OpenedNote.Valid<CosignedCheckpoint>(CosignedCheckpoint cosigned, _)
        ? Optional.of(cosigned)
        : Optional.empty();
  }

  /**
   * Keeps what a witness cosigned, unless another node kept something else meanwhile.
   *
   * @param note the checkpoint with the signatures of the log
   */
  void keep(VerifierKey witness, CosignedCheckpoint cosigned, String note) throws IOException {
    replace(name(witness), note + cosigned.line());
  }

  private void replace(String name, String note) throws IOException {
    Optional<String> before = notes.read(name);
    if (!before.equals(Optional.of(note))) {
      boolean _ = notes.replace(name, before, note);
    }
  }

  /**
   * The newest checkpoint of an origin that a quorum cosigned. When the newest ones of the
   * witnesses make one, that is kept for when they differ again.
   */
  public Optional<Quorate> quorate(WitnessPolicy policy, String origin) throws IOException {
    Map<String, List<CosignedCheckpoint>> byText = new HashMap<>();
    Map<String, String> signed = new HashMap<>();
    for (KnownWitness witness : policy.witnesses()) {
      Optional<String> note = notes.read(name(witness.key()));
      Optional<CosignedCheckpoint> cosigned = note.flatMap(it -> open(it, witness.key()));
      if (cosigned.isPresent() && cosigned.get().checkpoint().origin().equals(origin)) {
        byText.computeIfAbsent(cosigned.get().text(), _ -> new ArrayList<>()).add(cosigned.get());
        signed.put(cosigned.get().text(), note.get().replace(cosigned.get().line(), ""));
      }
    }
    Optional<Quorate> kept =
        notes
            .read(QUORUM)
            .flatMap(note -> open(policy, note))
            .filter(it -> it.checkpoint().checkpoint().origin().equals(origin));
    Optional<Quorate> newest =
        byText.keySet().stream()
            .map(text -> signed.get(text) + lines(byText.getOrDefault(text, List.of())))
            .flatMap(note -> open(policy, note).stream())
            .max(NEWEST);
    if (newest.isPresent() && (kept.isEmpty() || NEWEST.compare(kept.get(), newest.get()) < 0)) {
      replace(QUORUM, newest.get().note());
      return newest;
    }
    return kept;
  }

  private static final Comparator<Quorate> NEWEST =
      Comparator.comparingLong((Quorate it) -> it.checkpoint().checkpoint().size())
          .thenComparingLong(Quorate::seconds);

  private static String lines(List<CosignedCheckpoint> cosigned) {
    StringBuilder lines = new StringBuilder();
    cosigned.forEach(it -> lines.append(it.line()));
    return lines.toString();
  }

  /** The note as one that a quorum cosigned; empty when none did. */
  private static Optional<Quorate> open(WitnessPolicy policy, String note) {
    Map<VerifierKey, CosignedCheckpoint> valid = new HashMap<>();
    for (KnownWitness witness : policy.witnesses()) {
      open(note, witness.key()).ifPresent(it -> valid.put(witness.key(), it));
    }
    List<Map.Entry<VerifierKey, CosignedCheckpoint>> newestFirst =
        valid.entrySet().stream()
            .sorted(
                Comparator.comparingLong(
                    (Map.Entry<VerifierKey, CosignedCheckpoint> it) -> -it.getValue().seconds()))
            .toList();
    Set<VerifierKey> soFar = new HashSet<>();
    for (Map.Entry<VerifierKey, CosignedCheckpoint> next : newestFirst) {
      soFar.add(next.getKey());
      if (policy.quorum().isMet(soFar)) {
        return Optional.of(new Quorate(policy, next.getValue(), note, next.getValue().seconds()));
      }
    }
    return Optional.empty();
  }

  /**
   * Begins a round of asking, unless this node or another one began one less than an interval ago.
   */
  public boolean beginRound(Instant now, Duration interval) throws IOException {
    Optional<String> before = notes.read(ROUND);
    boolean isDue =
        before
            .flatMap(CosignatureStore::time)
            .map(last -> last.isAfter(now.plus(interval)) || !last.plus(interval).isAfter(now))
            .orElse(true);
    return isDue && notes.replace(ROUND, before, now.toString());
  }

  private static Optional<Instant> time(String text) {
    try {
      return Optional.of(Instant.parse(text));
    } catch (DateTimeParseException _) {
      return Optional.empty();
    }
  }

  @Override
  public void close() {
    notes.close();
  }
}
