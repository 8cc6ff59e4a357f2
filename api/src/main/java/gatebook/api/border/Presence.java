package gatebook.api.border;

/** Whether a caller is still there. */
@FunctionalInterface
public interface Presence {

  /** One who cannot be seen to go. */
  Presence UNSEEN = _ -> () -> {};

  /** Runs an action once the caller is gone, at once if it is, unless the watch ends before. */
  Watch whenGone(Runnable action);

  /** Looks out for one caller. */
  @FunctionalInterface
  interface Watch {
    void end();
  }
}
