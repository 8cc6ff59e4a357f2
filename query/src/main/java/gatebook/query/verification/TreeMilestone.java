package gatebook.query.verification;

import gatebook.events.journal.tree.RightEdge;

/** Something that says what the tree is at one size. */
interface TreeMilestone {
  long size();

  /** The tree has this size now. */
  void reached(RightEdge tree);

  /** The rows have ended at this position, and the tree never had this size. */
  void unreached(long lastPosition);
}
