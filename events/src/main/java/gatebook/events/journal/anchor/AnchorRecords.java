package gatebook.events.journal.anchor;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Records of what anchors have; they decide which node sends to an anchor. */
public interface AnchorRecords extends AutoCloseable {

  /**
   * What an anchor has.
   *
   * @param note its newest checkpoint
   * @param at when that one was last known to be the newest of the journal, too
   */
  record Anchored(String note, Instant at) {}

  /**
   * Claims an interval of an anchor for this node. False when another node has it.
   *
   * @param interval that begins now
   */
  boolean claim(String anchor, Duration interval) throws IOException;

  /** What an anchor has; empty while it is not known. */
  Optional<Anchored> read(String anchor) throws IOException;

  void write(String anchor, Anchored anchored) throws IOException;

  @Override
  void close();
}
