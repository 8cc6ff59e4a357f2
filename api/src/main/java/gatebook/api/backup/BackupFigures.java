package gatebook.api.backup;

import java.util.concurrent.atomic.LongAdder;

/** Counts the backups of this process that failed. */
public final class BackupFigures {
  private final LongAdder journalFailures = new LongAdder();
  private final LongAdder keysFailures = new LongAdder();

  public void journalFailed() {
    journalFailures.increment();
  }

  void keysFailed() {
    keysFailures.increment();
  }

  public long journalFailures() {
    return journalFailures.sum();
  }

  public long keysFailures() {
    return keysFailures.sum();
  }
}
