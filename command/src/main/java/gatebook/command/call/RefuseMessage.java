package gatebook.command.call;

import gatebook.events.call.Transport;
import gatebook.events.fault.Fault;
import gatebook.events.keys.ContentOwner;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Refuses a message that is not a call, or could not become one.
 *
 * @param rpcId the exact token of its id, absent when it could not be read
 */
public record RefuseMessage(
    UUID callId,
    String correlationId,
    DialectVersion dialectVersion,
    Transport transport,
    @Nullable String principal,
    @Nullable String rpcId,
    long sizeBytes,
    Fault fault)
    implements ContentCommand {

  @Override
  public ContentOwner contentOwner() {
    return ContentOwner.ofCall(principal, callId);
  }
}
