package gatebook.events.journal.checkpoint;

import java.util.List;

/** What a signed note turned out to be. */
public sealed interface OpenedNote<T> {

  /** Signed by a key we know, and by no key we know wrongly. */
  record Valid<T>(T content, VerifierKey key) implements OpenedNote<T> {}

  /** A signature names a key we know and is not of that key: the text or the signature changed. */
  record WrongSignature<T>(String key) implements OpenedNote<T> {}

  /** Well formed, and signed only by keys we do not know. */
  record UnknownKey<T>(List<String> keys) implements OpenedNote<T> {
    public UnknownKey {
      keys = List.copyOf(keys);
    }
  }

  /** No signed note, or one that says what cannot be; the line counts from 1. */
  record Malformed<T>(int line, String why) implements OpenedNote<T> {}
}
