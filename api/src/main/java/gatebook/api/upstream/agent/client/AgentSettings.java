package gatebook.api.upstream.agent.client;

import gatebook.api.upstream.RetrySchedule;
import java.time.Duration;

/** The settings of a client of an agent. */
public record AgentSettings(AgentLimits limits, RetrySchedule schedule, RetryTiming timing) {

  /** Pauses of 100, 200 and 400 ms, each up to a fifth shorter or longer. */
  private static final RetrySchedule SCHEDULE =
      RetrySchedule.doubling(Duration.ofMillis(100), Duration.ofMillis(400), 3);

  public static final AgentSettings DEFAULT = of(AgentLimits.DEFAULT, RetryTiming.SYSTEM);

  /** Settings with the schedule of every agent. */
  public static AgentSettings of(AgentLimits limits, RetryTiming timing) {
    return new AgentSettings(limits, SCHEDULE, timing);
  }
}
