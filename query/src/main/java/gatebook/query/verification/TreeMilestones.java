package gatebook.query.verification;

import gatebook.events.journal.checkpoint.Checkpoint;
import gatebook.events.journal.storage.JournalSnapshot;
import gatebook.events.journal.tree.RightEdge;
import java.util.Arrays;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.stream.Stream;

/** The milestones of the tree, in the order in which the growing tree reaches them. */
final class TreeMilestones {
  private final PriorityQueue<TreeMilestone> pending =
      new PriorityQueue<>(Comparator.comparingLong(TreeMilestone::size));

  TreeMilestones(Stream<? extends TreeMilestone> milestones) {
    milestones.forEach(pending::add);
  }

  long nextSize() {
    TreeMilestone next = pending.peek();
    return next == null ? Long.MAX_VALUE : next.size();
  }

  void reached(RightEdge tree) {
    while (nextSize() == tree.size()) {
      pending.remove().reached(tree);
    }
  }

  void end(long lastPosition) {
    while (!pending.isEmpty()) {
      pending.remove().unreached(lastPosition);
    }
  }

  /** Compares the stored right edge. */
  record EdgeMilestone(JournalSnapshot.StoredEdge edge, FindingCollector findings)
      implements TreeMilestone {
    @Override
    public long size() {
      return edge.size();
    }

    @Override
    public void reached(RightEdge tree) {
      if (!Arrays.equals(tree.bytes(), edge.hashes())) {
        findings.add(
            new VerificationFinding.EdgeMismatch(
                edge.size(), "its hashes are not those of the rows"));
      }
    }

    @Override
    public void unreached(long lastPosition) {
      findings.add(
          edge.size() > lastPosition
              ? new VerificationFinding.Truncated(lastPosition, edge.size(), "the right edge")
              : new VerificationFinding.EdgeMismatch(edge.size(), VerificationPass.NO_TREE));
    }
  }

  /** Compares the checkpoint in the checkpoint file. */
  record FileMilestone(Checkpoint checkpoint, CheckpointCheck inDatabase, FindingCollector findings)
      implements TreeMilestone {
    @Override
    public long size() {
      return checkpoint.size();
    }

    @Override
    public void reached(RightEdge tree) {
      boolean agrees = Arrays.equals(tree.root(), checkpoint.root());
      inDatabase.compared(checkpoint, agrees);
      if (!agrees) {
        mismatch();
      }
    }

    @Override
    public void unreached(long lastPosition) {
      inDatabase.compared(checkpoint, false);
      if (checkpoint.size() > lastPosition) {
        findings.add(
            new VerificationFinding.Truncated(
                lastPosition, checkpoint.size(), VerificationPass.FILE));
      } else {
        mismatch();
      }
    }

    private void mismatch() {
      findings.add(
          new VerificationFinding.CheckpointMismatch(
              VerificationPass.FILE,
              inDatabase.agreedUpTo(),
              checkpoint.size(),
              checkpoint.size(),
              1));
    }
  }

  /** Compares a checkpoint kept outside the journal. */
  record ExternalMilestone(
      String which, Checkpoint checkpoint, Origins origins, FindingCollector findings)
      implements TreeMilestone {
    @Override
    public long size() {
      return checkpoint.size();
    }

    @Override
    public void reached(RightEdge tree) {
      if (!Arrays.equals(tree.root(), checkpoint.root())) {
        mismatch("history up to there was rewritten since");
      }
    }

    @Override
    public void unreached(long lastPosition) {
      mismatch(
          checkpoint.size() > lastPosition
              ? "the journal ends at position " + lastPosition
              : VerificationPass.NO_TREE);
    }

    private void mismatch(String why) {
      findings.add(
          new VerificationFinding.ElsewhereMismatch(
              which,
              checkpoint.size(),
              origins
                  .endBefore(checkpoint.origin(), checkpoint.size())
                  .map(end ->
                      "its origin %s ended here before event %d, where %s began: nothing proves that one goes on as the other"
                          .formatted(end.oldOrigin(), end.position(), end.newOrigin()))
                  .orElse(why)));
    }
  }

  /** Checks an acceptance; {@code matching} collects those whose rows have not changed since. */
  record AcceptanceMilestone(AcceptedMismatch acceptance, List<AcceptedMismatch> matching)
      implements TreeMilestone {
    @Override
    public long size() {
      return acceptance.size();
    }

    @Override
    public void reached(RightEdge tree) {
      if (Base64.getEncoder().encodeToString(tree.root()).equals(acceptance.root())) {
        matching.add(acceptance);
      }
    }

    @Override
    public void unreached(long lastPosition) {}
  }
}
