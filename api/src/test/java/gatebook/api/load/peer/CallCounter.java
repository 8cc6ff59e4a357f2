package gatebook.api.load.peer;

import io.micronaut.context.annotation.Requires;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import java.util.concurrent.atomic.AtomicLong;

/** Counts the calls of tools and agents that the peer answers. */
@Controller
@Requires(property = PeerController.SWITCH)
final class CallCounter {
  private final AtomicLong calls = new AtomicLong();

  void count() {
    calls.incrementAndGet();
  }

  @Get("/calls")
  long calls() {
    return calls.get();
  }
}
