package gatebook.api.operator.methods;

import static java.util.Objects.requireNonNullElse;

import gatebook.api.anchor.AnchorStatus;
import gatebook.api.operator.methods.NodeStatus.CheckpointStatus;
import gatebook.api.operator.methods.NodeStatus.CosigningRole;
import gatebook.api.operator.methods.NodeStatus.DiskStatus;
import gatebook.api.operator.methods.NodeStatus.JournalStatus;
import gatebook.api.operator.methods.NodeStatus.SeenNode;
import gatebook.api.operator.methods.NodeStatus.VerificationResult;
import gatebook.api.operator.rpc.OperatorMethod;
import gatebook.api.operator.rpc.OperatorMethod.Outcome;
import gatebook.api.witness.LogWitnesses;
import gatebook.api.witness.WitnessStatus;
import gatebook.command.rules.KnownOperator.Role;
import gatebook.command.rules.WitnessRules;
import gatebook.events.journal.Journal;
import gatebook.events.journal.storage.Entry;
import gatebook.events.journal.storage.JournalUnreadable;
import gatebook.events.journal.storage.StoredCheckpoint;
import gatebook.query.Views;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The method {@code node.status}. It reads few rows of the journal, however long that is. */
public final class NodeMethods {
  private static final Set<Role> VIEWERS = Set.of(Role.VIEW);

  /** How many of the newest events are looked at for the nodes that wrote them. */
  private static final int RECENT_EVENTS = 1_000;

  private static final int NODES_MAX = 100;

  private final Journal journal;
  private final Views views;
  private final Supplier<List<SourceStatus>> sources;
  private final Supplier<List<AnchorStatus>> anchors;
  private final Supplier<Optional<VerificationResult>> lastVerification;
  private final LogWitnesses logWitnesses;
  private final Supplier<Optional<WitnessRules>> witness;
  private final String version;
  private final Clock clock;

  public NodeMethods(
      Journal journal,
      Views views,
      Supplier<List<SourceStatus>> sources,
      Supplier<List<AnchorStatus>> anchors,
      Supplier<Optional<VerificationResult>> lastVerification,
      LogWitnesses logWitnesses,
      Supplier<Optional<WitnessRules>> witness,
      String version,
      Clock clock) {
    this.journal = journal;
    this.views = views;
    this.sources = sources;
    this.anchors = anchors;
    this.lastVerification = lastVerification;
    this.logWitnesses = logWitnesses;
    this.witness = witness;
    this.version = version;
    this.clock = clock;
  }

  public List<OperatorMethod> all() {
    return List.of(
        new OperatorMethod(
            "node.status",
            "Shows the node that answers: its journal, its disk, its sources, the anchors of its"
                + " checkpoints, the nodes that wrote the newest events, and who witnesses what.",
            List.of(),
            VIEWERS,
            false,
            (_, _) -> Outcome.answered(status())));
  }

  private NodeStatus status() {
    long head = journal.head();
    Long bytes = unlessUnreadable(journal::bytes);
    return new NodeStatus(
        journal.node(),
        version,
        ProcessHandle.current().info().startInstant().map(Instant::toString).orElse(null),
        journalStatus(head, bytes),
        diskStatus(journal.isShared() ? null : bytes),
        sources.get(),
        anchors.get(),
        nodes(head),
        unlessUnreadable(this::witnessStatus),
        witness.get().map(NodeMethods::role).orElse(null));
  }

  private @Nullable WitnessStatus witnessStatus() {
    try {
      return logWitnesses.status().orElse(null);
    } catch (IOException _) {
      return null;
    }
  }

  private static CosigningRole role(WitnessRules rules) {
    return new CosigningRole(rules.name(), rules.logs().keys().keySet().stream().sorted().toList());
  }

  private JournalStatus journalStatus(long head, @Nullable Long bytes) {
    return new JournalStatus(
        head,
        journal.durability().name().toLowerCase(Locale.ROOT),
        journal.queuedEvents(),
        journal.figures().batches(),
        journal.figures().forcedWrites(),
        unlessUnreadable(() -> journal.newestCheckpoint().map(this::checkpointStatus).orElse(null)),
        lastVerification.get().orElse(null),
        bytes,
        unlessUnreadable(
            () -> views.droppedThrough(Optional.empty()).map(Instant::toString).orElse(null)));
  }

  private CheckpointStatus checkpointStatus(StoredCheckpoint checkpoint) {
    return new CheckpointStatus(
        checkpoint.size(), entryAt(checkpoint.size()).map(Entry::at).orElse(null));
  }

  private Optional<Entry> entryAt(long position) {
    return position == 0 ? Optional.empty() : journal.read(position - 1, 1).stream().findFirst();
  }

  /**
   * The use of the disk.
   *
   * @param journalBytes null when they are not on this disk, or unknown
   */
  private DiskStatus diskStatus(@Nullable Long journalBytes) {
    Path file = views.path();
    long totalBytes = file.toFile().getTotalSpace(); // 0 where it is unknown
    return new DiskStatus(
        totalBytes == 0 ? null : file.toFile().getUsableSpace(),
        totalBytes == 0 ? null : totalBytes,
        journalBytes,
        size(file),
        journalBytes == null ? null : JournalGrowth.bytesPerDay(journal, clock).orElse(null));
  }

  /** This node is one of them, even when none of the newest events is its own. */
  private List<SeenNode> nodes(long head) {
    Map<String, String> newest =
        requireNonNullElse(
            unlessUnreadable(
                () -> journal.nodesAfter(Math.max(0, head - RECENT_EVENTS), NODES_MAX)),
            Map.of());
    List<SeenNode> nodes = new ArrayList<>();
    newest.forEach((name, at) -> nodes.add(new SeenNode(name, at)));
    if (!newest.containsKey(journal.node())) {
      nodes.add(new SeenNode(journal.node(), null));
    }
    return nodes;
  }

  private static @Nullable Long size(Path file) {
    try {
      return Files.size(file);
    } catch (IOException _) {
      return null;
    }
  }

  private static <T> @Nullable T unlessUnreadable(Supplier<@Nullable T> fact) {
    try {
      return fact.get();
    } catch (JournalUnreadable _) {
      return null;
    }
  }
}
