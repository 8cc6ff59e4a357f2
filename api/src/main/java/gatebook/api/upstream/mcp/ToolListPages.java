package gatebook.api.upstream.mcp;

import static gatebook.api.rpc.JsonStrings.quoted;

import gatebook.api.rpc.ArrayElements;
import gatebook.api.rpc.ObjectMembers;
import gatebook.api.upstream.Upstream;
import gatebook.api.upstream.Upstream.Call;
import gatebook.api.upstream.Upstream.Ended;
import gatebook.api.upstream.Upstream.Listing;
import gatebook.api.upstream.Upstream.MessageListener;
import gatebook.api.upstream.Upstream.Response;
import gatebook.api.upstream.Upstream.Tool;
import gatebook.events.fault.UpstreamFault.UpstreamError;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Fetches the list of tools of an MCP server, page by page. */
public final class ToolListPages {

  /** A list with more pages, or more tools, is refused as endless. */
  public static final int PAGES_MAX = 100;

  static final int TOOLS_MAX = 10_000;

  private final Upstream upstream;
  private final List<Tool> tools = new ArrayList<>();

  public ToolListPages(Upstream upstream) {
    this.upstream = upstream;
  }

  public CompletableFuture<Listing> fetchAll() {
    return fetchPage(1, null);
  }

  private CompletableFuture<Listing> fetchPage(int number, @Nullable String cursor) {
    return upstream
        .call(request(cursor), MessageListener.NONE)
        .thenCompose(response -> after(number, response));
  }

  private static Call request(@Nullable String cursor) {
    return new Call(
        null,
        McpMethod.TOOLS_LIST,
        cursor == null ? null : "{\"cursor\":%s}".formatted(quoted(cursor)),
        false,
        Map.of());
  }

  private CompletableFuture<Listing> after(int number, Response response) {
    if (!(response instanceof Ended.Result(var json, _, _))) {
      return done(new Listing.Failed(response));
    }
    ObjectMembers page = ObjectMembers.of(json);
    Optional<List<Tool>> found =
        page.json("tools").flatMap(ArrayElements::of).flatMap(ToolListPages::tools);
    if (found.isEmpty()) {
      return done(failed("no list of tools"));
    }
    tools.addAll(found.get());
    Optional<String> next = page.text("nextCursor");
    if (next.isEmpty()) {
      return done(new Listing.Tools(tools));
    }
    return number == PAGES_MAX || tools.size() > TOOLS_MAX
        ? done(failed("a list of tools without end"))
        : fetchPage(number + 1, next.get());
  }

  /** Empty when a tool has no name. */
  private static Optional<List<Tool>> tools(List<String> descriptions) {
    List<Tool> tools = new ArrayList<>();
    for (String description : descriptions) {
      Optional<String> name = ObjectMembers.of(description).text("name");
      if (name.isEmpty()) {
        return Optional.empty();
      }
      tools.add(new Tool(name.get(), description));
    }
    return Optional.of(tools);
  }

  private Listing failed(String words) {
    return new Listing.Failed(
        new Ended.Failure(new UpstreamError(upstream.source(), null, words, null, null)));
  }

  private static CompletableFuture<Listing> done(Listing listing) {
    return CompletableFuture.completedFuture(listing);
  }
}
