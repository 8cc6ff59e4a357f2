package gatebook.events.journal;

import gatebook.events.journal.storage.Entry;
import gatebook.events.journal.storage.TagText;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.util.Locale;
import java.util.Set;
import java.util.stream.IntStream;
import org.axonframework.messaging.eventstreaming.Tag;
import org.jspecify.annotations.Nullable;

/**
 * A draft of an event for the journal: complete except for its position, its node and its leaf
 * hash.
 *
 * <p>The arrays belong to the draft and must not be changed.
 *
 * @param content the object that the payload was written from, where it is known; never stored
 */
@SuppressWarnings(
    "ArrayRecordComponent") // the bytes as they will be stored; drafts are never compared
public record DraftEvent(
    String id,
    String name,
    String version,
    String at,
    Set<Tag> tags,
    String tagsText,
    byte[] payload,
    byte[] metadata,
    @Nullable Object content) {

  /**
   * The longest id, name, version or tag that fits the columns and the indexes of both databases.
   */
  static final int TEXT_CHARS_MAX = 255;

  /** Always nine digits: texts sort as times do, and no instant is rounded. */
  private static final DateTimeFormatter AT =
      new DateTimeFormatterBuilder().appendInstant(9).toFormatter(Locale.ROOT);

  private static final int THOUSAND = 1_000;

  /** The three digits of each number below 1000. */
  private static final String[] DIGITS =
      IntStream.range(THOUSAND, 2 * THOUSAND)
          .mapToObj(it -> Integer.toString(it).substring(1))
          .toArray(String[]::new);

  /** Nearly all events of a second follow each other. */
  private static volatile Second lastSecond = Second.of(Instant.EPOCH);

  /** A second as texts begin with it. */
  private record Second(long epoch, String text) {
    static Second of(Instant instant) {
      String whole = AT.format(instant);
      return new Second(instant.getEpochSecond(), whole.substring(0, whole.lastIndexOf('.') + 1));
    }
  }

  public static DraftEvent of(
      String id,
      String name,
      String version,
      Instant at,
      Set<Tag> tags,
      byte[] payload,
      byte[] metadata) {
    return of(id, name, version, at, tags, payload, metadata, null);
  }

  public static DraftEvent of(
      String id,
      String name,
      String version,
      Instant at,
      Set<Tag> tags,
      byte[] payload,
      byte[] metadata,
      @Nullable Object content) {
    return new DraftEvent(
        id, name, version, formatTime(at), tags, TagText.write(tags), payload, metadata, content);
  }

  public static String formatTime(Instant instant) {
    Second second = lastSecond;
    if (second.epoch != instant.getEpochSecond()) {
      second = Second.of(instant);
      lastSecond = second;
    }
    int nanos = instant.getNano();
    int micros = nanos / THOUSAND;
    return second.text
        + DIGITS[micros / THOUSAND]
        + DIGITS[micros % THOUSAND]
        + DIGITS[nanos % THOUSAND]
        + 'Z';
  }

  private static final byte[] NO_LEAF = {};

  /** The row of this event, without its leaf hash. */
  public Entry toEntry(long position, String node) {
    return new Entry(
        position, id, name, version, at, node, tagsText, payload, metadata, NO_LEAF, content);
  }

  long bytes() {
    return (long) payload.length
        + metadata.length
        + tagsText.length()
        + name.length()
        + id.length();
  }

  /** What keeps this event out of every journal, in any database; null when nothing does. */
  @Nullable String flaw(int eventBytesMax) {
    if (bytes() > eventBytesMax) {
      return "the event has %d bytes, the limit is %d".formatted(bytes(), eventBytesMax);
    }
    return firstFlaw(id, "id", name, "name", version, "version");
  }

  private @Nullable String firstFlaw(String... textsAndWords) {
    for (int i = 0; i < textsAndWords.length; i += 2) {
      String flaw = flaw(textsAndWords[i], textsAndWords[i + 1]);
      if (flaw != null) {
        return flaw;
      }
    }
    for (String tag : TagText.lines(tagsText)) {
      String flaw = flaw(tag, "tag");
      if (flaw != null) {
        return flaw;
      }
    }
    return null;
  }

  private static @Nullable String flaw(String text, String word) {
    if (text.isEmpty()) {
      return "the event's " + word + " is empty";
    }
    if (text.length() > TEXT_CHARS_MAX) {
      return "the event's " + word + " is longer than " + TEXT_CHARS_MAX + " characters";
    }
    if (!isStorable(text)) {
      return "the event's " + word + " holds a character that no database can keep";
    }
    return null;
  }

  /** Neither a zero nor half of a surrogate pair. */
  private static boolean isStorable(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == 0 || Character.isLowSurrogate(c)) {
        return false;
      }
      if (Character.isHighSurrogate(c)) {
        i++;
        if (i == text.length() || !Character.isLowSurrogate(text.charAt(i))) {
          return false;
        }
      }
    }
    return true;
  }
}
