package gatebook.command.call;

import java.util.UUID;
import org.axonframework.modelling.annotation.TargetEntityId;

/** A command about one call, which is decided on what the journal holds of that call. */
public interface CallCommand {

  /** The call whose entity is loaded. */
  @TargetEntityId
  UUID callId();
}
