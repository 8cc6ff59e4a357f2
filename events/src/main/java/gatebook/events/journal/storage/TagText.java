package gatebook.events.journal.storage;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.axonframework.messaging.eventstreaming.Tag;

/**
 * Writes tags as text and reads them: one line each, {@code key:value}, sorted, so that equal sets
 * give equal text and equal hashes.
 *
 * <p>In a key a colon, in key and value a line feed and a backslash are escaped by a backslash; so
 * the first unescaped colon ends the key, and the first unescaped line feed the tag.
 */
public final class TagText {
  private TagText() {}

  /** The text of one tag in the index. */
  static String index(Tag tag) {
    return escape(tag.key()).replace(":", "\\:") + ":" + escape(tag.value());
  }

  public static String write(Set<Tag> tags) {
    return switch (tags.size()) {
      case 0 -> "";
      case 1 -> index(tags.iterator().next());
      default -> String.join("\n", indexTexts(tags));
    };
  }

  /**
   * The tags of a row; text that was not written by {@link #write} gives the tags that it can be
   * read as.
   */
  static Set<Tag> read(String text) {
    Set<Tag> tags = new LinkedHashSet<>();
    for (String line : lines(text)) {
      tags.add(tag(line));
    }
    return tags;
  }

  /** The index texts in a row's tags column. */
  public static List<String> lines(String text) {
    if (text.isEmpty()) {
      return List.of();
    }
    return text.indexOf('\n') < 0 ? List.of(text) : List.of(text.split("\n", -1));
  }

  private static List<String> indexTexts(Collection<Tag> tags) {
    List<String> texts = new ArrayList<>(tags.size());
    tags.forEach(tag -> texts.add(index(tag)));
    texts.sort(Comparator.naturalOrder());
    return texts;
  }

  private static Tag tag(String line) {
    int colon = unescapedColon(line);
    return colon < 0
        ? new Tag(unescape(line), "")
        : new Tag(unescape(line.substring(0, colon)), unescape(line.substring(colon + 1)));
  }

  private static int unescapedColon(String line) {
    for (int i = 0; i < line.length(); i++) {
      switch (line.charAt(i)) {
        case '\\' -> i++;
        case ':' -> {
          return i;
        }
        default -> {}
      }
    }
    return -1;
  }

  private static String escape(String part) {
    return part.replace("\\", "\\\\").replace("\n", "\\n");
  }

  private static String unescape(String part) {
    if (part.indexOf('\\') < 0) {
      return part;
    }
    StringBuilder plain = new StringBuilder(part.length());
    for (int i = 0; i < part.length(); i++) {
      char c = part.charAt(i);
      boolean escaped = c == '\\' && i + 1 < part.length();
      char next = escaped ? part.charAt(++i) : c;
      plain.append(escaped && next == 'n' ? '\n' : next);
    }
    return plain.toString();
  }
}
