package gatebook.events.journal.tree;

/**
 * The envelope of one event: everything that its leaf commits to, in the exact text and bytes that
 * are stored.
 *
 * <p>The layout in which it is hashed is frozen in the decision record {@code
 * 0001-envelope-and-tree}.
 */
public interface Envelope {
  long position();

  String id();

  String name();

  String version();

  String at();

  String node();

  String tags();

  byte[] payload();

  byte[] metadata();
}
