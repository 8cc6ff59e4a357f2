package gatebook.events.journal.checkpoint;

/** A key that was read, or the sentence that says why it was not. */
public sealed interface Loaded<K> {
  record Key<K>(K key) implements Loaded<K> {}

  record Refused<K>(String why) implements Loaded<K> {}
}
