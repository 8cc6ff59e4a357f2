package gatebook.events.keys;

/** The result of looking up a content key by its id. */
public sealed interface KeyLookup {

  record Found(ContentKey key) implements KeyLookup {}

  /** The key was destroyed on purpose. */
  record Erased() implements KeyLookup {}

  /** The key is not in the store, and no erasure destroyed it. */
  record Missing() implements KeyLookup {}
}
