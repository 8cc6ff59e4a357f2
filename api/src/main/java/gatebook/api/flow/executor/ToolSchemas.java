package gatebook.api.flow.executor;

import gatebook.api.gateway.message.RoutingSnapshot;
import gatebook.api.rpc.ObjectMembers;
import gatebook.api.upstream.Upstream.Listing;
import gatebook.command.tree.ExecutorNames;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** The schemas of tools, from the lists of their sources. */
public final class ToolSchemas {
  private final Supplier<RoutingSnapshot> routingSnapshots;
  private final ToolLists toolLists;

  public ToolSchemas(Supplier<RoutingSnapshot> routingSnapshots, ToolLists toolLists) {
    this.routingSnapshots = routingSnapshots;
    this.toolLists = toolLists;
  }

  /** The schema of a tool that callers see; empty when it has none or cannot be had. */
  CompletableFuture<Optional<String>> of(String tool) {
    RoutingSnapshot routingSnapshot = routingSnapshots.get();
    return ExecutorNames.source(tool, routingSnapshot.rules())
        .map(source ->
            toolLists
                .remembered(source, routingSnapshot)
                .thenApply(listing -> schema(listing, source.ownName(tool))))
        .orElseGet(() -> CompletableFuture.completedFuture(Optional.empty()));
  }

  private static Optional<String> schema(Listing listing, String ownName) {
    return switch (listing) {
      case Listing.Failed _ -> Optional.empty();
      case Listing.Tools(var tools) ->
          tools.stream()
              .filter(tool -> tool.name().equals(ownName))
              .flatMap(tool -> ObjectMembers.of(tool.description()).json("inputSchema").stream())
              .filter(json -> json.startsWith("{"))
              .reduce((_, last) -> last);
    };
  }
}
