package gatebook.query.calls;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.BinaryNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import gatebook.events.RulesActivated;
import gatebook.events.journal.Entry;
import gatebook.events.journal.Journal;
import gatebook.query.projection.EventReader;
import gatebook.query.projection.View;
import gatebook.query.projection.View.Reached;
import gatebook.query.projection.ViewFile;
import gatebook.query.projection.ViewStatus;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.stream.IntStream;
import org.axonframework.messaging.core.QualifiedName;

/**
 * What happened to calls, by any id that was given or handed out, or by what they have in common.
 *
 * <p>The view knows which calls an id stands for; their events are read from the journal at the
 * time of the question, so that what is shown is what is recorded.
 */
public final class CallQueries {
  /** One id of a careless caller may stand for every call it ever made. */
  static final int CALLS_MAX = 100;

  private static final long LOOK_MILLIS = 2_000;

  private final Journal journal;
  private final View view;
  private final EventReader reader;
  private final CallEvents events;
  private final OpenCallTable open;
  private final JsonMapper json =
      JsonMapper.builder().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS).build();

  private CallQueries(Journal journal, View view, EventReader reader) {
    this.journal = journal;
    this.view = view;
    this.reader = reader;
    this.events = new CallEvents(journal);
    this.open = new OpenCallTable(events);
  }

  /** Starts keeping the view in this file up with the journal. */
  public static CallQueries follow(ViewFile views, Journal journal, EventReader reader) {
    return new CallQueries(
        journal, View.follow(views, journal, new CallsProjection(reader)), reader);
  }

  public View view() {
    return view;
  }

  /**
   * The calls that an id stands for.
   *
   * @param atLeast up to where the answer must know the journal; it waits a moment at most
   * @param asOf what is shown is what was recorded by then; now, when it is empty
   */
  public LookupResult lookup(String id, long atLeast, Optional<Instant> asOf)
      throws InterruptedException {
    Reached reached = view.reach(atLeast);
    List<UUID> found = view.read(it -> CallKeys.find(it, CallKeys.anything(id), CALLS_MAX + 1));
    List<CallView> calls =
        found.stream()
            .limit(CALLS_MAX)
            .map(call -> call(call, asOf))
            .filter(callView -> !callView.events().isEmpty())
            .toList();
    if (calls.isEmpty()) {
      return nothing(reached, found.isEmpty());
    }
    return new LookupResult.Found(calls, found.size() > CALLS_MAX);
  }

  private static LookupResult nothing(Reached reached, boolean isUnknown) {
    if (!isUnknown) {
      return new LookupResult.CameLater();
    }
    return reached.upToDate()
        ? new LookupResult.NeverSeen(reached.position())
        : new LookupResult.NotProjectedYet(reached.position(), reached.awaited());
  }

  /**
   * Some calls, newest first.
   *
   * @param calls without their events
   * @param next where the next page begins; empty at the end
   */
  public record Page(Reached reached, List<CallView> calls, OptionalLong next) {
    public Page {
      calls = List.copyOf(calls);
    }
  }

  /**
   * Calls that have something in common.
   *
   * @param before where the page before said that this one begins
   */
  public Page list(CallFilter filter, OptionalLong before, int limit, long atLeast)
      throws InterruptedException {
    Reached reached = view.reach(atLeast);
    return view.read(it -> page(it, reached, filter, before.orElse(Long.MAX_VALUE), limit));
  }

  private static Page page(
      Connection view, Reached reached, CallFilter filter, long before, int limit)
      throws SQLException {
    List<CallView> calls = new ArrayList<>();
    OptionalLong next = OptionalLong.empty();
    long last = before;
    try (PreparedStatement select =
        view.prepareStatement(
            "SELECT position, %s FROM calls WHERE position < ?%s ORDER BY position DESC LIMIT ?"
                .formatted(CallTable.COLUMNS, filter.sql()))) {
      select.setLong(1, before);
      select.setInt(filter.set(select, 2), limit + 1);
      try (ResultSet row = select.executeQuery()) {
        while (row.next()) {
          if (calls.size() == limit) {
            next = OptionalLong.of(last);
            break;
          }
          calls.add(CallTable.call(row));
          last = row.getLong("position");
        }
      }
    }
    return new Page(reached, calls, next);
  }

  /**
   * The calls that have begun up to this position and not ended, oldest first. Waits until the view
   * has come so far, however long that takes; of a view that was closed, none is known.
   */
  public List<OpenCall> open(long upToPosition) throws InterruptedException {
    while (!view.await(upToPosition, LOOK_MILLIS)) {
      if (view.standing().state() == ViewStatus.State.STOPPED) {
        return List.of();
      }
    }
    return view.read(open::find);
  }

  /** The rules of this hash, as they were recorded when they last came into force before that. */
  public Optional<Activation> activation(String rulesHash, long before) {
    return view.read(it -> ActivationPositions.find(it, rulesHash, before)).map(this::activation);
  }

  /** Rules as they came into force. */
  public record Activation(String at, RulesActivated rules) {}

  private Activation activation(long position) {
    Entry entry = journal.read(position - 1, 1).getFirst();
    return new Activation(entry.at(), (RulesActivated) reader.read(entry));
  }

  /** What this version cannot read is shown and not interpreted. */
  private CallView call(UUID id, Optional<Instant> asOf) {
    List<Entry> entries =
        events.entries(id).stream()
            .filter(entry -> asOf.filter(then -> Instant.parse(entry.at()).isAfter(then)).isEmpty())
            .toList();
    List<CallTiming.Told> told =
        entries.stream()
            .map(entry -> new CallTiming.Told(events.read(entry).findFirst(), entry.at()))
            .toList();
    CallSummary callSummary = new CallSummary(id);
    told.forEach(it -> it.event().ifPresent(event -> callSummary.tell(event, it.at())));
    return callSummary.told(steps(entries, CallTiming.of(told)));
  }

  private List<CallView.Step> steps(List<Entry> entries, List<List<TimeShare>> spent) {
    return IntStream.range(0, entries.size())
        .mapToObj(i -> step(entries.get(i), spent.get(i)))
        .toList();
  }

  private CallView.Step step(Entry entry, List<TimeShare> spent) {
    return new CallView.Step(
        entry.position(),
        new QualifiedName(entry.name()).localName(),
        entry.version(),
        entry.at(),
        entry.node(),
        data(entry.payload()),
        spent);
  }

  private JsonNode data(byte[] payload) {
    try {
      JsonNode data = json.readTree(payload);
      if (data instanceof ObjectNode object) {
        object.remove("original");
      }
      return data;
    } catch (JacksonException _) {
      return new BinaryNode(payload);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
