package gatebook.api.flow;

import gatebook.api.gateway.CommandSender;
import gatebook.api.gateway.QuerySender;
import gatebook.api.gateway.RoutingSnapshot;
import java.time.InstantSource;
import java.util.function.Supplier;

/**
 * What trees of tasks work with.
 *
 * @param version of the gateway
 */
record TreeServices(
    CommandSender commandSender,
    QuerySender querySender,
    Supplier<RoutingSnapshot> routingSnapshots,
    RetryingSender retryingSender,
    TaskExecutors taskExecutors,
    InstantSource clock,
    String version) {}
