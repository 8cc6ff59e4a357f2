package gatebook.events.journal.checkpoint;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The keys that signed a journal, one after the other, around those that are trusted.
 *
 * <p>A key signs the checkpoints over the events from its own rotation up to the next one. A
 * signature outside of that is not valid: a key that was replaced may be known to others.
 */
public final class KeyHistory {
  private final List<VerifierKey> trusted;
  private final List<KeyRotation> rotations;

  private KeyHistory(Collection<VerifierKey> trusted, List<KeyRotation> rotations) {
    this.trusted = List.copyOf(trusted);
    this.rotations = List.copyOf(rotations);
  }

  /** The history of keys that were never replaced. */
  public static KeyHistory of(Collection<VerifierKey> trusted) {
    return of(trusted, List.of());
  }

  /**
   * The history of the trusted keys.
   *
   * @param recorded all rotations in the journal, by ascending position; those that are not linked
   *     to a trusted key are left out
   */
  public static KeyHistory of(Collection<VerifierKey> trusted, List<KeyRotation> recorded) {
    List<KeyRotation> linked = new ArrayList<>();
    List<KeyRotation> history = List.of();
    for (KeyRotation rotation : recorded) {
      if (!linked.isEmpty() && !linked.getLast().isBefore(rotation)) {
        linked.clear();
      }
      linked.add(rotation);
      if (trusted.stream().anyMatch(key -> linked.stream().anyMatch(it -> it.has(key)))) {
        history = List.copyOf(linked);
      }
    }
    return new KeyHistory(trusted, history);
  }

  public List<VerifierKey> trusted() {
    return trusted;
  }

  /** The rotations, by ascending position. */
  public List<KeyRotation> rotations() {
    return rotations;
  }

  /** The same history, and a rotation after it. */
  public KeyHistory with(KeyRotation next) {
    return of(
        Stream.concat(trusted.stream(), Stream.of(next.newKey())).toList(),
        Stream.concat(rotations.stream(), Stream.of(next)).toList());
  }

  /** Whether the newest key is trusted without any rotation. */
  public boolean trustsNewest() {
    return rotations.isEmpty() || trusts(rotations.getLast().newKey());
  }

  /** The rotation by which a checkpoint over so many events has its key; empty before the first. */
  public Optional<KeyRotation> rotationBefore(long size) {
    return rotations.reversed().stream().filter(it -> it.position() <= size).findFirst();
  }

  /** The rotation before another one; empty for the first. */
  public Optional<KeyRotation> before(KeyRotation rotation) {
    return rotationBefore(rotation.position() - 1);
  }

  /**
   * Whether the new key of a rotation is trusted only because of a checkpoint that both keys
   * signed: neither it nor a later key is trusted from the beginning.
   */
  public boolean needsIntroduction(KeyRotation rotation) {
    return rotations.stream()
        .filter(it -> it.position() >= rotation.position())
        .noneMatch(it -> trusts(it.newKey()));
  }

  /** Whether the checkpoints over these events have one key, which is trusted without rotation. */
  public boolean isTrustedThroughout(long first, long last) {
    return rotations.stream().noneMatch(it -> first <= it.position() && it.position() <= last)
        && inForce(last).map(this::trusts).orElse(true);
  }

  /**
   * Opens a checkpoint: valid when the key signed it whose turn it was, whether or not that key was
   * introduced rightly.
   */
  public OpenedNote<Checkpoint> open(byte[] note) {
    OpenedNote<Checkpoint> opened = Checkpoint.open(note, keys());
    if (!(opened instanceof OpenedNote.Valid<Checkpoint>(Checkpoint checkpoint, VerifierKey by))) {
      return opened;
    }
    Optional<VerifierKey> inForce = inForce(checkpoint.size());
    if (inForce.isEmpty() || inForce.get().isSameKey(by)) {
      return opened;
    }
    return Checkpoint.open(note, List.of(inForce.get()))
            instanceof OpenedNote.Valid<Checkpoint> valid
        ? valid
        : new OpenedNote.NotInForce<>(by.label(), checkpoint.size(), inForce.get().label());
  }

  /** The key for a checkpoint over so many events; empty when any trusted one may sign it. */
  private Optional<VerifierKey> inForce(long size) {
    return rotations.isEmpty()
        ? Optional.empty()
        : Optional.of(
            rotationBefore(size)
                .map(KeyRotation::newKey)
                .orElseGet(() -> rotations.getFirst().oldKey()));
  }

  /** Every key that may have signed the journal. */
  public List<VerifierKey> keys() {
    return Stream.concat(
            trusted.stream(), rotations.stream().flatMap(it -> Stream.of(it.oldKey(), it.newKey())))
        .toList();
  }

  private boolean trusts(VerifierKey key) {
    return trusted.stream().anyMatch(key::isSameKey);
  }
}
