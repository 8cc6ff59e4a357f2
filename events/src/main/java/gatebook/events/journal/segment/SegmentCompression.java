package gatebook.events.journal.segment;

/** The compression of the sealed segments of a journal. */
public enum SegmentCompression {
  /** They are compressed when they are stamped. */
  DEFLATE,

  /** They stay as they were written; those that are compressed are read all the same. */
  NONE
}
