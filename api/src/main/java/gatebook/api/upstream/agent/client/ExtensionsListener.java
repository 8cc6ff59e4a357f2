package gatebook.api.upstream.agent.client;

import gatebook.api.upstream.http.SseListener;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** Reads which extensions an agent uses for its answer; all else goes to another listener. */
record ExtensionsListener(SseListener delegate, Consumer<String> extensions)
    implements SseListener {
  @Override
  public void onHead(HttpHeaders headers) {
    Map<String, String> all = new HashMap<>();
    headers.names().forEach(name -> all.put(name, String.join(",", headers.getAll(name))));
    extensions.accept(AgentHeaders.extensions(all));
    delegate.onHead(headers);
  }

  @Override
  public CompletableFuture<Boolean> take(Event event) {
    return delegate.take(event);
  }

  @Override
  public boolean beforeWrite() {
    return delegate.beforeWrite();
  }
}
