package gatebook.api.wrap;

import gatebook.api.border.Presence;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Whether the client still waits for the answer to one of its requests. */
final class Waiting implements Presence {

  private final List<Runnable> actions = new CopyOnWriteArrayList<>();
  private volatile boolean isOver;

  @Override
  public Watch whenGone(Runnable action) {
    actions.add(action);
    if (isOver) {
      run(action);
    }
    return () -> actions.remove(action);
  }

  /** It does no longer. */
  void end() {
    isOver = true;
    actions.forEach(this::run);
  }

  /** Each once, whoever comes first. */
  private void run(Runnable action) {
    if (actions.remove(action)) {
      action.run();
    }
  }
}
