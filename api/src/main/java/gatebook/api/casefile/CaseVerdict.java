package gatebook.api.casefile;

import java.util.List;
import java.util.Optional;

/** The verdict on a case file. */
public sealed interface CaseVerdict {

  /**
   * Every byte of the file is as it was signed, and every event is in the log.
   *
   * @param key the label of the key that signed
   * @param size of the log at the checkpoint
   * @param subjects the calls and the tree that it is about, each as its tag
   * @param made when it was made, as its manifest says
   * @param dropped the time through which events were dropped for good
   * @param notShown the lines of its redactions
   * @param timestamp of its checkpoint, by an authority; empty when it has none
   * @param replaced which keys replaced the given one, as both signed; sentences
   */
  record Accepted(
      String origin,
      String key,
      long size,
      String made,
      List<String> subjects,
      Optional<String> dropped,
      List<CheckedEvent> events,
      List<String> notShown,
      Optional<CheckedTimestamp> timestamp,
      List<String> replaced)
      implements CaseVerdict {
    public Accepted {
      subjects = List.copyOf(subjects);
      events = List.copyOf(events);
      notShown = List.copyOf(notShown);
      replaced = List.copyOf(replaced);
    }
  }

  /**
   * The timestamp of a checkpoint, whose signature is right.
   *
   * @param at the time, RFC 3339 in UTC
   * @param authority as its certificate in the file says
   * @param isTrusted whether that certificate is of an authority that the reader trusts
   */
  record CheckedTimestamp(String at, String authority, boolean isTrusted) {}

  /** It is not accepted; the sentence says why. */
  record Refused(String sentence) implements CaseVerdict {}
}
