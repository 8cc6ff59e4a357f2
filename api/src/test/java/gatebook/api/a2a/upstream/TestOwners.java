package gatebook.api.a2a.upstream;

import gatebook.api.a2a.message.A2aMeters;
import gatebook.api.gateway.CommandSender;
import gatebook.api.gateway.QuerySender;
import gatebook.api.gateway.message.FakeCommandGateway;
import gatebook.api.gateway.message.FakeQueryGateway;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** Makes owners of agents' tasks in whose journal's place the test answers. */
public final class TestOwners {

  private TestOwners() {}

  /** Owners whose commands and queries are passed to this answer. */
  public static AgentTaskOwners of(
      Function<Object, CompletableFuture<?>> answer, A2aMeters meters) {
    return new AgentTaskOwners(commands(answer), queries(answer), () -> Instant.EPOCH, meters);
  }

  public static CommandSender commands(Function<Object, CompletableFuture<?>> answer) {
    return new CommandSender(new FakeCommandGateway(answer));
  }

  public static QuerySender queries(Function<Object, CompletableFuture<?>> answer) {
    return new QuerySender(FakeQueryGateway.of(answer), Runnable::run);
  }
}
