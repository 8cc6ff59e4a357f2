package gatebook.api.gateway;

import gatebook.api.gateway.message.CommandResult;
import gatebook.command.axon.CommandConfiguration;
import gatebook.command.rules.Rules;
import java.lang.ref.Reference;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.axonframework.common.configuration.AxonConfiguration;
import org.axonframework.messaging.queryhandling.gateway.QueryGateway;

/**
 * Sends queries about calls to their handlers. The journal's refusals come back as values, as those
 * of commands do.
 */
public final class QuerySender {

  private final QueryGateway queries;
  private final Executor mayBlock;

  /**
   * @param mayBlock handles queries, since loading a call waits for the disk
   */
  public QuerySender(QueryGateway queries, Executor mayBlock) {
    this.queries = queries;
    this.mayBlock = mayBlock;
  }

  /**
   * Sends queries to the handlers of this configuration, on virtual threads unless told otherwise.
   */
  public static QuerySender of(AxonConfiguration axon, Optional<Executor> mayBlock) {
    return new QuerySender(
        axon.getComponent(QueryGateway.class),
        mayBlock.orElse(CommandConfiguration.OFF_THE_SENDERS_THREAD));
  }

  /** Sends a query that names these rules, which are kept until the query is handled. */
  @SuppressWarnings("ReachabilityFenceUsage") // completing the query is the end of their use
  public <R> CompletableFuture<CommandResult<R>> send(Object query, Class<R> outcome, Rules rules) {
    return CompletableFuture.completedFuture(query)
        .thenComposeAsync(it -> queries.query(it, outcome), mayBlock)
        .handle(CommandResult::of)
        .whenComplete((_, _) -> Reference.reachabilityFence(rules));
  }
}
