package gatebook.events.vocabulary;

import gatebook.events.call.Word;

/** Whether the content of a stored event can be read. */
public enum ContentState implements Word {
  /** It has none, or all of it is in plain: it was written before content was sealed. */
  PLAIN("plain"),
  OPENED("opened"),
  /** Its key was destroyed on purpose. */
  ERASED("erased"),
  /** Its key is not in the store, and no erasure destroyed it. */
  KEY_MISSING("key-missing"),
  /** The key that it names did not seal it, or it was changed. */
  REFUSED("refused"),
  /** This reader has no keys. */
  CLOSED("closed");

  private final String word;

  ContentState(String word) {
    this.word = word;
  }

  @Override
  public String word() {
    return word;
  }
}
