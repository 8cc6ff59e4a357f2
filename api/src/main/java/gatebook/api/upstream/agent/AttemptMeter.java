package gatebook.api.upstream.agent;

import gatebook.api.upstream.agent.client.AgentFailure;
import org.jspecify.annotations.Nullable;

/** Measures attempts to send requests to one agent. */
@FunctionalInterface
public interface AttemptMeter {

  /** Measures nothing. */
  AttemptMeter NONE = () -> _ -> {};

  /** Begins to measure an attempt. */
  Sample start();

  /** The measurement of one attempt. */
  @FunctionalInterface
  interface Sample {

    /** Ends the measurement; the failure is absent after a success. */
    void stop(@Nullable AgentFailure failure);
  }
}
