package gatebook.events.journal.storage;

/** The refusal of what a newer version wrote; whoever refuses changes nothing of it. */
public final class NewerFormat {

  private NewerFormat() {}

  /**
   * The sentence of a refusal.
   *
   * @param what was written
   * @param known the newest format that this version reads
   */
  public static String sentence(String what, int found, int known) {
    return "%s has format %d and this version knows %d: use a newer gatebook"
        .formatted(what, found, known);
  }
}
