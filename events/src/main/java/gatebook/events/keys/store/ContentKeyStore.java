package gatebook.events.keys.store;

import gatebook.events.keys.ContentKeys;
import gatebook.events.keys.KeysUnavailable;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The store of content keys: it keeps them wrapped and apart from the journal, and erases them.
 * What changes it throws {@link KeysUnavailable} when it cannot be done now.
 */
public interface ContentKeyStore extends ContentKeys, AutoCloseable {

  /** The result of opening a store. */
  sealed interface Opening {
    /**
     * The store is open.
     *
     * @param missing the keys of the newest events that are neither in the store nor erased
     */
    record Opened(ContentKeyStore store, List<String> missing) implements Opening {}

    /** Nothing was opened; the sentence says to an operator why and what to do. */
    record Refused(String sentence) implements Opening {}
  }

  /**
   * Keys that can be made before their day.
   *
   * @param owners those who used a key in this process on the day before, and have none of this day
   * @param made keys of the day that are there already
   */
  record DueKeys(int owners, int made) {}

  /** How many keys of a day can be made before it. */
  DueKeys dueKeys(LocalDate day);

  /**
   * Makes keys of a day before it, durable by one write. No owner gets one whose key of the day
   * before is erased.
   *
   * @param max at most so many, for those first who used a key first
   * @return how many were made
   */
  int makeDueKeys(LocalDate day, int max);

  /** The keys of a selection of owners, in the order in which they were made. */
  List<StoredKey> list(KeySelection selection);

  /** How many keys there are. */
  long count();

  /**
   * Erases keys: from then on {@link #find} says that they are erased, and nothing in the store
   * opens to them. The store goes on under a new key, and where its wrapping key is a file, under a
   * new wrapping key. When the process is killed meanwhile, they are erased or none of them is.
   *
   * @param position the position of the journal's event that asks for this erasure; 0 for none
   */
  void erase(Collection<String> ids, long position);

  /** The position up to which the erasures of the journal were applied. */
  long erasedUpTo();

  /** The fingerprint of the wrapping key. */
  String wrappingKey();

  /**
   * Goes on under a new wrapping key and destroys the one of before.
   *
   * @param operator the name of the operator
   * @return what to record; it stays {@link #unrecordedRotation} until it is recorded
   */
  WrappingRotation rotateWrapping(String operator);

  /** A rotation of which the journal has no event yet. */
  Optional<WrappingRotation> unrecordedRotation();

  /** Notes that the journal has the event of the rotation. */
  void rotationRecorded();

  /**
   * Writes all keys and the ids of erased ones to a file that is encrypted. A file that is there is
   * replaced only when it is a backup of this store. When the process is killed meanwhile, the file
   * is what it was before, or the new backup.
   *
   * @param begin runs before anything is written; says why nothing is to be written
   */
  KeyBackup.Writing backUp(Path file, BackupKey key, Supplier<Optional<String>> begin);

  /**
   * Takes in the keys of a backup, but for those that are erased here or there. When the process is
   * killed meanwhile, all of them are taken in or none.
   *
   * @return how many keys were added
   */
  long add(KeyBackup backup);

  /** How many keys were made after a time. */
  long madeAfter(Instant time);

  /** The store's own name for operators. */
  String describe();

  @Override
  void close();
}
