package gatebook.api.node.secret;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Searches long texts for many short ones at once, ignoring case: one pass, with a rolling hash
 * over the first characters of the short texts.
 */
final class TextSearch {

  private static final int START = 9;
  private static final int BASE = 31;
  private static final int FILTER_BITS = 20;

  private final Map<String, List<String>> byStart = new HashMap<>();
  private final BitSet filter = new BitSet(1 << FILTER_BITS);

  TextSearch(Collection<String> wanted) {
    for (String each : wanted) {
      String lower = each.toLowerCase(Locale.ROOT);
      if (lower.length() < START) {
        throw new IllegalArgumentException("shorter than %d characters".formatted(START));
      }
      String start = lower.substring(0, START);
      byStart.computeIfAbsent(start, _ -> new ArrayList<>()).add(lower);
      filter.set(slot(start.hashCode()));
    }
  }

  /** The short texts that occur in the text. */
  Set<String> foundIn(String text) {
    String lower = text.toLowerCase(Locale.ROOT);
    Set<String> found = new TreeSet<>();
    int highest = 1; // the weight of the character that leaves the window
    for (int i = 1; i < START; i++) {
      highest *= BASE;
    }
    int hash = 0;
    for (int at = 0; at < lower.length(); at++) {
      if (at >= START) {
        hash -= highest * lower.charAt(at - START);
      }
      hash = hash * BASE + lower.charAt(at);
      int from = at - START + 1;
      if (from >= 0 && filter.get(slot(hash))) {
        byStart.getOrDefault(lower.substring(from, at + 1), List.of()).stream()
            .filter(each -> lower.startsWith(each, from))
            .forEach(found::add);
      }
    }
    return found;
  }

  private static int slot(int hash) {
    return (hash ^ (hash >>> FILTER_BITS)) & ((1 << FILTER_BITS) - 1);
  }
}
