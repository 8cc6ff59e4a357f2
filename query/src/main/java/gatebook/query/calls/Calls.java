package gatebook.query.calls;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.BinaryNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import gatebook.events.journal.Entry;
import gatebook.events.journal.Journal;
import gatebook.query.projection.Follower;
import gatebook.query.projection.Standing;
import gatebook.query.projection.ViewFailed;
import gatebook.query.projection.ViewFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.axonframework.messaging.core.QualifiedName;

/**
 * What happened to a call, by any id that was given or handed out.
 *
 * <p>The view knows which calls an id stands for; their events are read from the journal at the
 * time of the question, so that what is shown is what is recorded.
 */
public final class Calls implements AutoCloseable {
  /** One id of a careless caller may stand for every call it ever made. */
  static final int CALLS_MAX = 100;

  private static final long WAIT_MILLIS_MAX = 2_000;

  private final Journal journal;
  private final Follower follower;
  private final CallEvents events;
  private final OpenCalls open;
  private final JsonMapper json =
      JsonMapper.builder().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS).build();

  private Calls(Journal journal, Follower follower, CallEvents events, OpenCalls open) {
    this.journal = journal;
    this.follower = follower;
    this.events = events;
    this.open = open;
  }

  /** Starts keeping the view in this file up with the journal. */
  public static Calls follow(ViewFile views, Journal journal) {
    try {
      CallEvents events = new CallEvents(journal);
      OpenCalls open = new OpenCalls(events);
      Follower follower = Follower.start(views, journal, new CallIds(open));
      return new Calls(journal, follower, events, open);
    } catch (SQLException e) {
      throw new ViewFailed(e);
    }
  }

  /**
   * Waits, a moment at most, for the view to know all that the journal held when the question came,
   * or all up to {@code atLeast} if that is more.
   */
  public Lookup lookup(String id, long atLeast) throws InterruptedException {
    long awaited = Math.max(atLeast, journal.head());
    boolean reached = follower.await(awaited, WAIT_MILLIS_MAX);
    long position = follower.position();
    List<UUID> found = find(KnownBy.anything(id));
    if (found.isEmpty()) {
      return reached
          ? new Lookup.NeverSeen(position)
          : new Lookup.NotProjectedYet(position, awaited);
    }
    return new Lookup.Found(
        found.stream().limit(CALLS_MAX).map(this::call).toList(), found.size() > CALLS_MAX);
  }

  /**
   * The calls that have begun up to this position and not ended, oldest first. Waits until the view
   * has come so far, however long that takes; of a view that was closed, none is known.
   */
  public List<OpenCall> open(long upToPosition) throws InterruptedException {
    while (!follower.await(upToPosition, WAIT_MILLIS_MAX)) {
      if (follower.standing().state() == Standing.State.STOPPED) {
        return List.of();
      }
    }
    try (Connection view = follower.reader()) {
      return open.find(view);
    } catch (SQLException e) {
      throw new ViewFailed(e);
    }
  }

  public Standing standing() {
    return follower.standing();
  }

  @Override
  public void close() {
    follower.close();
  }

  private List<UUID> find(Set<String> keys) {
    try (Connection view = follower.reader()) {
      return CallIds.find(view, keys, CALLS_MAX + 1);
    } catch (SQLException e) {
      throw new ViewFailed(e);
    }
  }

  /** What this version cannot read is shown and not interpreted. */
  private Call call(UUID id) {
    List<Entry> entries = events.entries(id);
    Story story = new Story(id);
    entries.forEach(entry -> events.read(entry).forEach(event -> story.tell(event, entry.at())));
    return story.told(entries.stream().map(this::step).toList());
  }

  private Call.Step step(Entry entry) {
    return new Call.Step(
        entry.position(),
        new QualifiedName(entry.name()).localName(),
        entry.version(),
        entry.at(),
        entry.node(),
        data(entry.payload()));
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
