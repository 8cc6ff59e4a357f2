package gatebook.command.call;

import java.util.UUID;
import org.axonframework.modelling.annotation.TargetEntityId;

/** A query about one call, which is answered from what the journal holds of that call. */
public interface CallQuery {

  /** The call whose entity is loaded. */
  @TargetEntityId
  UUID callId();
}
