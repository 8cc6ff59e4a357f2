package gatebook.api.border;

import gatebook.api.upstream.BuiltIn;
import gatebook.command.CallId;
import gatebook.command.Telling;
import gatebook.command.keep.Keeper;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import org.axonframework.messaging.commandhandling.gateway.CommandGateway;

/**
 * Takes every message, and gives each its one reply, after what the reply says is recorded.
 *
 * <p>The future never fails: whatever goes wrong in here, the caller is told so in its dialect.
 */
public final class Border {

  private final CallId callIds;
  private final Tools tools;

  /** What every passage works with. */
  record Tools(
      Decisions decisions,
      Methods methods,
      BuiltIn upstream,
      Keeper keeper,
      Telling telling,
      ErrorBook errors,
      InstantSource clock) {}

  public Border(
      CommandGateway commands,
      Methods methods,
      BuiltIn upstream,
      Keeper keeper,
      Telling telling,
      ErrorBook errors,
      InstantSource clock) {
    this.callIds = new CallId(clock);
    this.tools =
        new Tools(new Decisions(commands), methods, upstream, keeper, telling, errors, clock);
  }

  public CompletableFuture<Reply> serve(Incoming incoming) {
    return new Passage(tools, incoming, Names.of(callIds.next(), incoming)).reply();
  }
}
