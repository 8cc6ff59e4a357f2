package gatebook.api.gateway.message;

import static org.assertj.core.api.Assertions.assertThat;

import gatebook.events.CallAbandoned.Cause;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class PendingCallerTest {

  private final PendingCaller caller = new PendingCaller();
  private final List<String> run = new ArrayList<>();

  @Test
  void eachWatchedActionRunsOnceAlsoAfterTheEnd() {
    CallerConnection.Watch _ = caller.onDisconnect(cause -> run.add("before " + cause));
    caller.onDisconnect(cause -> run.add("unwatched " + cause)).end();
    assertThat(caller.hasEnded()).isFalse();

    caller.end(Cause.CANCELLED);
    CallerConnection.Watch _ = caller.onDisconnect(cause -> run.add("after " + cause));
    caller.end(Cause.DISCONNECTED);

    assertThat(run).containsExactly("before CANCELLED", "after CANCELLED");
    assertThat(caller.hasEnded()).isTrue();
  }
}
