package gatebook.events.keys.store;

import gatebook.events.journal.tree.Sha256;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.LongStream;

/**
 * The content of a store, wherever it is kept.
 *
 * @param store the id of the store
 * @param erasedUpTo the position up to which the erasures of the journal were applied
 * @param journal the leaf of the journal's first event; empty until it is known
 * @param unrecorded a rotation of the wrapping key of which the journal has no event yet
 */
record StoreContent(
    UUID store,
    long erasedUpTo,
    Optional<FirstLeaf> journal,
    Optional<WrappingRotation> unrecorded,
    KeyIndex keys) {

  /** The leaf of a journal's first event, which names the journal for as long as it lives. */
  record FirstLeaf(String hex) {
    static final int BYTES = Sha256.BYTES;
  }

  /** A new store without keys. */
  static StoreContent empty(Optional<FirstLeaf> journal) {
    return new StoreContent(
        UUID.randomUUID(), 0, journal, Optional.empty(), new KeyIndex(LongStream.empty()));
  }

  StoreContent of(FirstLeaf leaf) {
    return new StoreContent(store, erasedUpTo, Optional.of(leaf), unrecorded, keys);
  }

  StoreContent with(Optional<WrappingRotation> rotation) {
    return new StoreContent(store, erasedUpTo, journal, rotation, keys);
  }

  /** The same with an index of its own, which does not change with the store. */
  StoreContent copy() {
    return new StoreContent(store, erasedUpTo, journal, unrecorded, keys.without(new long[0]));
  }

  /** The same without some keys, whose ids are erased from then on. */
  StoreContent without(long[] ids, long position) {
    return new StoreContent(
        store, Math.max(erasedUpTo, position), journal, unrecorded, keys.without(ids));
  }

  /**
   * The keys of both, but for those that either of them has erased. The erasures of the journal
   * that only one of them has applied are to be applied again. A store without keys becomes the
   * other one.
   */
  StoreContent with(StoreContent other) {
    KeyIndex both = new KeyIndex(LongStream.concat(keys.erased(), other.keys.erased()));
    other.keys.all().forEach(both::add);
    keys.all().forEach(both::add); // last, so that an owner's current key stays the current one
    return new StoreContent(
        keys.isEmpty() ? other.store : store,
        keys.isEmpty() ? other.erasedUpTo : Math.min(erasedUpTo, other.erasedUpTo),
        journal.or(other::journal),
        unrecorded,
        both);
  }
}
