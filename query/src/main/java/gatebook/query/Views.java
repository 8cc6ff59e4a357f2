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
import gatebook.query.proof.ProofQueries;
import gatebook.query.trees.TreeQueries;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** The views that answer queries. They follow the journal together, each from its own position. */
public final class Views implements AutoCloseable {

  public static final String CALLS = "calls";
  public static final String DENIALS = "denials";
  public static final String FAULTS = "faults";
  public static final String APPROVALS = "approvals";
  public static final String TREES = "trees";

  /** The names of the views, which never change. */
  public static final List<String> NAMES = List.of(CALLS, DENIALS, FAULTS, APPROVALS, TREES);

  private final Path path;
  private final List<View> all;
  private final ViewQueries queries;

  private Views(Path path, List<View> all, ViewQueries queries) {
    this.path = path;
    this.all = all;
    this.queries = queries;
  }

  /** Starts following the journal with all views of this file. */
  public static Views follow(ViewFile file, Journal journal) {
    EventReader reader = new EventReader();
    List<View> opened = new ArrayList<>();
    try {
      CallQueries calls = CallQueries.follow(file, journal, reader);
      opened.add(calls.view());
      DenialQueries denials = DenialQueries.follow(file, journal, reader);
      opened.add(denials.view());
      FaultQueries faults = FaultQueries.follow(file, journal, reader);
      opened.add(faults.view());
      ApprovalQueries approvals = ApprovalQueries.follow(file, journal, reader);
      opened.add(approvals.view());
      TreeQueries trees = TreeQueries.follow(file, journal, reader, calls.taskCalls());
      opened.add(trees.view());
      Views views =
          new Views(
              file.path(),
              List.copyOf(opened),
              ViewQueries.start(
                  calls, denials, faults, approvals, trees, new ProofQueries(journal)));
      views.logProgressUntil(journal.head());
      return views;
    } catch (ViewFailed e) {
      opened.forEach(View::close);
      throw e;
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
    return all.stream()
        .map(View::status)
        .filter(it -> it.position() < head)
        .filter(it -> it.state() != State.FAILING && it.state() != State.STOPPED);
  }

  /** The path of the file that holds the views. */
  public Path path() {
    return path;
  }

  public List<View> all() {
    return all;
  }

  /** Sends queries to the views. */
  public ViewQueries queries() {
    return queries;
  }

  /** The view of one of {@link #NAMES}. */
  public View named(String name) {
    return all.stream().filter(view -> view.name().equals(name)).findFirst().orElseThrow();
  }

  @Override
  public void close() {
    all.forEach(View::close); // before the bus: a handler may wait for its view
    queries.close();
  }
}
