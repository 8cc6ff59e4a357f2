package gatebook.api.operator.methods;

import gatebook.api.anchor.AnchorStatus;
import gatebook.api.witness.WitnessStatus;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The status of a node. What the node cannot know is null. Times are RFC 3339 in UTC.
 *
 * @param startedAt when its process was started
 * @param witnesses those of this log; null when its rules name none, or they cannot be told now
 * @param witness what this node is for other logs; null when its rules do not make it a witness
 */
record NodeStatus(
    String node,
    String version,
    @Nullable String startedAt,
    JournalStatus journal,
    DiskStatus disk,
    List<SourceStatus> sources,
    List<AnchorStatus> anchors,
    List<SeenNode> nodes,
    @Nullable WitnessStatus witnesses,
    @Nullable CosigningRole witness) {
  NodeStatus {
    sources = List.copyOf(sources);
    anchors = List.copyOf(anchors);
    nodes = List.copyOf(nodes);
  }

  /**
   * The status of the journal. The counts are of this process since it opened the journal.
   *
   * @param lastVerification the last one that an operator asked this process for
   * @param droppedThrough the time through which events were dropped for good; null when none were
   */
  record JournalStatus(
      long position,
      String durability,
      int queueEvents,
      long batches,
      long forcedWrites,
      @Nullable CheckpointStatus lastCheckpoint,
      @Nullable VerificationResult lastVerification,
      @Nullable Long bytes,
      @Nullable String droppedThrough) {}

  /**
   * The newest checkpoint.
   *
   * @param position of the last event that it covers
   * @param at when that event was recorded
   */
  record CheckpointStatus(long position, @Nullable String at) {}

  /**
   * The result of a verification.
   *
   * @param by the operator who asked for it
   * @param position of the last event that was verified
   */
  public record VerificationResult(String at, String by, boolean ok, long position) {}

  /**
   * The use of the disk that has the data directory.
   *
   * @param journalBytes null when the journal is in a database elsewhere
   * @param growthBytesPerDay of the journal; null while it is younger than an hour
   */
  record DiskStatus(
      @Nullable Long freeBytes,
      @Nullable Long totalBytes,
      @Nullable Long journalBytes,
      @Nullable Long viewsBytes,
      @Nullable Long growthBytesPerDay) {}

  /**
   * A node as a witness of other logs.
   *
   * @param name of its key
   * @param logs their origins
   */
  record CosigningRole(String name, List<String> logs) {
    CosigningRole {
      logs = List.copyOf(logs);
    }
  }

  /**
   * A node that writes to the journal.
   *
   * @param lastEventAt the time of its newest event; null when none of the newest events is its
   */
  record SeenNode(String name, @Nullable String lastEventAt) {}
}
