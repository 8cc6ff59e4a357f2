package gatebook.events.keys;

/** The content keys that this process can use. Both methods may block. */
public interface ContentKeys {

  /** No keys: nothing can be sealed, and nothing that is sealed can be read. */
  ContentKeys NONE =
      new ContentKeys() {
        @Override
        public ContentKey current(ContentOwner owner) {
          throw new KeysUnavailable("this process has no content keys", null);
        }

        @Override
        public KeyLookup find(String id) {
          return new KeyLookup.Missing();
        }
      };

  /**
   * The key that seals new content of an owner. It is durable, and readable by every node, before
   * it is returned for the first time.
   *
   * @throws KeysUnavailable when there is no such key and none can be made now
   */
  ContentKey current(ContentOwner owner);

  /** Whether {@link #current} is expected to return a key of this owner without blocking. */
  default boolean isReady(ContentOwner owner) {
    return true;
  }

  /**
   * The key with this id.
   *
   * @throws KeysUnavailable when the store of keys cannot be read now
   */
  KeyLookup find(String id);
}
