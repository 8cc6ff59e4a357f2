package gatebook.query;

import static java.util.stream.Collectors.joining;

import gatebook.events.journal.Journal;
import gatebook.events.journal.SlowOperation;
import gatebook.events.journal.storage.DroppedThrough;
import gatebook.events.vocabulary.EventVocabulary;
import gatebook.query.approvals.ApprovalQueries;
import gatebook.query.calls.CallQueries;
import gatebook.query.errors.ErrorQueries;
import gatebook.query.projection.EventReader;
import gatebook.query.projection.View;
import gatebook.query.projection.ViewFailed;
import gatebook.query.projection.ViewFile;
import gatebook.query.projection.ViewStatus;
import gatebook.query.projection.ViewStatus.State;
import gatebook.query.proof.ProofQueries;
import gatebook.query.trees.TreeQueries;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/** The views that answer queries. They follow the journal together, each from its own position. */
public final class Views implements AutoCloseable {

  public static final String CALLS = "calls";
  public static final String DENIALS = "denials";
  public static final String FAULTS = "faults";
  public static final String APPROVALS = "approvals";
  public static final String TREES = "trees";

  /** The names of the views, which never change. Denials and faults are one view. */
  public static final List<String> NAMES = List.of(CALLS, DENIALS, FAULTS, APPROVALS, TREES);

  private final Path path;
  private final Journal journal;

  /** By name, in the order of the names. */
  private final Map<String, View> named;

  private final ViewQueries queries;

  private Views(Path path, Journal journal, Map<String, View> named, ViewQueries queries) {
    this.path = path;
    this.journal = journal;
    this.named = named;
    this.queries = queries;
  }

  /**
   * Starts following the journal with all views of this file.
   *
   * @param eventVocabulary reads events to show them, with their content when it has keys; views
   *     are built without content
   */
  public static Views follow(ViewFile file, Journal journal, EventVocabulary eventVocabulary) {
    EventReader reader = new EventReader();
    Map<String, View> named = new LinkedHashMap<>();
    try {
      CallQueries calls = CallQueries.follow(file, journal, reader, eventVocabulary);
      named.put(CALLS, calls.view());
      ErrorQueries errors = ErrorQueries.follow(file, journal, reader, eventVocabulary);
      named.put(DENIALS, errors.view());
      named.put(FAULTS, errors.view());
      ApprovalQueries approvals = ApprovalQueries.follow(file, journal, reader, eventVocabulary);
      named.put(APPROVALS, approvals.view());
      TreeQueries trees =
          TreeQueries.follow(file, journal, reader, calls.taskCalls(), eventVocabulary);
      named.put(TREES, trees.view());
      file.dropAllBut(named.values());
      Views views =
          new Views(
              file.path(),
              journal,
              Collections.unmodifiableMap(named),
              ViewQueries.start(calls, errors, approvals, trees, new ProofQueries(journal)));
      views.logProgressUntil(journal.head());
      return views;
    } catch (ViewFailed e) {
      named.values().stream().distinct().forEach(View::close);
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
    return statuses().stream()
        .filter(it -> it.position() < head)
        .filter(it -> it.state() != State.FAILING && it.state() != State.STOPPED);
  }

  /** The path of the file that holds the views. */
  public Path path() {
    return path;
  }

  /** Each view once. */
  public List<View> all() {
    return named.values().stream().distinct().toList();
  }

  /** The status of each of {@link #NAMES}. */
  public List<ViewStatus> statuses() {
    return NAMES.stream().map(name -> named(name).status().of(name)).toList();
  }

  /**
   * The time through which events were dropped for good, when an answer about the time from {@code
   * since} on would need some of them; empty when it would not.
   *
   * @param since empty for all time
   */
  public Optional<Instant> droppedThrough(Optional<Instant> since) {
    return journal
        .droppedThrough()
        .map(DroppedThrough::at)
        .filter(through -> since.filter(it -> it.isAfter(through)).isEmpty());
  }

  /** Sends queries to the views. */
  public ViewQueries queries() {
    return queries;
  }

  /** The view of one of {@link #NAMES}. */
  public View named(String name) {
    return Objects.requireNonNull(named.get(name));
  }

  @Override
  public void close() {
    all().forEach(View::close); // before the bus: a handler may wait for its view
    queries.close();
  }
}
