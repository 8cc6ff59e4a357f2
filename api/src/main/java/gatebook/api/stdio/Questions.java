package gatebook.api.stdio;

import gatebook.api.daemon.Own.Described;
import java.util.List;

/** What whoever shows an operator's token may ask here: what is read, and nothing that acts. */
final class Questions {

  static final List<Described> ALL =
      List.of(
          new Described("audit.lookup", "What happened to the calls that an id stands for."),
          new Described("audit.calls", "Calls that have something in common."),
          new Described("audit.denials", "What was denied, in numbers."),
          new Described("audit.errors", "What callers were told went wrong, in numbers."),
          new Described("audit.projections", "How far each view has come."),
          new Described("audit.verify", "Whether the journal was edited."));

  private Questions() {}

  static boolean include(String method) {
    return ALL.stream().anyMatch(it -> it.name().equals(method));
  }
}
