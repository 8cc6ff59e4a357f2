package gatebook.events;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestPlan;

/** Lets tests wait long enough for a condition on a machine that is busy with something else. */
public final class PatientWaits implements TestExecutionListener {

  /** Only who waits in vain waits so long. */
  private static final Duration WAIT = Duration.ofMinutes(2);

  @Override
  public void testPlanExecutionStarted(TestPlan plan) {
    Awaitility.setDefaultTimeout(WAIT);
    Awaitility.doNotCatchUncaughtExceptionsByDefault(); // they may be of another class's threads
  }
}
