package gatebook.query.calls;

import static java.util.stream.Collectors.toSet;

import gatebook.events.AgentTaskCreated;
import gatebook.events.Event;
import gatebook.events.RulesActivated;
import gatebook.events.RulesRejected;
import gatebook.events.RulesRejected.Mistake;
import gatebook.events.TaskCreated;
import gatebook.events.journal.Journal;
import gatebook.events.journal.storage.Entry;
import gatebook.events.vocabulary.EventVocabulary;
import gatebook.query.call.CallEvents;
import gatebook.query.call.CallSummary;
import gatebook.query.call.CallTiming;
import gatebook.query.call.CallView;
import gatebook.query.call.EventData;
import gatebook.query.call.TimeShare;
import gatebook.query.projection.EventReader;
import gatebook.query.projection.View;
import gatebook.query.projection.View.Reached;
import gatebook.query.projection.ViewFile;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.axonframework.messaging.core.QualifiedName;
import org.axonframework.messaging.queryhandling.annotation.QueryHandler;

/**
 * Answers queries about calls, by any of their ids or by a filter.
 *
 * <p>The view knows which calls have an id. Their events are read from the journal at the time of
 * the query, so that the result shows what is recorded.
 */
public final class CallQueries {
  /** The most calls that one lookup shows: a careless caller may use the same id for every call. */
  public static final int CALLS_MAX = 100;

  private final Journal journal;
  private final View view;
  private final EventReader reader;
  private final CallEvents events;
  private final OpenCallTable open;

  private CallQueries(
      Journal journal, View view, EventReader reader, EventVocabulary eventVocabulary) {
    this.journal = journal;
    this.view = view;
    this.reader = reader;
    this.events = new CallEvents(journal, eventVocabulary);
    this.open = new OpenCallTable(events);
  }

  /** Starts following the journal with the view in this file. */
  public static CallQueries follow(
      ViewFile views, Journal journal, EventReader reader, EventVocabulary eventVocabulary) {
    return new CallQueries(
        journal,
        View.follow(views, journal, new CallsProjection(), reader),
        reader,
        eventVocabulary);
  }

  public View view() {
    return view;
  }

  /** Finds the calls that ran tasks. */
  public TaskCalls taskCalls() {
    return new TaskCalls(view, events);
  }

  @QueryHandler
  public LookupResult handle(FindCalls query) throws InterruptedException {
    Reached reached = view.awaitHead(query.atLeast());
    List<UUID> found = find(query.id());
    List<CallView> calls =
        found.stream()
            .limit(CALLS_MAX)
            .map(call -> call(call, query.asOf()))
            .filter(callView -> !callView.events().isEmpty())
            .toList();
    if (calls.isEmpty()) {
      return notFound(reached, found.isEmpty());
    }
    return new LookupResult.Found(calls, found.size() > CALLS_MAX);
  }

  /** The ids of the newest calls with an id. */
  public record FoundCallIds(Reached reached, List<UUID> callIds, boolean more) {
    public FoundCallIds {
      callIds = List.copyOf(callIds);
    }
  }

  @QueryHandler
  public FoundCallIds handle(FindCallIds query) throws InterruptedException {
    Reached reached = view.awaitHead(query.atLeast());
    List<UUID> found = find(query.id());
    return new FoundCallIds(
        reached, found.stream().limit(CALLS_MAX).toList(), found.size() > CALLS_MAX);
  }

  /**
   * The newest calls with an id. A task may have two, one here and one of its agent: then the calls
   * with either are found.
   */
  private List<UUID> find(String id) {
    Set<String> keys = new HashSet<>(CallKeys.forSearch(id));
    List<UUID> found = view.readSnapshot(it -> CallKeys.find(it, keys, CALLS_MAX + 1));
    Set<String> taskIds =
        found.stream().flatMap(call -> taskIds(call, id.strip()).stream()).collect(toSet());
    taskIds.forEach(taskId -> keys.addAll(CallKeys.forSearch(taskId)));
    return taskIds.isEmpty()
        ? found
        : view.readSnapshot(it -> CallKeys.find(it, keys, CALLS_MAX + 1));
  }

  /** Every id of the task that a call created, if one of them is this id. */
  private Set<String> taskIds(UUID call, String id) {
    Set<String> ids =
        events.entries(call).stream()
            .filter(entry -> CallEvents.CREATIONS.contains(entry.name()))
            .flatMap(entry -> events.read(entry).stream())
            .flatMap(event ->
                Stream.ofNullable(
                    switch (event) {
                      case TaskCreated created -> created.taskId();
                      case AgentTaskCreated created -> created.taskId();
                      default -> null;
                    }))
            .collect(toSet());
    return ids.contains(id) ? ids : Set.of();
  }

  private static LookupResult notFound(Reached reached, boolean isUnknown) {
    if (!isUnknown) {
      return new LookupResult.CameLater();
    }
    return reached.upToDate()
        ? new LookupResult.NeverSeen(reached.position())
        : new LookupResult.NotProjectedYet(reached.position(), reached.awaited());
  }

  /**
   * A page of calls, newest first.
   *
   * @param calls without their events
   * @param next the cursor of the next page; empty on the last page
   */
  public record Page(Reached reached, List<CallView> calls, OptionalLong next) {
    public Page {
      calls = List.copyOf(calls);
    }
  }

  @QueryHandler
  public Page handle(ListCalls query) throws InterruptedException {
    Reached reached = view.awaitHead(query.atLeast());
    CallSelection.RowPage page = view.readSnapshot(it -> CallSelection.page(it, query));
    return new Page(reached, page.calls(), page.next());
  }

  /** The calls with some ids, as far as they are in the view. */
  public record FoundCallRows(Map<UUID, CallView> calls) {
    public FoundCallRows {
      calls = Map.copyOf(calls);
    }
  }

  @QueryHandler
  public FoundCallRows handle(FindCallRows query) throws InterruptedException {
    Reached _ = view.awaitHead(query.atLeast());
    return new FoundCallRows(view.readSnapshot(it -> CallSelection.rows(it, query.callIds())));
  }

  /** Whether there was an outage. */
  public record FoundOutage(boolean found) {}

  @QueryHandler
  public FoundOutage handle(FindOutage query) {
    return new FoundOutage(view.read(it -> OutageTable.concerns(it, query.at())));
  }

  @QueryHandler
  public CallTaskPage handle(ListCallTasks query) throws InterruptedException {
    Reached reached = view.awaitHead(0);
    return view.read(it -> new CallTaskSelection(it, query).page(reached));
  }

  /** Open calls, oldest first; none once the view is closed. */
  public record OpenCalls(List<OpenCall> calls) {
    public OpenCalls {
      calls = List.copyOf(calls);
    }
  }

  @QueryHandler
  public OpenCalls handle(ListOpenCalls query) throws InterruptedException {
    return new OpenCalls(
        view.awaitWithoutLimit(query.upToPosition()) ? view.read(open::find) : List.of());
  }

  /** An activation, or none when these rules were not in force before the position. */
  public record FoundActivation(Reached reached, Optional<Activation> activation) {}

  @QueryHandler
  public FoundActivation handle(FindActivation query) throws InterruptedException {
    Reached reached = view.awaitHead(0);
    return new FoundActivation(
        reached,
        view.read(it -> RuleChangeTable.findActivation(it, query.rulesHash(), query.before()))
            .flatMap(this::activation));
  }

  /** Recorded rules, and where and when they were activated. */
  public record Activation(long position, String at, RulesActivated rules) {}

  private Optional<Activation> activation(long position) {
    return entry(position)
        .map(entry -> new Activation(position, entry.at(), (RulesActivated) reader.read(entry)));
  }

  /** Empty when it was dropped, and the view does not know it yet. */
  private Optional<Entry> entry(long position) {
    return journal.read(position - 1, 1).stream()
        .filter(entry -> entry.position() == position)
        .findFirst();
  }

  /**
   * An activation or a rejection of rules, without their texts.
   *
   * @param at RFC 3339, UTC
   * @param mistakes why the rules were rejected; empty for an activation
   */
  public record RuleChange(
      long position, String at, String node, String hash, Optional<List<Mistake>> mistakes) {}

  /**
   * A page of changes of rules, newest first.
   *
   * @param next the cursor of the next page; empty on the last page
   */
  public record RuleChangePage(List<RuleChange> changes, OptionalLong next) {
    public RuleChangePage {
      changes = List.copyOf(changes);
    }
  }

  @QueryHandler
  public RuleChangePage handle(ListRuleChanges query) throws InterruptedException {
    Reached _ = view.awaitHead(0);
    long before = query.after().orElse(Long.MAX_VALUE);
    List<Long> found = view.read(it -> RuleChangeTable.list(it, before, query.limit() + 1));
    List<Long> shown = found.stream().limit(query.limit()).toList();
    return new RuleChangePage(
        shown.stream().flatMap(it -> entry(it).stream()).map(this::ruleChange).toList(),
        found.size() > shown.size() ? OptionalLong.of(shown.getLast()) : OptionalLong.empty());
  }

  private RuleChange ruleChange(Entry entry) {
    return switch (reader.read(entry)) {
      case RulesActivated activated ->
          new RuleChange(
              entry.position(), entry.at(), entry.node(), activated.rulesHash(), Optional.empty());
      case RulesRejected rejected ->
          new RuleChange(
              entry.position(),
              entry.at(),
              entry.node(),
              rejected.rulesHash(),
              Optional.of(rejected.mistakes()));
      case Event other ->
          throw new IllegalStateException(
              "no change of rules: " + other.getClass().getSimpleName());
    };
  }

  /**
   * The call with its events. Events that this version cannot read are shown and not interpreted.
   */
  private CallView call(UUID id, Optional<Instant> asOf) {
    List<CallEvents.Shown> shown =
        events.entries(id).stream()
            .filter(entry -> asOf.filter(then -> Instant.parse(entry.at()).isAfter(then)).isEmpty())
            .map(events::shown)
            .toList();
    List<CallTiming.TimedEvent> timed =
        shown.stream().map(it -> new CallTiming.TimedEvent(it.event(), it.entry().at())).toList();
    CallSummary callSummary = new CallSummary(id);
    timed.forEach(it -> it.event().ifPresent(event -> callSummary.apply(event, it.at())));
    return callSummary.toView(steps(shown, timed));
  }

  private List<CallView.Step> steps(
      List<CallEvents.Shown> shown, List<CallTiming.TimedEvent> timed) {
    List<List<TimeShare>> shares = CallTiming.of(timed);
    return IntStream.range(0, shown.size())
        .mapToObj(i -> step(shown.get(i), shares.get(i)))
        .toList();
  }

  private static CallView.Step step(CallEvents.Shown shown, List<TimeShare> shares) {
    Entry entry = shown.entry();
    EventData data = shown.data();
    return new CallView.Step(
        entry.position(),
        new QualifiedName(entry.name()).localName(),
        entry.version(),
        entry.at(),
        entry.node(),
        data.json(),
        data.unreadable() == null ? null : data.unreadable().word(),
        shown.event().orElse(null),
        shares);
  }
}
