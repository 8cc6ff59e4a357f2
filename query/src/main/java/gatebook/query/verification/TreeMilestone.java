package gatebook.query.verification;

import gatebook.events.journal.tree.RightEdge;

/** A milestone of the tree: an expectation of the tree at one size. */
interface TreeMilestone {
  long size();

  /** Called when the tree has this size. */
  void reached(RightEdge tree);

  /** Called when the rows have ended at this position and the tree never had this size. */
  void unreached(long lastPosition);
}
