package gatebook.api.node;

import gatebook.command.call.OrphanCall;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

/** Who sees to it what becomes of the calls that a process left open which is no more. */
interface OrphanHandler {

  /** Closes one, unless it ended or is one that goes on; completed with whether it was closed. */
  CompletableFuture<Boolean> close(OrphanCall call);

  /** Goes on with a call whose caller comes back for the outcome. */
  void goOn(UUID callId);
}
