package gatebook.events;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestPlan;

/** Gives waits in tests a patient timeout, long enough for a busy machine. */
public final class PatientWaits implements TestExecutionListener {

  /** Only a wait that fails takes this long. */
  private static final Duration WAIT = Duration.ofMinutes(2);

  @Override
  public void testPlanExecutionStarted(TestPlan plan) {
    Awaitility.setDefaultTimeout(WAIT);
    Awaitility
        .doNotCatchUncaughtExceptionsByDefault(); // they may come from threads of another test
    // class
  }
}
