package gatebook.events.journal.checkpoint;

/** The type of a key of signed notes: the first byte of a key's bytes, and part of its id. */
enum NoteKeyType {
  /** Ed25519 over the text: a log signs its checkpoints. */
  LOG(0x01, "an Ed25519 key"),

  /** Ed25519 over a time and the text: a witness cosigns checkpoints of logs. */
  COSIGNATURE(0x04, "an Ed25519 key of a witness");

  private final byte code;
  private final String words;

  NoteKeyType(int code, String words) {
    this.code = (byte) code;
    this.words = words;
  }

  byte code() {
    return code;
  }

  String words() {
    return words;
  }
}
