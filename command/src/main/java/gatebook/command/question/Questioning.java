package gatebook.command.question;

import gatebook.command.Decision;
import gatebook.command.keep.Keeper;
import gatebook.command.keep.Keepers;
import gatebook.events.CallerReplied;
import gatebook.events.CallerReplied.Outcome;
import gatebook.events.Event;
import gatebook.events.SourceAsked;
import java.util.List;

/** Records both sides of a question; nobody decides about it: the call it belongs to was let in. */
public final class Questioning {

  private final Keepers keepers;

  public Questioning(Keepers keepers) {
    this.keepers = keepers;
  }

  public Decision<Boolean> decide(PassQuestion asked) {
    Keeper keeper = keepers.of(asked.rules());
    return recorded(
        new SourceAsked(
            asked.callId(),
            asked.source(),
            asked.question(),
            asked.method(),
            asked.params() == null ? null : keeper.keep(asked.params())));
  }

  public Decision<Boolean> decide(PassReply reply) {
    return recorded(
        new CallerReplied(
            reply.callId(),
            reply.source(),
            reply.question(),
            reply.isError() ? Outcome.ERROR : Outcome.RESULT,
            keepers.of(reply.rules()).keep(reply.content())));
  }

  private static Decision<Boolean> recorded(Event event) {
    return new Decision<>(List.of(event), true);
  }
}
