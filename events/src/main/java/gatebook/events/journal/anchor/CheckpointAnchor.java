package gatebook.events.journal.anchor;

import java.io.IOException;
import java.util.Optional;

/** An anchor: a place outside the journal that keeps its checkpoints, as signed notes. */
public interface CheckpointAnchor {

  /** The newest checkpoint here; empty when there is none, or it cannot be read back. */
  Optional<String> newest() throws IOException;

  /** Adds a checkpoint; returns when the anchor has it. What it had before stays. */
  void add(String note) throws IOException;
}
