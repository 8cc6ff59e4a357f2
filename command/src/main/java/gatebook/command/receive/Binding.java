package gatebook.command.receive;

import static java.util.stream.Collectors.joining;

import gatebook.command.gate.Asked;
import gatebook.command.keep.Keeper;
import gatebook.command.rules.Source;
import gatebook.events.call.Digest;
import java.util.stream.Stream;

/** What an approval is good for: this call, and no other. */
public final class Binding {

  private Binding() {}

  /** A digest of dialect, source, target, principal, method and params. */
  public static Digest of(ReceiveCall call, Asked asked, Source source, Keeper keeper) {
    return keeper.digest(
        Stream.<String>of(
                call.tongue().dialect().word(),
                source.id(),
                source.ownName(asked.target()),
                asked.target(),
                call.principal().name(),
                call.method(),
                call.params() == null ? "" : call.params())
            .map(part -> part.length() + ":" + part) // no part can pass for the end of another
            .collect(joining()));
  }
}
