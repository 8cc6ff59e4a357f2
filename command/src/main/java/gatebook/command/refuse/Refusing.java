package gatebook.command.refuse;

import gatebook.command.Decision;
import gatebook.command.NamesInFaults;
import gatebook.command.Telling;
import gatebook.events.MessageRefused;
import gatebook.events.call.Told;
import java.util.List;

/** Decides what the sender of a message that is no call is told. */
public final class Refusing {

  private final Telling telling;

  public Refusing(Telling telling) {
    this.telling = telling;
  }

  public Decision<Told> decide(RefuseMessage message) {
    Told told = telling.tell(message.fault(), message.tongue(), message.correlationId());
    return new Decision<>(
        List.of(
            new MessageRefused(
                message.callId(),
                message.correlationId(),
                message.tongue().dialect(),
                message.transport(),
                message.principal(),
                message.rpcId(),
                message.sizeBytes(),
                NamesInFaults.scrubbed(message.fault(), telling.names()),
                told)),
        told);
  }
}
