package gatebook.events.journal.checkpoint;

/** The result of loading a key: the key, or the sentence that says why it was refused. */
public sealed interface LoadedKey<K> {
  record Key<K>(K key) implements LoadedKey<K> {}

  record Refused<K>(String why) implements LoadedKey<K> {}
}
