package gatebook.api.upstream.source;

import gatebook.api.upstream.Upstream;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/** Answers every call and lists its tools as the test says, and records both. */
public final class ScriptedUpstream implements Upstream {

  public final List<Call> calls = new CopyOnWriteArrayList<>();

  public volatile Supplier<CompletableFuture<Response>> response = ScriptedUpstream::empty;

  public final AtomicInteger listings = new AtomicInteger();

  public volatile CompletableFuture<Listing> listing =
      CompletableFuture.completedFuture(new Listing.Tools(List.of()));

  public static CompletableFuture<Response> empty() {
    return CompletableFuture.completedFuture(new Ended.Result("{}", false));
  }

  @Override
  public String source() {
    return "scripted";
  }

  @Override
  public String endpoint() {
    return "nowhere";
  }

  @Override
  public long timeoutMillis() {
    return 200;
  }

  @Override
  public CompletableFuture<Listing> listTools() {
    listings.incrementAndGet();
    return listing;
  }

  @Override
  public CompletableFuture<Response> call(Call call, MessageListener listener) {
    calls.add(call);
    return response.get();
  }
}
