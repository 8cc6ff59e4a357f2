package gatebook.events;

import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestPlan;
import org.slf4j.LoggerFactory;

/** Starts logging before the tests: loggers requested during its start would be substitutes. */
public final class LoggingFirst implements TestExecutionListener {

  @Override
  public void testPlanExecutionStarted(TestPlan plan) {
    LoggerFactory.getILoggerFactory();
  }
}
