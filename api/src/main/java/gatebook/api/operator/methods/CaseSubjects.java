package gatebook.api.operator.methods;

import static java.util.stream.Collectors.joining;

import com.fasterxml.jackson.databind.JsonNode;
import gatebook.api.operator.rpc.OperatorMethod.Outcome;
import gatebook.command.rules.GatewayLimits;
import gatebook.command.rules.Limit;
import gatebook.events.journal.Journal;
import gatebook.events.journal.storage.Entry;
import gatebook.query.Views;
import gatebook.query.calls.CallQueries.FoundCallIds;
import gatebook.query.calls.FindCallIds;
import gatebook.query.projection.GroupTag;
import gatebook.query.trees.FindTrees;
import gatebook.query.trees.TreeQueries.FoundTrees;
import gatebook.query.trees.TreeView;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.axonframework.messaging.eventstreaming.EventCriteria;

/** Finds the subjects of case files: what an id is the id of. */
final class CaseSubjects {
  private static final int PAGE = 1_000;
  private static final int NAMED_MAX = 10;

  private final Journal journal;
  private final Views views;
  private final Supplier<GatewayLimits> limits;

  /** What an id is the id of. */
  sealed interface Finding {
    record Found(CaseSubject subject) implements Finding {}

    record NotFound(Outcome outcome) implements Finding {}
  }

  CaseSubjects(Journal journal, Views views, Supplier<GatewayLimits> limits) {
    this.journal = journal;
    this.views = views;
    this.limits = limits;
  }

  private int eventsMax() {
    return limits.get().getInt(Limit.CASE_EVENTS_MAX);
  }

  /** Finds the call or the tree with this id; it may be that of a task of the tree. */
  Finding find(String id, long atLeast) throws InterruptedException {
    FoundCallIds calls = views.queries().send(new FindCallIds(id, atLeast), FoundCallIds.class);
    FoundTrees trees =
        views
            .queries()
            .send(new FindTrees(id, calls.callIds(), 0, Optional.empty()), FoundTrees.class);
    if (trees.trees().size() == 1 && isOf(trees.trees().getFirst(), id)) {
      return tree(trees.trees().getFirst());
    }
    if (calls.callIds().size() == 1) {
      return call(calls.callIds().getFirst());
    }
    if (!calls.callIds().isEmpty() || !trees.trees().isEmpty()) {
      return notOne(severalSentence(calls, trees));
    }
    boolean isUpToDate = calls.reached().upToDate() && trees.reached().upToDate();
    return isUpToDate
        ? nothing(
            "no call and no tree up to position %d has this id"
                .formatted(calls.reached().position()))
        : new Finding.NotFound(
            new Outcome.Busy(
                "the view has reached position %d of %d: try again"
                    .formatted(calls.reached().position(), calls.reached().awaited())));
  }

  private static boolean isOf(TreeView tree, String id) {
    return tree.treeId().toString().equals(id.strip())
        || tree.tasks().stream().anyMatch(task -> task.taskId().equals(id.strip()));
  }

  private Finding nothing(String sentence) {
    DroppedPart.NotFound notFound = DroppedPart.notFound(sentence, views);
    return new Finding.NotFound(new Outcome.NotOneCall(notFound.sentence(), notFound.data()));
  }

  private static Finding notOne(String sentence) {
    return new Finding.NotFound(new Outcome.NotOneCall(sentence));
  }

  private static String severalSentence(FoundCallIds calls, FoundTrees trees) {
    String named =
        Stream.concat(
                calls.callIds().stream().map(UUID::toString),
                trees.trees().stream().map(tree -> "tree " + tree.treeId()))
            .limit(NAMED_MAX)
            .collect(joining(", "));
    return "this id matches several calls or trees: use the id of one, the newest are " + named;
  }

  private Finding call(UUID call) {
    String tag = "call:" + call;
    List<Entry> entries = entries(GroupTag.CALL.criteria(call));
    return entries.isEmpty()
        ? nothing("nothing is recorded for this id")
        : found(new CaseSubject(Optional.of(call), List.of(tag), entries));
  }

  private Finding tree(TreeView tree) {
    SortedMap<Long, Entry> entries = new TreeMap<>();
    add(entries, entries(GroupTag.TREE.criteria(tree.treeId())));
    Set<UUID> calls = new LinkedHashSet<>();
    for (Entry entry : entries.values()) {
      JsonNode call = CaseDisclosure.json(entry).path("callId");
      if (call.isTextual()) {
        calls.add(UUID.fromString(call.textValue()));
      }
    }
    tree.tasks().forEach(task -> task.calls().forEach(call -> calls.add(call.callId())));
    List<String> tags = new ArrayList<>(List.of("tree:" + tree.treeId()));
    for (UUID call : calls) {
      List<Entry> ofCall =
          entries.size() > eventsMax() ? List.of() : entries(GroupTag.CALL.criteria(call));
      if (!ofCall.isEmpty()) {
        tags.add("call:" + call);
        add(entries, ofCall);
      }
    }
    return found(new CaseSubject(Optional.empty(), tags, List.copyOf(entries.values())));
  }

  private static void add(SortedMap<Long, Entry> entries, List<Entry> more) {
    more.forEach(entry -> entries.put(entry.position(), entry));
  }

  private Finding found(CaseSubject subject) {
    return tooMany(subject.entries().size())
        .<Finding>map(Finding.NotFound::new)
        .orElseGet(() -> new Finding.Found(subject));
  }

  /** Refuses a case file of so many events; empty when it may have them. */
  Optional<Outcome> tooMany(int events) {
    int most = eventsMax();
    return events > most
        ? Optional.of(
            new Outcome.Busy(
                "the case file would have more than %d events, with those of its rules: ask for one call of a tree, or raise limits.%s in the rules"
                    .formatted(most, Limit.CASE_EVENTS_MAX.key())))
        : Optional.empty();
  }

  /** All of the events, or one more than there may be. */
  private List<Entry> entries(EventCriteria criteria) {
    List<Entry> entries = new ArrayList<>();
    long head = journal.head();
    List<Entry> page;
    do {
      long after = entries.isEmpty() ? 0 : entries.getLast().position();
      page = journal.find(criteria, after, head, PAGE);
      entries.addAll(page);
    } while (page.size() == PAGE && entries.size() <= eventsMax());
    return entries;
  }
}
