package gatebook.events.journal.checkpoint;

/** A key that was read, or the sentence that says why it was not. */
public sealed interface LoadedKey<K> {
  record Key<K>(K key) implements LoadedKey<K> {}

  record Refused<K>(String why) implements LoadedKey<K> {}
}
