package gatebook.query;

import gatebook.events.journal.Journal;
import gatebook.query.approvals.Approvals;
import gatebook.query.calls.Calls;
import gatebook.query.denials.Denials;
import gatebook.query.faults.Faults;
import gatebook.query.projection.EventReader;
import gatebook.query.projection.View;
import gatebook.query.projection.ViewFailed;
import gatebook.query.projection.ViewFile;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** All that is remembered: each view follows the journal by itself, whatever becomes of others. */
public record Views(Calls calls, Denials denials, Faults faults, Approvals approvals)
    implements AutoCloseable {

  /** Their names, which never change. */
  public static final List<String> NAMES = List.of("calls", "denials", "faults", "approvals");

  /** Starts keeping the views in this file up with the journal. */
  public static Views follow(ViewFile file, Journal journal) {
    EventReader reader = new EventReader();
    Following following = new Following();
    try {
      return new Views(
          following.begun(Calls.follow(file, journal, reader), Calls::view),
          following.begun(Denials.follow(file, journal, reader), Denials::view),
          following.begun(Faults.follow(file, journal, reader), Faults::view),
          following.begun(Approvals.follow(file, journal), Approvals::view));
    } catch (ViewFailed e) {
      following.close();
      throw e;
    }
  }

  /** What was begun, and is ended when the rest cannot be. */
  private static final class Following {
    private final ArrayList<View> begun = new ArrayList<>();

    <Q> Q begun(Q question, Function<Q, View> view) {
      begun.add(view.apply(question));
      return question;
    }

    void close() {
      begun.forEach(View::close);
    }
  }

  public List<View> all() {
    return List.of(calls.view(), denials.view(), faults.view(), approvals.view());
  }

  /** The view of one of {@link #NAMES}. */
  public View named(String name) {
    return all().stream().filter(view -> view.name().equals(name)).findFirst().orElseThrow();
  }

  @Override
  public void close() {
    all().forEach(View::close);
  }
}
