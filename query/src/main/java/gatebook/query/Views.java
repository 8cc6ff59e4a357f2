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

/** The views that answer queries. Each view follows the journal independently of the others. */
public record Views(
    CallQueries calls, DenialQueries denials, FaultQueries faults, ApprovalQueries approvals)
    implements AutoCloseable {

  /** The names of the views, which never change. */
  public static final List<String> NAMES = List.of("calls", "denials", "faults", "approvals");

  /** Starts following the journal with all views of this file. */
  public static Views follow(ViewFile file, Journal journal) {
    EventReader reader = new EventReader();
    OpenedViews openedViews = new OpenedViews();
    try {
      Views views =
          new Views(
              openedViews.add(CallQueries.follow(file, journal, reader), CallQueries::view),
              openedViews.add(DenialQueries.follow(file, journal, reader), DenialQueries::view),
              openedViews.add(FaultQueries.follow(file, journal, reader), FaultQueries::view),
              openedViews.add(
                  ApprovalQueries.follow(file, journal, reader), ApprovalQueries::view));
      views.logProgressUntil(journal.head());
      return views;
    } catch (ViewFailed e) {
      openedViews.close();
      throw e;
    }
  }

  /** The views opened so far, closed when another one cannot be opened. */
  private static final class OpenedViews {
    private final ArrayList<View> opened = new ArrayList<>();

    <Q> Q add(Q queries, Function<Q, View> view) {
      opened.add(view.apply(queries));
      return queries;
    }

    void close() {
      opened.forEach(View::close);
    }
  }

  /**
   * Logs the positions of the views until all of them have reached the head. Views that fail or
   * were closed are not waited for.
   */
  private void logProgressUntil(long head) {
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
        .map(View::status)
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
