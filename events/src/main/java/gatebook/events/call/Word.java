package gatebook.events.call;

/** A constant with a name that is used outside this program. */
public interface Word {

  /** The name used outside this program; it never changes. */
  String word();
}
