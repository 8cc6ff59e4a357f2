package gatebook.events;

import com.fasterxml.jackson.annotation.JsonValue;
import gatebook.events.call.Word;
import org.jspecify.annotations.Nullable;

/**
 * A disk of this node became fuller or emptier than one of the limits. {@code growthBytesPerDay} is
 * that of the journal on it, absent where it is not known.
 */
@Named(name = "DiskLevelChanged", version = "1")
public record DiskLevelChanged(
    Disk disk, Level level, long usedBytes, long totalBytes, @Nullable Long growthBytesPerDay)
    implements Event {

  /** What the disk has. */
  public enum Disk implements Word {
    JOURNAL("journal"),
    /** The journal is in a database elsewhere. */
    VIEWS("views");

    private final String word;

    Disk(String word) {
      this.word = word;
    }

    @Override
    @JsonValue
    public String word() {
      return word;
    }
  }

  /** How full it is. */
  public enum Level implements Word {
    NORMAL("normal"),
    WARNING("warning"),
    URGENT("urgent"),
    /** Calls are denied and recorded, and none is forwarded. */
    RESERVE("reserve");

    private final String word;

    Level(String word) {
      this.word = word;
    }

    @Override
    @JsonValue
    public String word() {
      return word;
    }
  }
}
