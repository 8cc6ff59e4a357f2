package gatebook.events.call;

/** A word of a closed list: a constant whose name is used outside this program. */
public interface Word {

  /** The name used outside this program; it never changes. */
  String word();
}
