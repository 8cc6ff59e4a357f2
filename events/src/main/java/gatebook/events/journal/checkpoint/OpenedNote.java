package gatebook.events.journal.checkpoint;

import java.util.List;
import java.util.function.BiFunction;

/** The result of opening a signed note. */
public sealed interface OpenedNote<T> {

  /** Reads the content of a valid note further. */
  default <R> OpenedNote<R> flatMap(BiFunction<T, VerifierKey, OpenedNote<R>> reader) {
    return switch (this) {
      case Valid<T>(T content, VerifierKey key) -> reader.apply(content, key);
      case WrongSignature<T>(String key) -> new WrongSignature<>(key);
      case UnknownKey<T>(List<String> keys) -> new UnknownKey<>(keys);
      case NotInForce<T>(String key, long size, String inForce) ->
          new NotInForce<>(key, size, inForce);
      case Malformed<T>(int line, String why) -> new Malformed<>(line, why);
    };
  }

  /** Signed by a known key, and no signature by a known key is wrong. */
  record Valid<T>(T content, VerifierKey key) implements OpenedNote<T> {}

  /**
   * A signature names a known key and does not verify with it: the text or the signature was
   * changed.
   */
  record WrongSignature<T>(String key) implements OpenedNote<T> {}

  /** Well formed, and signed only by unknown keys. */
  record UnknownKey<T>(List<String> keys) implements OpenedNote<T> {
    public UnknownKey {
      keys = List.copyOf(keys);
    }
  }

  /** Signed by a known key that does not sign the journal with so many events. */
  record NotInForce<T>(String key, long size, String inForce) implements OpenedNote<T> {}

  /** Not a signed note, or one with impossible content; the line counts from 1. */
  record Malformed<T>(int line, String why) implements OpenedNote<T> {}
}
