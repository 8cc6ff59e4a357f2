package gatebook.events.journal.storage;

import java.io.Serial;

/** A failure of a journal's storage to read or to write, which may work later. */
public final class StorageFailure extends Exception {
  @Serial private static final long serialVersionUID = 1L;

  private final boolean causedByData;

  public StorageFailure(String message, Throwable cause) {
    this(message, cause, false);
  }

  /**
   * @param causedByData whether the same events would fail again
   */
  public StorageFailure(String message, Throwable cause, boolean causedByData) {
    super(message, cause);
    this.causedByData = causedByData;
  }

  public static boolean isCausedByData(Throwable failure) {
    return failure instanceof StorageFailure ofStorage && ofStorage.causedByData;
  }

  /** One line for operators: the message without the lines that a database adds below. */
  public static String describe(Throwable failure) {
    String message = failure.getMessage();
    return message == null
        ? failure.getClass().getSimpleName()
        : message.lines().findFirst().orElse("");
  }
}
