package gatebook.api.upstream.agent.client;

/** The settings of a client of an agent. */
public record AgentSettings(AgentLimits limits, RetrySchedule schedule, RetryTiming timing) {

  public static final AgentSettings DEFAULT =
      new AgentSettings(AgentLimits.DEFAULT, RetrySchedule.DEFAULT, RetryTiming.SYSTEM);
}
