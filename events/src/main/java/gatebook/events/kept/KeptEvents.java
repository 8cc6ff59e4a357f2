package gatebook.events.kept;

import gatebook.events.AgentTaskCreated;
import gatebook.events.BackupEvent;
import gatebook.events.CallEvent;
import gatebook.events.CheckpointKeyRotated;
import gatebook.events.CosignatureRefused;
import gatebook.events.DiskLevelChanged;
import gatebook.events.ErasureEvent;
import gatebook.events.Event;
import gatebook.events.EventsDropped;
import gatebook.events.JournalOutage;
import gatebook.events.MessagesRefused;
import gatebook.events.MismatchAccepted;
import gatebook.events.OperatorActed;
import gatebook.events.OriginBegun;
import gatebook.events.RollbackFound;
import gatebook.events.RulesActivated;
import gatebook.events.RulesObserved;
import gatebook.events.RulesRejected;
import gatebook.events.TreeEvent;
import gatebook.events.WrappingKeyRotated;
import gatebook.events.journal.JournalAccess;
import gatebook.events.journal.drop.DropPlan;
import gatebook.events.journal.drop.DropPlanner;
import gatebook.events.journal.drop.PositionSet;
import gatebook.events.journal.storage.Entry;
import gatebook.events.vocabulary.EventVocabulary;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.axonframework.messaging.eventstreaming.EventCriteria;
import org.axonframework.messaging.eventstreaming.Tag;

/**
 * The rule by which events stay when the others of their range are dropped: those by which
 * something is still decided, by a caller's next message or by a reader of what stays.
 *
 * <p>These stay: the journal's statements about itself, its outages and backups; its first event;
 * calls and trees that are not over, each as a whole; the rules in force at the end of the range,
 * and those that such calls name; candidates that were observed; who owns an agent's tasks and
 * contexts; and what this version cannot read.
 *
 * <p>The range is read twice, and the rest of the journal is asked by tag for the trees and for
 * those calls that may go on after their end.
 */
public final class KeptEvents implements DropPlanner {
  private static final int PAGE = 1_000;
  private static final int FOUND_MAX = 16;

  private final InstantSource clock;
  private final EventVocabulary eventVocabulary = new EventVocabulary();

  /** {@code clock} decides whether the outcome of a task may still be fetched. */
  public KeptEvents(InstantSource clock) {
    this.clock = clock;
  }

  @Override
  public DropPlan plan(long from, long to, JournalAccess journal) {
    KeptCalls calls = new KeptCalls(clock.instant());
    KeptTrees trees = new KeptTrees();
    journal.stream(null, from - 1, to, PAGE).forEach(entry -> collect(entry, calls, trees));
    long head = journal.head();
    Set<UUID> keptCalls =
        calls.find(call -> exists(journal, new Tag("call", call.toString()), to, head));
    Set<UUID> keptTrees =
        trees.find(tree -> {
          Tag tag = new Tag("tree", tree.toString());
          return exists(journal, tag, 0, from - 1) || exists(journal, tag, to, head);
        });
    Selection selection = new Selection(keptCalls, keptTrees);
    journal.stream(null, from - 1, to, PAGE).forEach(selection::add);
    return selection.plan();
  }

  private Optional<Event> read(Entry entry) {
    return eventVocabulary.readIfPossible(entry, Event.class);
  }

  private void collect(Entry entry, KeptCalls calls, KeptTrees trees) {
    switch (read(entry).orElse(null)) {
      case CallEvent event -> {
        calls.add(event);
        if (entry.position() == 1) {
          calls.keep(event.callId());
        }
      }
      case TreeEvent event -> {
        trees.add(event);
        if (entry.position() == 1) {
          trees.keep(event.treeId());
        }
      }
      case null -> {
        ids(entry, "call").forEach(calls::keep);
        ids(entry, "tree").forEach(trees::keep);
      }
      default -> {
        // belongs to neither
      }
    }
  }

  /** The ids in the tags of an event that cannot be read; one that is no id names nothing. */
  private static List<UUID> ids(Entry entry, String key) {
    return entry.tagSet().stream()
        .filter(tag -> tag.key().equals(key))
        .flatMap(tag -> id(tag.value()).stream())
        .toList();
  }

  private static Optional<UUID> id(String text) {
    try {
      return Optional.of(UUID.fromString(text));
    } catch (IllegalArgumentException _) {
      return Optional.empty();
    }
  }

  private static boolean exists(JournalAccess journal, Tag tag, long after, long upTo) {
    return journal.stream(EventCriteria.havingTags(tag), after, upTo, FOUND_MAX)
        .anyMatch(entry -> entry.tagSet().contains(tag));
  }

  /**
   * Selects the events that stay, when it is known which calls and trees do, and counts the others.
   */
  private final class Selection {
    private final Set<UUID> calls;
    private final Set<UUID> trees;
    private final KeptRules rules = new KeptRules();
    private final Set<Long> positions = new HashSet<>();
    private final ErrorCounts counts = new ErrorCounts();

    Selection(Set<UUID> calls, Set<UUID> trees) {
      this.calls = calls;
      this.trees = trees;
    }

    void add(Entry entry) {
      @SuppressWarnings("NullAway") // one that cannot be read stays
      Event event = read(entry).orElse(null);
      if (event instanceof RulesActivated activated) {
        rules.add(activated.rulesHash(), entry.node(), entry.position());
      }
      if (event == null || stays(event, entry)) {
        positions.add(entry.position());
      } else {
        counts.add(event, entry);
      }
      if (event instanceof CallEvent call && calls.contains(call.callId())) {
        rules.keepFor(event, entry.position());
      }
    }

    private boolean stays(Event event, Entry entry) {
      return entry.position() == 1
          || switch (event) {
            case AgentTaskCreated _, JournalOutage _, BackupEvent _, ErasureEvent _ -> true;
            case RulesObserved _ -> true;
            case EventsDropped _, MismatchAccepted _, OriginBegun _ -> true;
            case CosignatureRefused _, RollbackFound _ -> true;
            case CheckpointKeyRotated _, WrappingKeyRotated _ -> true;
            case CallEvent call -> calls.contains(call.callId());
            case TreeEvent tree -> trees.contains(tree.treeId());
            case RulesActivated _, RulesRejected _, MessagesRefused _ -> false;
            case OperatorActed _, DiskLevelChanged _ -> false;
          };
    }

    DropPlan plan() {
      positions.addAll(rules.positions());
      return new DropPlan(PositionSet.of(positions), counts.counts());
    }
  }
}
