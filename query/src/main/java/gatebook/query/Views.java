package gatebook.query;

import static java.util.stream.Collectors.joining;

import gatebook.events.journal.Journal;
import gatebook.events.journal.SlowOperation;
import gatebook.query.approvals.ApprovalQueries;
import gatebook.query.calls.CallQueries;
import gatebook.query.denials.DenialQueries;
import gatebook.query.faults.FaultQueries;
import gatebook.query.projection.EventReader;
import gatebook.query.projection.View;
import gatebook.query.projection.ViewFailed;
import gatebook.query.projection.ViewFile;
import gatebook.query.projection.ViewStatus;
import gatebook.query.projection.ViewStatus.State;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Stream;

/** All that is remembered: each view follows the journal by itself, whatever becomes of others. */
public record Views(
    CallQueries calls, DenialQueries denials, FaultQueries faults, ApprovalQueries approvals)
    implements AutoCloseable {

  /** Their names, which never change. */
  public static final List<String> NAMES = List.of("calls", "denials", "faults", "approvals");

  /** Starts keeping the views in this file up with the journal. */
  public static Views follow(ViewFile file, Journal journal) {
    EventReader reader = new EventReader();
    Following following = new Following();
    try {
      Views views =
          new Views(
              following.begun(CallQueries.follow(file, journal, reader), CallQueries::view),
              following.begun(DenialQueries.follow(file, journal, reader), DenialQueries::view),
              following.begun(FaultQueries.follow(file, journal, reader), FaultQueries::view),
              following.begun(ApprovalQueries.follow(file, journal), ApprovalQueries::view));
      views.tellUntil(journal.head());
      return views;
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

  /**
   * What is still to be made of events that were there is told, but for what fails or was closed.
   */
  private void tellUntil(long head) {
    SlowOperation _ =
        SlowOperation.until(
            () -> behind(head).findAny().isEmpty(),
            () ->
                behind(head)
                    .map(it -> String.format(Locale.ROOT, "%s %,d", it.name(), it.position()))
                    .collect(
                        joining(
                            ", ",
                            "the views are not up to date yet: ",
                            String.format(Locale.ROOT, " of %,d events", head))));
  }

  private Stream<ViewStatus> behind(long head) {
    return all().stream()
        .map(View::standing)
        .filter(it -> it.position() < head)
        .filter(it -> it.state() != State.FAILING && it.state() != State.STOPPED);
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
